"""`required_reasons.py` compares the privacy manifests with the code, in both directions."""

import plistlib
import re
import subprocess
from pathlib import Path

import pytest

import required_reasons
from required_reasons import ARTICLE, CATEGORIES, WHY, apis, category, declared_reasons, linked_modules, mistakes, table
from test_check import CACHE, ROOT, copy

SCRIPT = Path(required_reasons.__file__)


def change(project, library, change):
    file = project / "Sources" / library / "PrivacyInfo.xcprivacy"
    manifest = plistlib.loads(file.read_bytes())
    change(manifest["NSPrivacyAccessedAPITypes"])
    file.write_bytes(plistlib.dumps(manifest))


def add(project, path, line):
    file = project / path
    file.write_text(f"{file.read_text()}\n{line}\n")


def test_the_article_on_privacy_says_what_the_manifests_say():
    assert f"\n\n{table(ROOT)}\n" in (ROOT / ARTICLE).read_text()
    libraries = {file.parent.name for file in ROOT.glob("Sources/*/PrivacyInfo.xcprivacy")}
    reasons = {(library, reason) for library in libraries
               for all in declared_reasons(ROOT / f"Sources/{library}/PrivacyInfo.xcprivacy").values() for reason in all}
    assert set(WHY) == reasons


@pytest.mark.parametrize("library", ["ReferralAppSupport", "ReferralBridge", "DataHandoff", "Unlocks", "ReferralInvitations"])
def test_no_manifest_declares_tracking_or_collected_data(library):
    manifest = plistlib.loads((ROOT / f"Sources/{library}/PrivacyInfo.xcprivacy").read_bytes())
    values = [manifest[key] for key in ["NSPrivacyTracking", "NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes"]]
    assert (len(manifest), values) == (4, [False, [], []])


FAULTS = [
    "DataHandoff uses ProcessInfo.systemUptime, and NEEDS has no reason for it",
    "DataHandoff's privacy manifest has no entry for SystemBootTime",
    "DataHandoff: CA92.1 isn't a reason of the category FileTimestamp",
    "ReferralAppSupport uses FileAttributeKey.systemFreeSize, and NEEDS has no reason for it",
    "ReferralAppSupport's privacy manifest doesn't give the reason 35F9.1 for SystemBootTime",
    "ReferralAppSupport's privacy manifest doesn't give the reason C617.1 for FileTimestamp",
    "ReferralAppSupport's privacy manifest has no entry for DiskSpace",
    "ReferralAppSupport's privacy manifest has no entry for FileTimestamp",
    "ReferralAppSupport's privacy manifest has no entry for SystemBootTime",
    "ReferralBridge's privacy manifest doesn't give the reason CA92.1 for UserDefaults",
    "ReferralBridge's privacy manifest has no entry for UserDefaults",
    "Unlocks uses FileAttributeKey.systemFreeSize, and NEEDS has no reason for it",
    "Unlocks's privacy manifest gives the reason 35F9.1 for SystemBootTime, which nothing needs",
]


def test_all_that_is_wrong_is_found_and_nothing_else(tmp_path):
    project = copy(tmp_path)
    # In code for Apple alone.
    line = "func fault() -> Any? {{\n#if canImport(Darwin)\n{}\n#else\nnil\n#endif\n}}"
    add(project, "Sources/DataHandoff/Transfer/HandoffFolder.swift", line.format("ProcessInfo.processInfo.systemUptime"))
    # One with a manifest of its own, and one that is a part of Unlocks.
    for file in ["ReferralAppSupport/Files/FileProblem.swift", "UnlockCatalog/VersionNumber.swift"]:
        add(project, f"Sources/{file}", "import Foundation\nfunc fault() -> Any? { FileAttributeKey.systemFreeSize }")
    change(project, "ReferralBridge", lambda types: types.pop(0))
    change(project, "DataHandoff", lambda types: types[0]["NSPrivacyAccessedAPITypeReasons"].append("CA92.1"))
    change(project, "Unlocks", lambda types: types.append({
        "NSPrivacyAccessedAPIType": "NSPrivacyAccessedAPICategorySystemBootTime", "NSPrivacyAccessedAPITypeReasons": ["35F9.1"],
    }))
    (project / "Sources/ReferralAppSupport/PrivacyInfo.xcprivacy").unlink()

    outcome = subprocess.run([SCRIPT, "--project", project, "--platforms", "ios"], capture_output=True, text=True, timeout=300)
    # A line for each of the libraries comes first.
    assert (outcome.returncode, sorted(outcome.stdout.splitlines()[8:])) == (1, FAULTS), outcome.stderr


