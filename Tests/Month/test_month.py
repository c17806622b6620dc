"""A simulated month of a campaign: every number of the report is the one that is known, or the report says why it can't be.

    python -m pytest Tests/Month                 3,000 people
    PEOPLE=200000 python -m pytest Tests/Month   a month's worth

A real web server writes the log while a client sends what browsers would; web/tests/browsers/test_counts.py has the browsers.
The phones count with the library. `REFERRAL_TOOL` names the command, beside which the library is.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "Tests")]

from built import modules, objects
from web_site import Site
from world import COUNT, PAGE, World

TOOL = Path(os.environ["REFERRAL_TOOL"]).absolute()
PEOPLE = int(os.environ.get("PEOPLE", 3_000))


def tool(*arguments):
    done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def phones(tmp_path_factory):
    """The program that is thousands of phones."""
    program, built = tmp_path_factory.mktemp("phones") / "phones", TOOL.parent
    library = objects(built, "ReferralFoundation", "ReferralBasics", "ReferralAppSupport", "ReferralInviteCodes", "ReferralBridge", "ReferralClip")
    subprocess.run(["swiftc", "-swift-version", "6", "-O", "-static-stdlib", "-I", modules(built),
                    Path(__file__).parent / "phones/main.swift", *library, "-o", program], check=True)
    return program


@pytest.fixture(scope="module")
def month(tmp_path_factory, phones):
    folder = tmp_path_factory.mktemp("month")
    world = World(PEOPLE)
    world.friends(PEOPLE // 100)
    site = Site(folder / "site", tool("page", "--app-id", "1300230302", "--name", "Trestle", "--count-to", COUNT))
    try:
        site.send(world.requests)
    finally:
        site.close()
    names = ["--log", site.log]
    (folder / "links.csv").write_text("\n".join(world.links()) + "\n")
    lines = "".join(json.dumps(phone) + "\n" for phone in world.phones)
    (folder / "counts.jsonl").write_bytes(subprocess.run([phones], input=lines.encode(), capture_output=True, check=True).stdout)
    names += ["--links", folder / "links.csv", "--counts", folder / "counts.jsonl", "--page", PAGE, "--count", COUNT]
    return world, names, json.loads(tool("report", *names, "--json", "-"))


def test_every_number_of_a_referrer_is_the_known_one(month):
    world, _, report = month
    found = Counter()
    for row in report["referrers"]:
        name = row.get("referrer") or f"({row['group']})"
        for measure, count in row["counts"].items():
            if measure == "events":
                for event, count in count.items():
                    found[event, name] += count
            else:
                found[measure, name] += count
    assert found == +world.known


def test_every_number_of_a_day_is_the_known_one(month):
    world, _, report = month
    found = Counter()
    for row in report["days"]:
        for measure, count in row["counts"].items():
            if measure == "events":
                for event, count in count.items():
                    found[event, row["day"]] += count
            else:
                found[measure, row["day"]] += count
    assert found == +world.days


def test_every_outcome_of_the_app_is_the_known_one(month):
    world, _, report = month
    assert {row["road"]: row["counts"]["events"] for row in report["roads"]} == world.outcomes


def test_every_line_is_counted_or_named(month):
    world, _, report = month
    assert {fate: count for fate, count in report["lines"].items() if count} == world.fates
    assert report["notLines"] == [] and report["notes"] == []


def test_where_people_and_numbers_differ_the_report_says_why(month):
    world, names, _ = month
    shown = Counter()
    for (measure, name), count in world.known.items():
        shown[measure] += count if (measure, name) != ("first-purchase", "(none)") else 0
    shown["declined"] = sum(outcomes["emptyOrDenied"] for outcomes in world.outcomes.values())
    text = " ".join(tool("report", *names).split())
    for measure, people in sorted(world.people.items()):
        reasons = world.reasons[measure]
        print(f"{measure}: {people:,} people, {shown[measure]:,} in the report", *(f"{count:+,} {why}" for why, count in reasons.items()), sep="\n    ")
        assert people + sum(reasons.values()) == shown[measure], measure
        for reason in reasons:
            assert reason in text
