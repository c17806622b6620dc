"""The copied link is the address of the page's link, with ed added."""

import re

import pytest

from browser import BEFORE

ED = r"ed=[\w-]+"


def stamped(address):
    """A pattern for an address with <ed> for the item."""
    return re.compile("^" + re.escape(address).replace("<ed>", ED) + "$")


def assert_stamped(browser, pairs, base=""):
    """The first link is tapped, the others are clicked by script."""
    hrefs, expected = zip(*pairs)
    links = [browser.link(name=f"link{index}", href=href) for index, href in enumerate(hrefs)]
    browser.open(base + "<br>".join(links) + "<script>addEventListener('click', event => event.preventDefault())</script>")
    browser.tap("link0")
    copied = [browser.copied(), *browser.written(*(f"link{index}" for index in range(1, len(links))))]
    wrong = {href: link for href, pattern, link in zip(hrefs, expected, copied) if not stamped(pattern).match(link or "")}
    assert wrong == {}


QUERIES = [
    ("", "?<ed>"),
    ("?", "?<ed>"),
    ("?mt=8", "?mt=8&<ed>"),
    ("?ed=old&mt=8", "?mt=8&<ed>"),
    ("?pt=1&ed=old&mt=8", "?pt=1&mt=8&<ed>"),
    ("?mt=8&ed=old", "?mt=8&<ed>"),
    ("?ed=1&ed=2&ed", "?<ed>"),
    ("?bed=1&ED=2&edge=3", "?bed=1&ED=2&edge=3&<ed>"),
    ("?a=1&&b=2&", "?a=1&b=2&<ed>"),
    ("?mt=8#top", "?mt=8&<ed>#top"),
    ("#top", "?<ed>#top"),
    ("?mt=8#a?ed=1&&", "?mt=8&<ed>#a?ed=1&&"),
    ("?ct=a%20b", "?ct=a%20b&<ed>"),
    ("?ct=a+b%2B'~é", "?ct=a+b%2B'~é&<ed>"),
]


def test_the_other_items_stay_byte_for_byte(browser):
    assert_stamped(browser, [(browser.store() + query, browser.store() + expected) for query, expected in QUERIES])


HREFS = [
    ("https://apps.apple.com/us/app/trestle/id1300230302?mt=8", "https://apps.apple.com/us/app/trestle/id1300230302?mt=8&<ed>"),
    ("HTTPS://APPS.apple.com/app/../app/id1300230302", "HTTPS://APPS.apple.com/app/../app/id1300230302?<ed>"),
    ("itms-apps://apps.apple.com/app/id1300230302", "itms-apps://apps.apple.com/app/id1300230302?<ed>"),
    ("itms-appss://apps.apple.com/app/id1300230302", "itms-appss://apps.apple.com/app/id1300230302?<ed>"),
    ("itms://itunes.apple.com/app/id1300230302#x", "itms://itunes.apple.com/app/id1300230302?<ed>#x"),
    ("itmss://itunes.apple.com/app/id1300230302", "itmss://itunes.apple.com/app/id1300230302?<ed>"),
    ("http.html?to=https://apps.apple.com/", "https://base.example/a/http.html?to=https://apps.apple.com/&<ed>"),
    ("get?ct=a%20b", "https://base.example/a/get?ct=a%20b&<ed>"),
    ("//apps.apple.com/app/id1300230302", "https://apps.apple.com/app/id1300230302?<ed>"),
    ("/app/id1300230302#x", "https://base.example/app/id1300230302?<ed>#x"),
    ("?id=1300230302", "https://base.example/a/b?id=1300230302&<ed>"),
    ("", "https://base.example/a/b?<ed>"),
    ("\n https://apps.apple.com/app/id1300230302\t", "https://apps.apple.com/app/id1300230302?<ed>"),
    ("https:apps.apple.com/app/id1300230302", "https://base.example/a/apps.apple.com/app/id1300230302?<ed>"),
]


BASE = '<base href="https://base.example/a/b">'


def test_an_absolute_address_stays_and_a_relative_one_is_resolved(browser):
    assert_stamped(browser, HREFS, base=BASE)


@pytest.mark.parametrize("attribute", ["href", "xlink:href"])
def test_the_same_for_a_link_in_SVG(browser, attribute):
    pairs = [HREFS[0], HREFS[7], HREFS[11]]
    links = "".join(browser.link(f'<text y="{20 * index + 20}">Get Trestle</text>', name=f"link{index}", href="HREF")
                    .replace('href="HREF"', f'{attribute}="{href}"') for index, (href, _) in enumerate(pairs))
    browser.open(f"{BASE}<svg>{links}</svg><script>addEventListener('click', event => event.preventDefault())</script>")
    for index, (_, expected) in enumerate(pairs):
        browser.display.put(BEFORE)
        browser.tap(f"link{index}")
        assert stamped(expected).match(browser.copied())
    assert [event["on"] for event in browser.events] == ["link0", "link1", "link2"]


def test_other_addresses_are_never_copied(browser):
    hrefs = [
        "javascript:window.went += 1", " JavaScript:void (window.went += 1)", "javascript://apps.apple.com/%0Awindow.went += 1",
        "mailto:a@b.example", "tel:1", "data:text/plain,https://apps.apple.com/", "blob:https://apps.apple.com/1", "#top",
        "itms-services://?action=download-manifest", "about:blank", "https://[", "https://"]
    # On a page without a web address, a fragment resolves to no web address either.
    browser.open('<base href="about:blank">' + "<br>".join(browser.link(name=f"link{index}", href=href) for index, href in enumerate(hrefs)) + """<script>
        window.went = 0;
        addEventListener('click', event => /^\\s*java/i.test(event.target.getAttribute('href')) || event.preventDefault());</script>""")
    browser.tap("link0")
    browser.wait_for("went == 1", "the link's script")
    links = browser.written(*(f"link{index}" for index in range(len(hrefs))))
    assert {href: link for href, link in zip(hrefs, links) if link} == {}
    assert browser.events == []
    browser.assert_nothing_copied()


def test_an_area_of_a_map_is_a_link(browser):
    pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
    browser.open(f'<img id="image" src="{pixel}" width=80 height=80 usemap="#map" alt="">'
                 f'<map name="map">{browser.link(inside="", tag="area", shape="rect", coords="0,0,80,80")}</map>')
    browser.tap("image")
    browser.server.wait_for_store()
    assert stamped(browser.store("stays", "?<ed>")).match(browser.copied())
