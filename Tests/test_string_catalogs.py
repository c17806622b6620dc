"""The string catalogs, as Xcode 26 builds them into every app that links the libraries."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import string_symbols

CATALOGS = string_symbols.catalogs()


def name(file):
    return str(file.relative_to(string_symbols.ROOT))


@pytest.fixture(params=CATALOGS, ids=name)
def strings(request):
    return json.loads(request.param.read_text())["strings"]


def test_every_catalog_that_a_package_or_an_app_has_is_found():
    assert [name(file) for file in CATALOGS] == [
        "Examples/Trestle.swiftpm/Sources/Localizable.xcstrings",
        "Examples/TrestleLite.swiftpm/Sources/Localizable.xcstrings",
        "Sources/ReferralInvitations/Views/Localizable.xcstrings",
        "Sources/Unlocks/Shop/Localizable.xcstrings",
    ]


def test_no_symbol_is_made_of_an_entry(strings):
    assert [key for key, entry in strings.items() if entry.get("generatesSymbol") is not False] == []


def test_no_two_keys_have_the_same_letters_and_digits(strings):
    # An app may copy a catalog, and lose `generatesSymbol` on the way.
    assert string_symbols.collisions(strings) == []


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["Get", "Get %@"], [["Get", "Get %@"]]),
        (["Try Again", "Try again…"], [["Try Again", "Try again…"]]),
        (["%@ of %@", "%1$@ of %2$lld"], [["%1$@ of %2$lld", "%@ of %@"]]),
        (["100 %%", "100"], [["100", "100 %%"]]),
        (["Can’t buy", "Cant buy"], [["Cant buy", "Can’t buy"]]),
        (["Loading", "Load %@"], []),
        (["Größe", "Grosse"], []),
    ],
)
def test_placeholders_punctuation_and_letter_case_make_no_other_symbol(keys, expected):
    assert string_symbols.collisions(keys) == expected


def test_the_script_lists_each_key_and_fails_if_two_share_a_symbol(tmp_path, capsys):
    file = tmp_path / "Localizable.xcstrings"
    manual = {"extractionState": "manual"}
    file.write_text(json.dumps({"strings": {"Get": manual, "Get %@": manual | {"generatesSymbol": False}, "Buy it": {}}}))
    assert string_symbols.main([str(file)]) == 1
    lines = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert lines == [
        ["-", "buyIt", '"Buy', 'it"'], ["+", "get", '"Get"'], ["-", "get", '"Get', '%@"'],
        ["one", "symbol:", '"Get",', '"Get', '%@"'],
    ]


def test_the_script_accepts_the_projects_own(capsys):
    assert string_symbols.main([]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 100
