"""A simulated month of a campaign: every number of the report is the one that is known, or the report says why it can't be.

    python -m pytest Tests/Month                 3,000 people
    PEOPLE=200000 python -m pytest Tests/Month   a month's worth

A real web server writes the log while the people come: some with Chromium, the others with the same requests from a plain client.
Their phones count with the library. `REFERRAL_TOOL` names the command, beside which the library is.
`MONTH_OUT` names a folder for the report's page and for pictures of it.
"""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "Tests"), str(ROOT / "web/tests/browsers")]

from browser import chromium
from built import modules, objects
from display import Display, until
from web_site import Site
from world import COUNT, PAGE, World, target

TOOL = Path(os.environ["REFERRAL_TOOL"]).absolute()
PEOPLE = int(os.environ.get("PEOPLE", 3_000))
WITH_BROWSER = 40


def tool(*arguments):
    done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def page():
    """The landing page, whose button leads to the same server."""
    text = tool("page", "--app-id", "1300230302", "--name", "Trestle", "--pt", "118", "--ct", "web", "--ct-from-referrer",
                "--count-to", COUNT)
    store = "https://apps.apple.com/app/id1300230302"
    assert store in text
    return text.replace(store, "/store")


def with_browser(world):
    """People who use a browser of today, and whose address nobody else has."""
    clients = Counter(person.client for person in world.visitors)
    fit = [person for person in world.visitors if clients[person.client] == 1 and person.kind in ("iphone", "desktop")
           and person.has_script and not person.is_refusing and person.copies and person.returns == 0]
    return sorted(random.Random(2).sample(fit, WITH_BROWSER), key=lambda person: person.time)


def browse(people, site):
    """Chromium visits the page for each of the people, and taps if they do."""
    display = Display()
    try:
        driver = chromium(display.environment, None)
        driver.execute_cdp_cmd("Network.enable", {})
        for person in people:
            def tell(time):
                driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {
                    "X-Time": f"{time:%d/%b/%Y:%H:%M:%S} +0000", "X-Forwarded-For": person.client}})

            # Each of them has a browser of their own.
            driver.execute_cdp_cmd("Network.clearBrowserCache", {})
            driver.execute_cdp_cmd("Network.setUserAgentOverride", {"userAgent": person.agent})
            tell(person.time)
            driver.get(f"http://127.0.0.1:{site.port}{target(person)}")
            if person.taps:
                tell(person.tap_time)
                driver.find_element("id", "store").click()
                until(lambda: "The store" in driver.page_source, "the store")
        driver.quit()
    finally:
        display.close()


@pytest.fixture(scope="module")
def phones(tmp_path_factory):
    """The program that is thousands of phones."""
    program, built = tmp_path_factory.mktemp("phones") / "phones", TOOL.parent
    library = objects(built, "ReferralFoundation", "ReferralBasics", "ReferralBridge", "ReferralClip")
    subprocess.run(["swiftc", "-swift-version", "6", "-O", "-static-stdlib", "-I", modules(built),
                    Path(__file__).parent / "phones/main.swift", *library, "-o", program], check=True)
    return program


@pytest.fixture(scope="module")
def month(tmp_path_factory, phones):
    folder = tmp_path_factory.mktemp("month")
    world = World(PEOPLE)
    world.friends(PEOPLE // 100)
    names = []
    browsing = with_browser(world)
    clients = {person.client for person in browsing}
    for name, visit in [("browsers", lambda site: browse(browsing, site)),
                        ("clients", lambda site: site.send([request for request in world.requests if request.client not in clients]))]:
        site = Site(folder / name, page())
        try:
            visit(site)
        finally:
            site.close()
        names += ["--log", site.log]
    (folder / "links.csv").write_text("\n".join(world.links()) + "\n")
    lines = "".join(json.dumps(phone) + "\n" for phone in world.phones)
    (folder / "counts.jsonl").write_bytes(subprocess.run([phones], input=lines.encode(), capture_output=True, check=True).stdout)
    names += ["--links", folder / "links.csv", "--counts", folder / "counts.jsonl", "--page", PAGE, "--count", COUNT]
    tool("report", *names, "--json", folder / "report.json", "--html", folder / "report.html")
    report = json.loads((folder / "report.json").read_text())
    return world, folder, names, report


def test_every_number_of_a_referrer_is_the_known_one(month):
    world, _, _, report = month
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
    world, _, _, report = month
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
    world, _, _, report = month
    assert {row["road"]: row["counts"]["events"] for row in report["roads"]} == world.outcomes


def test_every_line_is_counted_or_named(month):
    world, folder, _, report = month
    browsed = (folder / "browsers/access.log").read_text().splitlines()
    beside = sum(PAGE not in line.split('"')[1] and COUNT not in line.split('"')[1] for line in browsed)
    expected = {**world.fates, "otherRequests": world.fates["otherRequests"] + beside}
    assert {fate: count for fate, count in report["lines"].items() if count} == expected
    assert report["notLines"] == [] and report["notes"] == []


def test_where_people_and_numbers_differ_the_report_says_why(month):
    world, _, names, report = month
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


@pytest.mark.skipif("MONTH_OUT" not in os.environ, reason="no folder for pictures")
def test_pictures(month):
    _, folder, _, _ = month
    out = Path(os.environ["MONTH_OUT"])
    (out / "report.html").write_bytes((folder / "report.html").read_bytes())
    for name, size, options in [("wide", "1280,1600", []), ("narrow", "390,1600", []), ("dark", "1280,1600", ["--force-dark-mode"])]:
        subprocess.run(["/usr/bin/chromium", "--headless=new", "--no-sandbox", "--hide-scrollbars", f"--window-size={size}", *options,
                        f"--screenshot={out / name}.png", f"file://{out}/report.html"], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(["/usr/bin/chromium", "--headless=new", "--no-sandbox", "--no-pdf-header-footer", f"--print-to-pdf={out / 'printed.pdf'}",
                    f"file://{out}/report.html"], check=True, stderr=subprocess.DEVNULL)
