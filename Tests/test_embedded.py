"""The built command has the pages of today's `web/`, each of them.

    REFERRAL_TOOL=COMMAND python -m pytest Tests/test_embedded.py
"""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "Sources/WebFiles/WebFiles.c"
# check reads the codes, and writes none.
FILES = [(SOURCE.parent / name).resolve() for name in re.findall(r'#embed "([^"]+)"', SOURCE.read_text()) if "codes" not in name]
LANGUAGES = json.loads((ROOT / "web/landing-sentences.json").read_text())
# Two days, and more referrers than the page shows.
LOG = "".join(
    f'203.0.113.7 - - [0{number % 2 + 1}/Oct/2026:09:30:00 +0000] "GET /get?via=n{number} HTTP/1.1" 200 512 "-" "Mozilla/5.0 (iPhone)"\n'
    for number in range(5_001)
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """All that the command makes of its files."""
    folder = tmp_path_factory.mktemp("pages")

    def run(*arguments, text=""):
        tool = os.environ["REFERRAL_TOOL"]
        return subprocess.run([tool, *arguments], cwd=folder, input=text, text=True, check=True, capture_output=True).stdout

    run("page", "--app-id=42", "--name=Trestle", "--referrer=anna", "--pt=1", "--ct-from-referrer", "--invitations", "--keep",
        "--count-to=/tap", "--play=com.example.trestle", "--language=" + ",".join(LANGUAGES), "--banner", "--tagline=Sudoku",
        "--image=https://example.com/icon.png", f"--icon={ROOT / 'web/example-icon.svg'}", "--out=page.html")
    run("page", "--app-id=42", "--name=Trestle", "--referrer=anna", "--out=plain.html")
    run("links", "--landing=https://example.com/get", "--sheet=sheet.html", text="referrer\nanna\n")
    (folder / "access.log").write_text(LOG)
    run("report", "access.log", "--html=report.html")
    snippet = run("snippet", "--keep", "--ct-from-referrer")
    site = ["site", "--app-id=42", "--team=ABCDE12345", "--bundle=com.example.app", "--domain=example.com"]
    steps = run(*site) + run(*site, "--clip=com.example.app.Clip", "--scheme=trestle")
    return snippet + steps + "".join((folder / name).read_text() for name in ["page.html", "plain.html", "sheet.html", "report.html"])


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_each_file_is_the_one_in_the_folder(file, pages):
    text = file.read_text()
    if file.suffix == ".json":
        # A word of each language. Sentences may have been filled in or escaped.
        pieces = [sentences["language"] for sentences in json.loads(text).values()]
    elif file.suffix in [".html", ".txt"]:
        # What is between the placeholders.
        pieces = [line for piece in re.split(r"\{[#/]?\w+\}", text) for line in piece.splitlines()]
    else:
        pieces = [text.strip()]
    assert pieces
    assert [piece for piece in pieces if piece not in pages] == []
