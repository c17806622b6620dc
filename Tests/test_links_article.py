"""What the article on links by the million quotes and runs."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CATALOG = ROOT / "Sources/ReferralBridge/Documentation.docc"
ARTICLE = (CATALOG / "LinksByTheMillion.md").read_text()
EXAMPLE = (ROOT / "Examples/Spark/referrals.py").read_text()
TOOL = Path(os.environ["REFERRAL_TOOL"]).absolute()


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
    (tmp_path / "referral-tool").symlink_to(TOOL)

    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("referral-tool ")]
    outcomes, written = [], []
    for line in lines:
        outcomes.append(subprocess.run(line, shell=True, cwd=tmp_path, env=environment, capture_output=True))
        written.append((tmp_path / line.split(" > ")[1]).read_text() if " > " in line else outcomes[-1].stdout.decode())
    # A row of the users has no referrer.
    assert [outcome.returncode for outcome in outcomes] == [65, 0, 0]
    invitations, elements, judged_log = written
    assert invitations.splitlines()[1:] == [
        "anna,Anna,https://example.com/get?via=anna",
        '"o""neil, pat",Pat,https://example.com/get?via=o%22neil%2C%20pat',
    ]
    assert (tmp_path / "bad.csv").read_text() == "reason,line,referrer,name\nreferrer: missing,4,,Nobody\n"
    assert 'data-referral-pack="gold"' in elements
    assert judged_log.count("\n") == 2