@pytest.mark.parametrize("declared, needs, found", [
    ({"FileTimestamp": ["C617.1"]}, {"stat": ["C617.1"]}, []),
    ({"FileTimestamp": []}, {"stat": ["C617.1"]}, ["L's privacy manifest doesn't give the reason C617.1 for FileTimestamp"]),
    ({"FileTimestamp": ["C617.1"]}, {"stat": ["C617.1"], "lstat": ["C617.1"]},
     ["L doesn't use lstat, which NEEDS has a reason for"]),
    ({"FileTimestamp": ["C617.1", "3B52.1"]}, {"stat": ["C617.1"]},
     ["L's privacy manifest gives the reason 3B52.1 for FileTimestamp, which nothing needs"]),
    ({"FileTimestamp": ["35F9.1"]}, {"stat": ["35F9.1"]}, ["L: 35F9.1 isn't a reason of the category FileTimestamp"]),
    ({"FileTimestamp": ["C617.1"], "Weather": ["1"]}, {"stat": ["C617.1"]}, ["L: 1 isn't a reason of the category Weather"]),
])
def test_what_is_wrong_with_a_manifest(declared, needs, found):
    assert mistakes("L", {"stat"}, declared, needs) == found


@pytest.mark.parametrize("symbol, found", [
    ("_stat", {"stat"}),
    ("_stat$INODE64", {"stat"}),
    ("_my_stat", set()),
    ("_stat_total", set()),
    ("static Foundation.URLResourceKey.creationDateKey.getter : Foundation.URLResourceKey", {"URLResourceKey.creationDateKey"}),
    ("dispatch thunk of static UIKit.UITextInputMode.activeInputModes.getter : [UIKit.UITextInputMode]",
     {"UITextInputMode.activeInputModes"}),
    ("type metadata accessor for Foundation.UserDefaults", {"UserDefaults"}),
    ("type metadata accessor for ReferralBridge.UserDefaultsLedger", set()),
    ("static Unlocks.Clock.systemUptime.getter : Swift.Double", set()),
])
def test_which_symbols_count(symbol, found):
    assert apis([symbol]) == found


def test_every_reason_belongs_to_one_category():
    reasons = [reason for reasons, *_ in CATEGORIES.values() for reason in reasons]
    assert len(reasons) == len(set(reasons)) and all(re.fullmatch(r"[0-9A-F]{4}\.1", reason) for reason in reasons)
    assert category("fstat") == "FileTimestamp" and category("UserDefaults") == "UserDefaults"


def test_a_library_links_its_modules_without_other_libraries():
    linked = linked_modules(required_reasons.manifest(ROOT, CACHE))
    assert linked == {
        "ReferralClip": {"ReferralClip"}, "ReferralBridge": {"ReferralBridge", "ReferralInviteCodes"},
        "DataHandoff": {"DataHandoff"}, "ReferralAppSupport": {"ReferralAppSupport"}, "ReferralBasics": {"ReferralBasics", "ReferralFoundation"},
        "Unlocks": {"Unlocks", "UnlockCatalog", "ReferralInviteCodes"},
        "UnlocksTesting": {"UnlocksTesting"},
        "ReferralInvitations": {"ReferralInvitations", "ReferralInviteCodes"},
    }
