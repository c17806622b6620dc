"""Reads the files that only Xcode opens: a name in one that another doesn't know would be seen on a Mac alone."""

import json
import plistlib
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from openstep_parser import OpenStepDecoder

ROOT = Path(__file__).resolve().parents[2]
PROJECT = ROOT / "Tests/Device/Device.xcodeproj"
TEXT = (PROJECT / "project.pbxproj").read_text()
PARSED = OpenStepDecoder.ParseFromString(TEXT)
OBJECTS = PARSED["objects"]


def test_every_object_of_the_project_is_there_and_used():
    named = re.findall(r"\b7A[0-9A-F]{22}\b", TEXT)
    assert set(named) == set(OBJECTS)
    assert all(named.count(key) > 1 for key in OBJECTS)
    assert OBJECTS[PARSED["rootObject"]]["isa"] == "PBXProject"


def test_every_swift_file_is_compiled():
    folder = PROJECT.parent / "TrestleUITests"
    sources = [item["path"] for item in OBJECTS.values() if item.get("lastKnownFileType") == "sourcecode.swift"]
    assert sorted(sources) == sorted(file.name for file in folder.glob("*.swift"))


def test_the_schemes_name_targets_that_there_are():
    target = next(key for key, item in OBJECTS.items() if item["isa"] == "PBXNativeTarget")
    [ui_tests] = PROJECT.glob("xcshareddata/xcschemes/*.xcscheme")
    references = list(ElementTree.parse(ui_tests).iter("BuildableReference"))
    assert {item.get("BlueprintIdentifier") for item in references} == {target}
    assert {item.get("ReferencedContainer") for item in references} == {f"container:{PROJECT.name}"}

    manifest = (ROOT / "Package.swift").read_text()
    package = PROJECT.parent / "ReferralBridgeTests.xcscheme"
    for item in ElementTree.parse(package).iter("BuildableReference"):
        assert re.search(rf'arget\(\s*name: "{item.get("BlueprintName")}"', manifest)


def test_trestle_is_called_the_same_everywhere():
    app = ROOT / "Examples/Trestle.swiftpm"
    [types] = plistlib.loads((app / "AdditionalInfo.plist").read_bytes())["CFBundleURLTypes"]
    assert types["CFBundleURLSchemes"] == ["trestle"]
    identifier = re.search(r'bundleIdentifier: "(.*)"', (app / "Package.swift").read_text())[1]
    for name in ["run", "TrestleUITests/TrestleUITests.swift"]:
        assert identifier in (PROJECT.parent / name).read_text()


def test_each_app_of_a_handoff_may_ask_whether_the_other_one_is_installed():
    """Otherwise a user who declines to open it counts as one who doesn't have it."""
    infos = [plistlib.loads((ROOT / f"Examples/{name}.swiftpm/AdditionalInfo.plist").read_bytes()) for name in ["Trestle", "TrestleLite"]]
    schemes = [info["CFBundleURLTypes"][0]["CFBundleURLSchemes"] for info in infos]
    assert [info["LSApplicationQueriesSchemes"] for info in infos] == schemes[::-1]


def test_the_two_apps_of_a_handoff_know_each_other():
    for name, code in [("Trestle", "Boards"), ("TrestleLite", "LiteBoards")]:
        app = ROOT / f"Examples/{name}.swiftpm"
        identifier = re.search(r'bundleIdentifier: "(.*)"', (app / "Package.swift").read_text())[1]
        [types] = plistlib.loads((app / "AdditionalInfo.plist").read_bytes())["CFBundleURLTypes"]
        route = (app / f"Sources/{code}.swift").read_text()
        end, scheme = ("to", "scheme") if name == "Trestle" else ("from", "returnScheme")
        assert f'{end}: "{identifier}"' in route and f' {scheme}: "{types["CFBundleURLSchemes"][0]}"' in route

    info = plistlib.loads((ROOT / "Examples/Trestle.swiftpm/AdditionalInfo.plist").read_bytes())
    [exported], [opened] = info["UTExportedTypeDeclarations"], info["CFBundleDocumentTypes"]
    assert opened["LSItemContentTypes"] == [exported["UTTypeIdentifier"]] == ["com.example.trestle.handoff"]


