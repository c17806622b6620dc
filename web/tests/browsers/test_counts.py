"""What a landing page counts: App Store Connect by the address's ct, and the site itself by requests."""

import pytest

from browser import decode, tool
from display import until
from sessions import DESKTOP, runs_in
from test_landing import STORE, is_shown, visit

COUNT = ("--count-to", "/count")
REFUSALS = {"gpc": "globalPrivacyControl: true", "dnt": "doNotTrack: '1'"}


def beacons(browser):
    """The requests without a body that aren't for a page or a store."""
    return [path for path in browser.server.posts() if path.startswith("/count")]


def expect(browser, *requests):
    """Exactly these leave, until the page has sent another one."""
    until(lambda: len(beacons(browser)) >= len(requests), "the requests")
    browser.run("navigator.sendBeacon('/end')")
    until(lambda: "/end" in browser.server.posts(), "the last request")
    assert browser.server.posts() == [*requests, "/end"]


def refusing(what):
    """A page in a browser that asks not to be tracked. A policy doesn't apply to a script before it."""
    name, value = what.split(": ")
    script = f"<script>Object.defineProperty(navigator, '{name}', {{ value: {value} }})</script>"
    return lambda page: page.replace("<head>", f"<head>{script}")


def tap(browser, element="store"):
    browser.tap(element)
    browser.server.wait_for_store()


def test_a_view_and_a_tap_are_one_request_each(browser, tmp_path):
    visit(browser, "--referrer", "spring", *COUNT, query="?via=anna+%26")
    assert is_shown(browser, "counted-name") and not is_shown(browser, "counted")
    tap(browser)
    copied = "&copied=1" if browser.is_iphone else ""
    expect(browser, "/count?event=view&via=anna+%26", f"/count?event=tap&via=anna+%26{copied}")
    # The command reads them from a log.
    log = tmp_path / "access.log"
    log.write_text("".join(f'192.0.2.1 - - [27/Nov/2026:10:00:00 +0000] "POST {path} HTTP/1.1" 204 0 "-" "Mozilla/5.0 (iPhone)"\n'
                           for path in beacons(browser)))
    table = tool("report", "--log", str(log), "--count", "/count", "--csv", "-")
    names, row = [line.split(",") for line in table.splitlines()[:2]]
    found = dict(zip(names, row))
    assert (found["openedCounted"], found["tapped"], found.get("copied") or "0") == ("1", "1", "1" if browser.is_iphone else "0"), table


def test_a_tap_that_copied_nothing_says_so(browser):
    visit(browser, "--referrer", "spring", *COUNT)
    browser.run("document.execCommand = navigator.clipboard.writeText = () => { throw Error(); }")
    tap(browser)
    # A computer copies nothing, and so can't fail to.
    copied = "&copied=0" if browser.is_iphone else ""
    expect(browser, "/count?event=view&via=spring", f"/count?event=tap&via=spring{copied}")


def test_without_a_referrer_the_request_names_none(browser):
    visit(browser, "--count-to", "/count?site=3")
    assert is_shown(browser, "counted") and not is_shown(browser, "counted-name")
    tap(browser)
    expect(browser, "/count?site=3&event=view", "/count?site=3&event=tap")


def test_an_address_elsewhere_is_asked_and_no_other(browser):
    visit(browser, "--referrer", "spring", "--count-to", "https://counts.example/count",
          change=lambda page: page.replace("https://counts.example", browser.server.other_origin))
    until(lambda: beacons(browser), "the view")
    browser.run("try { navigator.sendBeacon('/count/other'); } catch {}")
    browser.run(f"navigator.sendBeacon('{browser.server.other_origin}/end')")
    until(lambda: "/end" in browser.server.posts(), "the last request")
    assert browser.server.posts() == ["/count?event=view&via=spring", "/end"]


@pytest.mark.parametrize("options, change", [
    ((), lambda page: page), (COUNT, refusing(REFUSALS["gpc"])), (COUNT, refusing(REFUSALS["dnt"])),
], ids=["off", *REFUSALS])
def test_nothing_leaves(browser, options, change):
    # So that the last request can leave.
    allowing = lambda page: page if options else page.replace("default-src 'none'", "default-src 'none'; connect-src 'self'")
    visit(browser, "--referrer", "spring", *options, change=lambda page: change(allowing(page)))
    assert not is_shown(browser, "counted") and not is_shown(browser, "counted-name")
    tap(browser)
    expect(browser)


def test_the_second_link_is_not_counted(browser):
    visit(browser, "--referrer", "spring", *COUNT)
    tap(browser, "document.querySelector('.plain')")
    expect(browser, "/count?event=view&via=spring")


def with_store(browser):
    """A page whose button leads to the server's store, with its items."""
    return lambda page: page.replace(STORE, browser.store())


@pytest.mark.parametrize("query, ct", [
    ("?via=anna", "anna"), ("", "spring"), ("?via=" + "a.Z_9-~" * 5 + "abcde", "a.Z_9-~" * 5 + "abcde"),
    ("?via=" + "a" * 41, "web"), ("?via=a+b", "web"), ("?via=a%26b", "web"), ("?via=%C3%A9", "web"), ("?via=anna%0A", "web"),
])
def test_the_store_counts_the_referrer(browser, query, ct):
    visit(browser, "--pt", "9", "--ct", "web", "--ct-from-referrer", "--referrer", "spring", query=query, change=with_store(browser))
    before = browser.run("return document.getElementById('store').href")
    browser.tap("store")
    [asked] = browser.server.wait_for_store()
    assert dict(item.split("=") for item in asked.split("?")[1].split("&")) == {"pt": "9", "ct": ct, "mt": "8"}
    assert browser.run("return document.getElementById('store').href") == before
    if browser.is_iphone:
        assert f"ct={ct}" in browser.copied()


@runs_in(DESKTOP)
def test_without_a_token_of_its_own_the_page_has_none(browser):
    visit(browser, "--pt", "9", "--ct-from-referrer", query="?via=a+b", change=with_store(browser))
    browser.tap("store")
    assert browser.server.wait_for_store() == ["/stays/app/id1300230302?pt=9&mt=8"]


def test_beside_the_snippet_the_link_needs_a_provider_token(browser):
    head = f'{browser.script}<script src="/referral-ct.js" defer></script>'
    links = [browser.link(name=name, href=browser.store(query=query), data_referrer_from="via", data_referrer_ct="")
             for name, query in [("counted", "?pt=9&ct=web&mt=8#top"), ("other", "?ct=web")]]
    browser.open("".join(links), query="?via=anna", head=head)
    browser.tap("counted")
    browser.server.wait_for_store()
    browser.tap("other")
    assert browser.server.wait_for_store(2) == ["/stays/app/id1300230302?pt=9&mt=8&ct=anna", "/stays/app/id1300230302?ct=web"]
    assert decode(browser.events[0]["link"])["parameters"] == {}
