"""The command's arguments, and what comes with it."""

import hashlib
import runpy
import sys
from pathlib import Path

import pytest
from apple import BUNDLE

HERE = Path(__file__).resolve().parent


@pytest.mark.parametrize("wrong", [
    {"--bundle": None}, {"--catalog": "other"}, {"--catalog": __file__}, {"--content": "other"}, {"--roots": "other"},
    {"--database": __file__}, {"--token-file": "other"}, {"--environment": "Xcode"}, {"--app-id": "gold"},
])
def test_it_starts_only_with_what_it_needs(wrong, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("catalog.json").write_text('{"format":1,"items":[]}')
    right = {"--bundle": BUNDLE, "--catalog": "catalog.json", "--content": ".", "--database": "database.sqlite"}
    options = [part for pair in (right | wrong).items() if pair[1] for part in pair]
    monkeypatch.setattr(sys, "argv", ["contentserver", *options])
    with pytest.raises(SystemExit) as error:
        runpy.run_module("contentserver", run_name="__main__")
    # What `argparse` finds, it prints. Everything else is the error's text.
    message = capsys.readouterr().err if error.value.code == 2 else error.value.code
    assert "contentserver: " in message


def test_the_certificate_that_comes_with_it_is_apples():
    """Compare it with Apple Root CA - G3 at https://www.apple.com/certificateauthority."""
    files = list((HERE.parent / "contentserver/roots").iterdir())
    assert [hashlib.sha256(file.read_bytes()).hexdigest() for file in files] == [
        "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"]
