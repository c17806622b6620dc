"""What a target imports is built before it: a module of the package that is imported is a dependency, or one of a dependency.

The compiler finds a module that happens to be built already, so a fresh clone may fail where an older one doesn't."""

import re
from pathlib import Path

from project import dependencies, manifest, package_module

ROOT = Path(__file__).parent.parent.parent
IMPORT = re.compile(
    r"^(?:@\w+(?:\(\w+\))? )?(?:(?:public|package|internal|private|fileprivate) )?import (?:(?:struct|class|enum|protocol|func|var) )?(\w+)",
    re.MULTILINE,
)


def undeclared(targets, sources):
    """The pairs of a file and a module that its target doesn't depend on."""
    named = {target["name"]: dependencies(target) for target in targets}

    def reached(name):
        return {name}.union(*(reached(other) for other in named[name] if other in named))

    return [
        (file, module)
        for target in targets
        for file, text in sources(target)
        for module in IMPORT.findall(text)
        if module in named and module not in reached(target["name"])
    ]


def test_every_import_is_declared(tmp_path):
    def sources(target):
        files = package_module(ROOT, target, triple="").sources
        return [(str(file.relative_to(ROOT)), file.read_text()) for file in files]

    assert undeclared(manifest(ROOT, tmp_path)["targets"], sources) == []


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
