"""The list of all folders names every folder, and names nothing that isn't there."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text()
# The folder may be somebody else's, as in a container.
GIT = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
FILES = [Path(name) for name in subprocess.check_output(GIT, cwd=ROOT, text=True).split("\0") if name]
DEPTH = 3


def planned():
    """What the table's first column names. `…/NAME` is in the last folder with a whole name."""
    table = TEXT.partition("## All folders")[2].partition("\n## ")[0]
    names, whole = [], ""
    for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE):
        for name in re.findall("`([^`]+)`", row):
            if not name.startswith("…/"):
                whole = name
            names.append(name.replace("…", whole))
    return names


def test_every_folder_is_in_the_plan():
    with_files = {str(file.parent) for file in FILES if 0 < len(file.parent.parts) <= DEPTH}
    assert len(planned()) > 30
    assert sorted(with_files - set(planned())) == []


def test_everything_in_the_plan_is_there_once():
    there = {str(path) for file in FILES for path in [file, *file.parents]}
    assert [name for name in planned() if name not in there] == []
    assert len(planned()) == len(set(planned()))


def test_every_path_in_the_text_is_there():
    tops = "|".join(sorted({re.escape(file.parts[0]) for file in FILES if len(file.parts) > 1}))
    paths = re.findall(rf"`((?:{tops})(?:/[^`\s]*)?)", TEXT)
    assert [path for path in paths if not (ROOT / path).exists()] == []