def test_xcode_sells_what_the_catalog_of_trestle_names():
    app = ROOT / "Examples/Trestle.swiftpm"
    texts = {item["product"]: item["text"] for item in json.loads((app / "Sources/catalog.json").read_text())["items"] if "product" in item}
    kinds = {item["product"]: item["kind"] for item in json.loads((app / "Sources/catalog.json").read_text())["items"] if "product" in item}
    types = {"subscription": "RecurringSubscription", "nonRenewing": "NonRenewingSubscription", "consumable": "Consumable"}
    store = json.loads((app / "Trestle.storekit").read_text())
    products = store["products"] + [product for group in store["subscriptionGroups"] for product in group["subscriptions"]]
    assert {product["productID"]: product["type"] for product in products} == {
        product: types.get(kind, "NonConsumable") for product, kind in kinds.items()
    }
    locales = {"en_US": "en", "de": "de"}
    assert {product["productID"]: {
        locales[text["locale"]]: {"title": text["displayName"], "detail": text["description"]} for text in product["localizations"]
    } for product in products} == texts
    # Nothing of anybody's account, which Xcode writes into a file that is synchronised with App Store Connect.
    assert not {"_applicationInternalID", "_developerTeamID"} & set(store["settings"])


@pytest.mark.parametrize("app", ["Trestle", "TrestleLite"])
def test_each_sentence_is_in_english_and_german(app):
    folder = ROOT / f"Examples/{app}.swiftpm/Sources"
    files = {file.name: file.read_text() for file in folder.glob("*.swift")}
    code = "".join(files.values())
    keys = set(re.findall(r'\b(?:Text|Button|Section|Picker|NSLocalizedString)\(\s*"((?:[^"\\]|\\.)*)"', code))
    keys |= {key for answers in re.findall(r'answers\("(.*)", "(.*)"\)', code) for key in answers}
    keys |= set(re.findall(r'case \w+ = "(.*)"', files.get("Policy.swift", "")))
    # All other values are integers.
    keys = {re.sub(r"\\\(\w+\)", "%lld", re.sub(r"\\\((?:size|made)\)", "%@", key)) for key in keys}
    strings = json.loads((folder / "Localizable.xcstrings").read_text())["strings"]
    assert set(strings) == keys
    placeholders = lambda text: re.findall("%(?:lld|ld|@)", text)
    for key, string in strings.items():
        assert set(string["localizations"]) == {"de", "en"}, key
        for text in string["localizations"].values():
            forms = text["variations"]["plural"] if "%lld" in key else {"other": text}
            assert ("one" in forms) == ("%lld" in key), key
            assert all(placeholders(form["stringUnit"]["value"]) == placeholders(key) for form in forms.values()), key
    manifest = (folder.parent / "Package.swift").read_text()
    assert 'defaultLocalization: "en"' in manifest and '.process("Localizable.xcstrings")' in manifest


def test_the_article_on_free_uses_and_trials_shows_items_of_trestle():
    article = (ROOT / "Sources/Unlocks/Documentation.docc/WhatElseAShopCanDo.md").read_text()
    items = json.loads((ROOT / "Examples/Trestle.swiftpm/Sources/catalog.json").read_text())["items"]
    shown = [json.loads(code) for code in re.findall(r'```json\n(.*"kind".*)\n```', article)]
    assert shown == [{name: item[name] for name in code} for code, item in zip(shown, items)]
    assert [item["id"] for item in shown] == ["free-boards", "taster"]


def test_trestle_became_free_with_a_build_that_there_is():
    app = ROOT / "Examples/Trestle.swiftpm"
    build = int(re.search(r'bundleVersion: "(.*)"', (app / "Package.swift").read_text())[1])
    switch = re.search(r'firstFreeVersions: \[\.iOS: "(.*)"\]', (app / "Sources/TrestleShop.swift").read_text())[1]
    assert int(switch) <= build


def test_the_workflows_run_the_oldest_swift_and_xcode_and_newer_ones():
    oldest = re.search(r"Swift ([\d.]+) or newer", (ROOT / "README.md").read_text())[1]
    tests, apple = ((ROOT / f".github/workflows/{name}.yml").read_text() for name in ["tests", "apple"])
    versions = re.findall(r'"([\d.]+)"', re.search(r"^ +swift: \[(.*)\]$", tests, re.MULTILINE)[1])
    assert versions[0] == oldest and len(versions) > 1
    # By name, since a runner's default changes. Xcode 26.0 has Swift 6.2. Each job has both.
    jobs = len(re.findall(r"^ +runs-on: ", apple, re.MULTILINE))
    assert oldest == "6.2" and apple.count("app: Xcode_26.0.1 }") == apple.count("app: Xcode }") == jobs
    assert apple.count("DEVELOPER_DIR: /Applications/${{ matrix.xcode.app }}.app/Contents/Developer") == jobs


def test_no_manifest_asks_for_a_mac():
    """Swift Playgrounds reads a manifest on an iPad, and the resources belong to every Apple platform."""
    for file in [ROOT / "Package.swift", *ROOT.glob("Examples/*.swiftpm/Package.swift")]:
        assert not re.search(r"^\s*#(else)?if .*\bos\(", file.read_text(), re.MULTILINE), file
