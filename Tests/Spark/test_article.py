"""What the article on links by the million quotes and runs. It needs no Java."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ARTICLE = (ROOT / "Sources/ReferralBridge/Documentation.docc/LinksByTheMillion.md").read_text()
EXAMPLE = (ROOT / "Examples/Spark/referrals.py").read_text()
TOOL = Path(os.environ.get("REFERRAL_TOOL", ROOT / ".build/debug/referral-tool")).absolute()


def blocks(language):
    found = re.findall(rf"^```{language}\n(.*?)^```$", ARTICLE, re.MULTILINE | re.DOTALL)
    assert found, f"the article has no {language} block"
    return found


@pytest.mark.parametrize("block", blocks("python"))
def test_what_it_quotes_stands_in_the_example(block):
    assert block in EXAMPLE


def test_its_commands_run(tmp_path):
    (tmp_path / "users.csv").write_text('referrer,name\nanna,Anna\n"o""neil, pat",Pat\n,Nobody\n')
    (tmp_path / "campaigns.csv").write_text("referrer,ct,param.pack\nspring-newsletter,spring,gold\n")
    (tmp_path / "pasted.log").write_text("see you at eight\nhttps://apps.apple.com/app/id1300230302\n")
    (tmp_path / "pasted.csv").write_text("link\n=1+1\n")
    (tmp_path / "referral-tool").symlink_to(TOOL)

    lines = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("referral-tool ")]
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    outcomes = [subprocess.run(line, shell=True, cwd=tmp_path, env=environment, capture_output=True) for line in lines]
    assert [outcome.returncode for outcome in outcomes] == [65, 0, 0, 0]
    assert b'data-referral-pack="gold"' in outcomes[1].stdout

    assert (tmp_path / "invitations.csv").read_text().splitlines()[1:] == [
        "anna,Anna,https://example.com/get?ref=anna",
        '"o""neil, pat",Pat,https://example.com/get?ref=o%22neil%2C%20pat',
    ]
    assert (tmp_path / "bad.csv").read_text() == "reason,referrer,name\nreferrer: missing,,Nobody\n"
    assert (tmp_path / "judged.jsonl").read_text().count("\n") == 2
    assert (tmp_path / "judged.csv").read_text().endswith("\n'=1+1,notALink,,,\n")
