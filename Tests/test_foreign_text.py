"""The compiler refuses text from outside in a message that doesn't say how much of it may be shown, and no message goes another way.

Needs the package, built by `swift build --build-tests`.
"""

import re
import subprocess
from pathlib import Path

import pytest

from typecheck import typecheck

ROOT = Path(__file__).parents[1]

# How each kind of message is made.
MESSAGES = {
    "a sentence of a library": 'let message: Sentence = "a \\(TEXT)"',
    "two sentences": 'let message: Sentence = "a " + "b \\(TEXT)"',
    "a choice of sentences": 'let message: Sentence = text.isEmpty ? "a" : "b \\(TEXT)"',
    "wrong usage": 'let error = ToolError.usage("a \\(TEXT)")',
    "bad data": 'let error = ToolError.badData("a \\(TEXT)")',
    "a failure of the system": 'let error = ToolError.inputOutput("a \\(TEXT)")',
    "any error": 'let error = ToolError(status: .noInput, message: "a \\(TEXT)")',
    "an option's wrong value": 'let error = ToolError.value(text, of: "--to", "a \\(TEXT)")',
    "the form of an option's values": 'let option = Option<Int>("--to", "N", "help", form: "a \\(TEXT)") { Int($0) }',
    "a note": 'ByteStream.note("a \\(TEXT)")',
    "the reason why a row is rejected": 'let error = RowError("to", "a \\(TEXT)")',
    "a finding on a page": 'let finding = Rule.Problem(0, "a \\(TEXT)")',
    "a finding in a site's files": 'func find(_ place: SitePlace) -> Rule.SiteProblem { Rule.SiteProblem(place, "a \\(TEXT)") }',
    "a file that can't be checked": 'let failure = SiteFailure(path: text, problem: "a \\(TEXT)", kind: .missing)',
    "a property list that can't be read": 'let failure = PropertyList.Failure(message: "a \\(TEXT)")',
}


def compile(source, folder):
    """What the compiler says of a function's body."""
    imports = ["import ReferralBasics", *map("@testable import {}".format, ["ReferralSiteCheck", "referral_tool"])]
    source = "\n".join([*imports, f"func message(_ text: String) {{\n{source}\n}}\n"])
    return typecheck(source, folder, ROOT, "-suppress-warnings", "-I", ROOT / "Sources/WebFiles/include")


@pytest.mark.parametrize("kind", MESSAGES)
def test_text_without_a_label_is_refused(kind, tmp_path):
    status, error = compile(MESSAGES[kind].replace("TEXT", "text"), tmp_path)
    assert status == 1 and "source.swift:5:" in error, error


def test_text_with_a_label_is_accepted(tmp_path):
    bodies = [f"do {{ {body.replace('TEXT', 'name: text')} }}" for body in MESSAGES.values()]
    assert compile("\n".join(bodies), tmp_path) == (0, "")


def test_no_message_goes_another_way():
    command = ["git", "grep", "-l", r"error\.write(", "--", "Sources/referral-tool"]
    files = subprocess.check_output(command, cwd=ROOT, text=True).split()
    # Notes, the messages on rows, and the reasons of `decode`, which have nothing of a string.
    assert {Path(file).name for file in files} == {"TerminalText.swift", "RowJob.swift", "DecodeCommand.swift"}


# The descriptions of the libraries that interpolate something without a sentence: file, and what that is.
DESCRIPTIONS = {
    "ReferralInviteCodes/InviteCodeError.swift": "numbers",
    "ReferralInvitations/InvitesError.swift": "a reason, in a sentence",
    "ReferralSigning/PrivateKeyFile.swift": "the commands that make and convert a key",
    "ReferralSigning/SigningError.swift": "the system's reason, which the command shows as a reason",
    "ReferralBasics/Referral/ReferralError.swift": "a name as shown",
    "ReferralBasics/StorePage/StorePageError.swift": "a name as shown",
    "ReferralBasics/Text/Identifier.swift": "a name as shown",
    "UnlockCatalog/ShopCatalog.swift": "numbers and names of members; the command shows it as a whole",
}


def test_errors_describe_themselves_with_sentences():
    found = set()
    for file in sorted((ROOT / "Sources").rglob("*.swift")):
        module = file.relative_to(ROOT / "Sources").parts[0]
        if module in ["ReferralSiteCheck", "referral-tool"]:
            continue
        declarations = re.findall(
            r"^( *)[a-z ]*var (?:description|debugDescription|errorDescription|failureReason|recoverySuggestion): String\??"
            r" (\{.*\}$|\{\n(?:.*\n)*?\1\}$)", file.read_text(), re.MULTILINE)
        if any("\\(" in body for _, body in declarations):
            found.add(str(file.relative_to(ROOT / "Sources")))
    assert found == set(DESCRIPTIONS)
