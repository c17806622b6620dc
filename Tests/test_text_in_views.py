"""The compiler warns of a text in a view that doesn't say where it comes from, and the views are built with warnings as errors.

Needs the substitutes for Apple's frameworks, built by `swift build --package-path Tests/Packages/StandIns`.
"""

import re
import subprocess
from pathlib import Path

import pytest

from typecheck import typecheck

ROOT = Path(__file__).parents[1]
STAND_INS = ROOT / "Tests/Packages/StandIns"
REFUSALS = sorted(ROOT.glob("Sources/*/*/Text+Unlabeled.swift"))
REFUSED = ['Text(verbatim: text)', 'Text(text)', 'Text(text.dropFirst())', 'Text("From \\(text)")']
ACCEPTED = ['Text("Done")', 'Text(own: text)', 'Text(shown: text)', 'Text("From \\(own: text)")', 'Text("From \\(shown: text)")', 'Text("\\(3) days")']


def compile(texts, refusal, folder):
    """What the compiler says of views in the module of a file."""
    lines = ["import Foundation", "import ReferralBasics", "import SwiftUI",
             *(f"@MainActor func view{index}(_ text: String) -> Text {{ {text} }}" for index, text in enumerate(texts))]
    # The file is of the same module.
    return typecheck("\n".join(lines), folder, STAND_INS, "-module-name", "Views", "-I", STAND_INS / "Frameworks/Crypto", refusal)[1]


def test_each_module_with_views_refuses():
    shown = subprocess.check_output(["git", "grep", "-lE", r"\bText\(", "--", "Sources/**.swift"], cwd=ROOT, text=True).split()
    modules = {Path(file).parts[1] for file in shown if "import SwiftUI" in (ROOT / file).read_text()}
    assert modules - {"ReferralBasics"} == {file.relative_to(ROOT).parts[1] for file in REFUSALS}


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda file: file.relative_to(ROOT).parts[1])
def test_a_text_needs_a_label(refusal, tmp_path):
    assert compile(ACCEPTED, refusal, tmp_path) == ""
    error = compile(REFUSED, refusal, tmp_path)
    for line in range(4, 4 + len(REFUSED)):
        assert re.search(rf"source\.swift:{line}:\d+: warning: .* is deprecated: Use ", error), error


def test_nothing_else_takes_a_text():
    lines = subprocess.check_output(
        ["git", "grep", "-hoE", r"\b(Label|Button|Toggle|Section|NavigationLink|Link|Picker|TextField)\([^)]*|accessibility(Label|Value|Hint)\([^)]*",
         "--", *(str(file.parent.relative_to(ROOT)) for file in REFUSALS)], cwd=ROOT, text=True).splitlines()
    arguments = {line.split("(", 1)[1] for line in lines}
    # A literal, a text, what isn't shown, or a text that another function has made.
    unlabeled = {argument for argument in arguments if not re.match(r'"|Text\(|$|(role|action|destination|text): ', argument)}
    assert unlabeled == {"price"}
