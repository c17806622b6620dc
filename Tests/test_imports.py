"""What a target imports is built before it: a module of the package that is imported is a dependency, or one of a dependency.

The compiler finds a module that happens to be built already, so a fresh clone may fail where an older one doesn't."""

import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
IMPORT = re.compile(
    r"^(?:@\w+(?:\(\w+\))? )?(?:(?:public|package|internal|private|fileprivate) )?import (?:(?:struct|class|enum|protocol|func|var) )?(\w+)",
    re.MULTILINE,
)


def undeclared(targets, sources):
    """The pairs of a file and a module that its target doesn't depend on."""
    dependencies = {
        target["name"]: {kind[0] for dependency in target["dependencies"] for kind in dependency.values()} for target in targets
    }

    def reached(name):
        return {name}.union(*(reached(other) for other in dependencies[name] if other in dependencies))

    return [
        (file, module)
        for target in targets
        for file, text in sources(target)
        for module in IMPORT.findall(text)
        if module in dependencies and module not in reached(target["name"])
    ]


def test_every_import_is_declared(tmp_path):
    command = ["swift", "package", "dump-package", "--package-path", ROOT, "--scratch-path", tmp_path]
    package = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    def sources(target):
        folder = target.get("path") or ("Tests/" if target["type"] == "test" else "Sources/") + target["name"]
        return [(str(file.relative_to(ROOT)), file.read_text()) for file in sorted((ROOT / folder).rglob("*.swift"))]

    assert undeclared(package["targets"], sources) == []


def test_what_is_not_declared_is_found():
    targets = [
        {"name": "Base", "dependencies": []},
        {"name": "Middle", "dependencies": [{"byName": ["Base", None]}]},
        {"name": "Top", "dependencies": [{"byName": ["Middle", None]}]},
        {"name": "Beside", "dependencies": []},
    ]
    texts = {"Top": "import Foundation\n@testable import Base\npackage import Middle\nprivate import struct Beside.Part\n"}
    found = undeclared(targets, lambda target: [("Top.swift", texts.get(target["name"], ""))])
    assert found == [("Top.swift", "Beside")]
