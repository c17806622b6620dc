"""A text in a view says where it comes from: the compiler warns of one that doesn't, in a module with these declarations.

Needs the substitutes for Apple's frameworks, built by `swift build --package-path Tests/Packages/StandIns`.
"""

import re
import subprocess
from pathlib import Path

import pytest

from typecheck import typecheck

ROOT = Path(__file__).parents[1]
STAND_INS = ROOT / "Tests/Packages/StandIns"
# In a module, these take the place of SwiftUI's.
REFUSAL = """
import ReferralAppSupport
import SwiftUI

extension Text {
    @available(*, deprecated, message: "Use Text(own:) or Text(shown:).")
    init(verbatim content: String) { self.init(own: content) }

    @available(*, deprecated, message: "Use Text(own:) or Text(shown:).")
    @_disfavoredOverload
    init(_ content: some StringProtocol) { self.init(own: String(content)) }
}

extension LocalizedStringKey.StringInterpolation {
    @available(*, deprecated, message: "Use the label own or shown.")
    mutating func appendInterpolation(_ string: String) { appendInterpolation(own: string) }
}
"""
REFUSED = ['Text(verbatim: text)', 'Text(text)', 'Text(text.dropFirst())', 'Text("From \\(text)")']
ACCEPTED = ['Text("Done")', 'Text(own: text)', 'Text(shown: text)', 'Text("From \\(own: text)")', 'Text("From \\(shown: text)")', 'Text("\\(3) days")']


def module(path):
    return Path(path).parts[1]


def views():
    """The files with texts, by module."""
    shown = subprocess.check_output(["git", "grep", "-lE", r"\bText\(", "--", "Sources/**.swift"], cwd=ROOT, text=True).split()
    files = [file for file in shown if "import SwiftUI" in (ROOT / file).read_text() and module(file) != "ReferralAppSupport"]
    return {name: [file for file in files if module(file) == name] for name in sorted(set(map(module, files)))}


def compile(source, folder, *files):
    """What the compiler says of a source in a module that refuses texts, with other files."""
    refusal = folder / "refusal.swift"
    refusal.write_text(REFUSAL)
    return typecheck(source, folder, STAND_INS, "-module-name", "Views", "-I", STAND_INS / "Frameworks/Crypto", refusal, *files)[1]


def test_a_text_needs_a_label(tmp_path):
    def of(texts):
        lines = ["import Foundation", "import ReferralAppSupport", "import SwiftUI",
                 *(f"@MainActor func view{index}(_ text: String) -> Text {{ {text} }}" for index, text in enumerate(texts))]
        return compile("\n".join(lines), tmp_path)

    assert of(ACCEPTED) == ""
    error = of(REFUSED)
    for line in range(4, 4 + len(REFUSED)):
        assert re.search(rf"source\.swift:{line}:\d+: warning: .* is deprecated: Use ", error), error


@pytest.mark.parametrize("name", views())
def test_each_module_with_views_refuses(name, tmp_path):
    others = sorted((ROOT / "Sources" / name).rglob("*.swift"))
    said = compile("import Foundation\nextension Bundle { static var module: Bundle { .main } }\n", tmp_path, *others)
    assert "error: " not in said and "is deprecated: Use " not in said


def test_nothing_else_takes_a_text():
    lines = subprocess.check_output(
        ["git", "grep", "-hoE", r"\b(Label|Button|Toggle|Section|NavigationLink|Link|Picker|TextField)\([^)]*|accessibility(Label|Value|Hint)\([^)]*",
         "--", *(file for files in views().values() for file in files)], cwd=ROOT, text=True).splitlines()
    arguments = {line.split("(", 1)[1] for line in lines}
    # A literal, a text, what isn't shown, or a text that another function has made.
    unlabeled = {argument for argument in arguments if not re.match(r'"|Text\(|$|(role|action|destination|text): ', argument)}
    assert unlabeled == {"price"}
