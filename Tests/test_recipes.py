"""Compiles the Swift of the articles with which each library begins, and runs their commands and reads their catalogs with the built
command."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from test_invite_article import ROOT, compile

TOOL = Path(os.environ["REFERRAL_TOOL"]).absolute()
BEGINNINGS = [
    ROOT / f"Sources/{name}.md" for name in [
        "ReferralBridge/Documentation.docc/GettingStarted",
        "ReferralInvitations/Documentation.docc/InviteAFriend",
        "Unlocks/Documentation.docc/AShopInAnAfternoon",
    ]
]


def blocks(article, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", article.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("source", [source for article in BEGINNINGS for source in blocks(article, "swift")])
def test_its_swift_compiles(source, tmp_path):
    compile([source], tmp_path)


@pytest.mark.parametrize("article", BEGINNINGS, ids=lambda article: article.stem)
def test_its_catalog_and_its_commands_are_right(article, tmp_path):
    for catalog in blocks(article, "json"):
        (tmp_path / "catalog.json").write_text(catalog)
        read = subprocess.run([TOOL, "catalog", "catalog.json"], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert "note:" not in read.stdout + read.stderr
    (tmp_path / "web").symlink_to(ROOT / "web")
    (tmp_path / "referral-tool").symlink_to(TOOL)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    commands = [command for block in blocks(article, "sh") for command in block.replace("\\\n", " ").splitlines()]
    assert commands
    for command in commands:
        subprocess.run(
            ["bash", "-c", command.replace("swift run ", "")], cwd=tmp_path, env=environment, capture_output=True, check=True)
