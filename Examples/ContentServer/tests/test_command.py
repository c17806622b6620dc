"""The command's arguments, and what comes with it."""

import hashlib
import json
import re
import runpy
import shlex
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from apple import BUNDLE
from conftest import FILES, item, write_files

HERE = Path(__file__).resolve().parent
README = (HERE.parent / "README.md").read_text()


@pytest.mark.parametrize("wrong", [
    {"--bundle": None}, {"--catalog": "other"}, {"--catalog": __file__}, {"--content": "other"}, {"--roots": "other"},
    {"--roots": "."}, {"--database": __file__}, {"--token-file": "other"}, {"--environment": "Xcode"}, {"--app-id": "gold"},
])
def test_it_starts_only_with_what_it_needs(wrong, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("catalog.json").write_text('{"format":1,"items":[]}')
    right = {"--bundle": BUNDLE, "--catalog": "catalog.json", "--content": ".", "--database": "database.sqlite"}
    options = [part for pair in (right | wrong).items() if pair[1] for part in pair]
    monkeypatch.setattr(sys, "argv", ["contentserver", *options])
    monkeypatch.setattr("waitress.create_server", lambda *_, **__: pytest.fail("it starts"))
    with pytest.raises(SystemExit) as error:
        runpy.run_module("contentserver", run_name="__main__")
    # What `argparse` finds, it prints. Everything else is the error's text.
    message = capsys.readouterr().err if error.value.code == 2 else error.value.code
    assert "contentserver: " in message


def test_a_port_that_is_in_use_is_said(tmp_path):
    (tmp_path / "catalog.json").write_text('{"format":1,"items":[]}')
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = subprocess.run(
            [sys.executable, "-m", "contentserver", "--bundle", BUNDLE, "--catalog", "catalog.json", "--content", ".",
             "--port", port], cwd=tmp_path, env={"PYTHONPATH": str(HERE.parent)}, capture_output=True, text=True,
        )
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert ended.stderr.startswith("contentserver: ")


def test_the_certificate_that_comes_with_it_is_apples():
    """Compare it with Apple Root CA - G3 at https://www.apple.com/certificateauthority."""
    files = list((HERE.parent / "contentserver/roots").iterdir())
    assert [hashlib.sha256(file.read_bytes()).hexdigest() for file in files] == [
        "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"]


def test_the_readmes_command_starts_it(tmp_path):
    write_files(tmp_path / "content")
    (tmp_path / "catalog.json").write_text(json.dumps({"format": 1, "items": [item("gift", free=True)]}))
    command = shlex.split(re.search(r"^\.venv/bin/python (-m contentserver .*)$", README, re.MULTILINE)[1])
    with subprocess.Popen(
        [sys.executable, *command, "--port", "0"], cwd=tmp_path, env={"PYTHONPATH": str(HERE.parent)},
        stdout=subprocess.PIPE, text=True,
    ) as process:
        address = process.stdout.readline().strip()
        with urllib.request.urlopen(f"{address}/content/gift", b"{}") as response:
            answer = json.load(response)
        process.terminate()
    shown = json.loads(re.search(r'^\{"files": .*$', README, re.MULTILINE)[0])
    assert answer.keys() == shown.keys()
    path = "boards/gold.json"
    assert answer["files"][path].keys() == shown["files"][path].keys()
    assert answer["files"][path]["length"] == len(FILES[path])


def test_the_readme_explains_each_reason():
    code = "".join(file.read_text() for file in HERE.parent.glob("contentserver/*.py"))
    reasons = re.findall(r'\b(?:\(|= ?)?[345]\d\d, "(\w+)", "', code) + ["request"]
    assert len(set(reasons)) == 12
    rows = "".join(line for line in README.splitlines() if line.startswith("| "))
    assert set(reasons) - {"token"} == set(re.findall(r"`(\w+)`", rows)) - {"reason"}
