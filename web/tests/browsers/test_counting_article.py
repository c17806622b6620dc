"""The lines of the article on counting a campaign, in browsers, with substitutes for the services' scripts."""

import json
import re
import shlex
import subprocess

import pytest

from browser import TOOL
from display import until
from server import WEB

ARTICLE = (WEB.parent / "Sources/ReferralBridge/Documentation.docc/CountingACampaign.md").read_text()

# What each service's script does with a call: a request to its endpoint, with these members.
SERVICES = {
    "Plausible": """window.plausible = (n, { props }) => fetch('/api/event', {
        method: 'POST', keepalive: true, headers: { 'Content-Type': 'text/plain' }, body: JSON.stringify({ n, p: props }) });""",
    "Umami": """window.umami = { track: (name, data) => fetch('/api/send', {
        method: 'POST', keepalive: true, headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ type: 'event', payload: { name, data } }) }) };""",
    "Google Analytics": """window.gtag = (command, en, parameters) => navigator.sendBeacon('/g/collect?' + new URLSearchParams(
        Object.entries({ en, ...parameters }).map(([name, text]) => [name == 'en' ? name : `ep.${name}`, text])));""",
}


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", ARTICLE, re.MULTILINE | re.DOTALL)


OWN, OTHERS = blocks("js")
CALLS = {"Plausible": "plausible(", "Umami": "umami.track(", "Google Analytics": "gtag("}


def opened(browser, lines, query="?via=anna+%26", before=""):
    link = browser.link(data_referrer_from="via")
    browser.open(f"{link}<script>{before}</script><script>{lines}</script>", query=query)


def tapped(browser):
    browser.tap()
    browser.server.wait_for_store()


def posts(browser, count):
    until(lambda: len(browser.server.posts()) >= count, "the requests")
    return browser.server.posts()


def test_the_article_is_short_and_has_a_line_for_each_service():
    assert len(ARTICLE.split()) <= 1_000
    assert all(OTHERS.count(call) == 1 and f"**{service}**" in ARTICLE for service, call in CALLS.items())
    assert len(OWN.splitlines()) <= 10


@pytest.mark.parametrize("query, via", [("?via=anna+%26", "anna+%26"), ("", "spring")])
def test_a_page_of_one_s_own_reports_as_a_landing_page_does(browser, query, via):
    opened(browser, OWN, query)
    tapped(browser)
    assert posts(browser, 2) == [f"/tap?event=view&via={via}", f"/tap?event=tap&via={via}&copied=1"]


@pytest.mark.parametrize("name, value", [("globalPrivacyControl", "true"), ("doNotTrack", "'1'")])
def test_a_page_of_one_s_own_sends_nothing_if_asked(browser, name, value):
    opened(browser, OWN, before=f"Object.defineProperty(navigator, '{name}', {{ value: {value} }})")
    tapped(browser)
    browser.run("navigator.sendBeacon('/end')")
    assert posts(browser, 1) == ["/end"]


@pytest.mark.parametrize("copies", [True, False])
@pytest.mark.parametrize("service", SERVICES)
def test_a_service_gets_the_tap(browser, service, copies):
    others = [call for other, call in CALLS.items() if other != service]
    lines = "\n".join(line for line in OTHERS.splitlines() if not any(call in line for call in others))
    opened(browser, lines, before=SERVICES[service])
    if not copies:
        browser.run("document.execCommand = navigator.clipboard.writeText = () => { throw Error(); }")
    tapped(browser)
    [sent] = posts(browser, 1)
    copied = "yes" if copies else "no"
    if service == "Google Analytics":
        assert sent == f"/g/collect?en=referral_tap&ep.via=anna+%26&ep.copied={copied}"
        return
    endpoint, body = sent.split(" ", 1)
    data = {"via": "anna &", "copied": copied}
    assert (endpoint, json.loads(body)) == {
        "Plausible": ("/api/event", {"n": "Tap", "p": data}),
        "Umami": ("/api/send", {"type": "event", "payload": {"name": "tap", "data": data}}),
    }[service]


def test_a_plain_log_becomes_a_report(browser, tmp_path):
    opened(browser, OWN)
    tapped(browser)
    (tmp_path / "access.log").write_text("".join(
        f'192.0.2.1 - - [27/Nov/2026:10:00:00 +0000] "POST {path} HTTP/1.1" 204 0 "-" "Mozilla/5.0 (iPhone)"\n' for path in posts(browser, 2)))
    # The last one takes the app's counts too, which the library's tests have.
    page, report, _ = blocks("sh")
    for line in (page, report + " --csv -"):
        command = shlex.split(line.replace("\n", " "))
        assert command[0] == "referral-tool"
        done = subprocess.run([TOOL, *command[1:]], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    names, row = (line.split(",") for line in done.stdout.splitlines()[:2])
    assert dict(zip(names, row)) == {
        "referrer": "anna &", "group": "", "name": "", "openedCounted": "1", "tapped": "1", "copied": "1",
    }
    assert (tmp_path / "report.html").stat().st_size and (tmp_path / "get.html").stat().st_size
