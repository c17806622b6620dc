"""Compiles the Swift of the article *Invite a friend* with the stand-ins for Apple's frameworks, and compares its rewards with Trestle's."""

import json
import re
import subprocess
from pathlib import Path

from built import built, modules
from test_readme import CRYPTO, ROOT

CATALOG = ROOT / "Sources/ReferralInvitations/Documentation.docc"
ARTICLE = (CATALOG / "InviteAFriend.md").read_text()
STAND_INS = ROOT / "Tests/Packages/StandIns"


def blocks(language):
    found = re.findall(rf"^```{language}\n(.*?)^```$", ARTICLE, re.MULTILINE | re.DOTALL)
    assert found, f"there is no {language} block"
    return found


def compile(sources, folder):
    """Compiles pieces of Swift together, against the stand-ins for Apple's frameworks."""
    files = [folder / f"{number}.swift" for number in range(len(sources))]
    for file, source in zip(files, sources):
        file.write_text(source)
    subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors", "-I", modules(built(STAND_INS)),
         "-I", CRYPTO, "-Xfrontend", "-disable-cross-import-overlays", *files],
        check=True,
    )


def test_its_swift_compiles(tmp_path):
    compile(blocks("swift"), tmp_path)


def test_its_rewards_are_those_of_trestle():
    catalog = json.loads((ROOT / "Examples/Trestle.swiftpm/Sources/catalog.json").read_text())
    assert [json.loads(block)["rewards"] for block in blocks("json")] == [catalog["rewards"]]


def test_the_schema_of_the_guestbook_is_that_of_the_article_and_of_the_library():
    schema = (ROOT / "Examples/Guestbook/Guestbook.ckdb").read_text()
    assert f"```\n{schema}```\n" in (CATALOG / "TheGuestbook.md").read_text()
    source = (CATALOG.parent / "Guestbook/CloudKitGuestbook.swift").read_text()
    names = re.findall(r'recordType = "(\w+)"|record\["(\w+)"\] = ', source)
    fields = re.findall(r"^ {8}(\w+) (?:STRING|TIMESTAMP|INT64)\b", schema, re.MULTILINE)
    assert sorted(re.findall(r"RECORD TYPE (\w+)", schema) + fields) == sorted(map("".join, names))
    # A query names it.
    assert "referrer STRING QUERYABLE" in schema
