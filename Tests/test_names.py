"""What reads a file from outside keeps and compares its names as `Name`, byte by byte, and not as `String`.

Swift compares and hashes strings by Unicode's canonical equivalence. Two names that are different bytes could be one, and the work on a
name of many combining marks takes the square of its length.
"""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

READERS = [
    "Sources/ReferralBasics/Text/JSON*.swift",
    "Sources/ReferralBridge/ArrivalCounts/*.swift",
    "Sources/ReferralBridge/AppClip/ClipFile.swift",
    "Sources/ReferralSiteCheck/Association/*.swift",
    "Sources/ReferralSiteCheck/HTML/*.swift",
    "Sources/ReferralSiteCheck/Policy/*.swift",
    "Sources/ReferralSiteCheck/PropertyList/*.swift",
    "Sources/ReferralInvitations/Invites/InviteRecord.swift",
    "Sources/UnlockCatalog/*.swift",
    "Sources/DataHandoff/Package/*.swift",
    "Sources/DataHandoff/Install/InstallationJournal.swift",
    "Sources/referral-tool/Catalog/*.swift",
    "Sources/referral-tool/Report/Counts/*.swift",
    "Sources/referral-tool/Report/Logs/*.swift",
    "Sources/referral-tool/Report/Sources/*.swift",
    "Sources/referral-tool/Rows/*.swift",
]

STRINGS = re.compile(
    r"""
    \[(?:String|Substring):\ | \bDictionary<(?:String|Substring)\b | \bSet<(?:String|Substring)>
    | \bswitch\ [\w.?]*\.(?:content|string)\b
    | \.(?:content|string)\??\ (?:==|!=)\  | \ (?:==|!=)\ [\w.]*\.(?:content|string)\b(?!\.)
    """,
    re.VERBOSE,
)
# Where a line may stay, a part of it, and why.
SAFE = "text is made stream-safe before, with 30 marks in a row at most; the files are one's own site"
ALLOWED = {
    ("Sources/ReferralSiteCheck/", ""): SAFE,
    ("Sources/ReferralInvitations/Invites/InviteRecord.swift", "cursors: [String: String]"): "the app's own file; keys are programs",
    ("Sources/DataHandoff/Install/InstallationJournal.swift", "kept: [String: "): "the app's own file, with a digest",
    ("Sources/DataHandoff/Package/HandoffManifest.swift", "[String: JSONValue]"): "the keys are the names that are looked for",
    ("Sources/referral-tool/Rows/RowFormat.swift", "endings: [String: Self]"): "the ends of files' names",
}


def strings(text):
    """The lines that keep or compare text as strings, without comments."""
    return [line.strip() for line in text.splitlines() if STRINGS.search(line.split("//")[0])]


def files():
    listed = subprocess.check_output(["git", "ls-files", "--", *READERS], cwd=ROOT, text=True)
    return listed.split()


def excuses(path, line):
    return [excuse for excuse in ALLOWED if path.startswith(excuse[0]) and excuse[1] in line]


def test_names_are_compared_as_bytes():
    found = [(path, line) for path in files() for line in strings((ROOT / path).read_text())]
    assert [place for place in found if not excuses(*place)] == []
    # No excuse stays longer than its line.
    used = {excuse for place in found for excuse in excuses(*place)}
    assert used == set(ALLOWED)


@pytest.mark.parametrize(
    "line",
    [
        "var members: [String: JSONValue] = [:]",
        "private var known: Set<String> = []",
        "let names: Dictionary<String, Int>",
        "switch name.content {",
        'if value.string == "anna" {',
        "guard digest != member.string else {",
    ],
)
def test_strings_are_noticed(line):
    assert strings(line)


@pytest.mark.parametrize(
    "line",
    [
        "var members: [Name: JSONValue] = [:]",
        "/// A `[String: Int]` would join them.",
        "switch Name(name.content) {",
        'if name.isEqual(to: "version") {',
        "names[1].utf8 == other.string.utf8",
    ],
)
def test_other_lines_are_not(line):
    assert not strings(line)
