"""The copied link is the address of the page's link, with ed added."""

import re

import pytest

from display import until

ED = r"ed=[\w-]+"


def stamped(address):
    """A pattern for an address with <ed> for the item."""
    return re.compile("^" + re.escape(address).replace("<ed>", ED) + "$")


@pytest.mark.parametrize("query, expected", [
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
])
def test_the_other_items_stay_byte_for_byte(browser, query, expected):
    browser.open(browser.link(href=browser.store() + query))
    browser.tap()
    assert stamped(browser.store() + expected).match(browser.copied())


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


def open_and_tap(browser, link):
    browser.open(f"""<base href="https://base.example/a/b">{link}
        <script>addEventListener('click', event => event.preventDefault())</script>""")
    browser.tap()


@pytest.mark.parametrize("href, expected", HREFS)
def test_an_absolute_address_stays_and_a_relative_one_is_resolved(browser, href, expected):
    open_and_tap(browser, browser.link(href=href))
    assert stamped(expected).match(browser.copied())


@pytest.mark.parametrize("attribute", ["href", "xlink:href"])
@pytest.mark.parametrize("href, expected", [HREFS[0], HREFS[7], HREFS[11]])
def test_the_same_for_a_link_in_SVG(browser, attribute, href, expected):
    link = browser.link('<text y="20">Get Trestle</text>', href="HREF").replace('href="HREF"', f'{attribute}="{href}"')
    open_and_tap(browser, f"<svg>{link}</svg>")
    assert stamped(expected).match(browser.copied())
    assert browser.event()["on"] == "link"


@pytest.mark.parametrize("href", [
    "javascript:window.went = true", " JavaScript:void (window.went = true)", "javascript://apps.apple.com/%0Awindow.went = true",
    "mailto:a@b.example", "tel:1", "data:text/plain,https://apps.apple.com/", "blob:https://apps.apple.com/1", "#top",
    "itms-services://?action=download-manifest", "about:blank", "https://[", "https://"])
def test_other_addresses_are_never_copied(browser, href):
    # On a page without a web address, a fragment resolves to no web address either.
    browser.open('<base href="about:blank">' + browser.link(href=href)
                 + "<script>addEventListener('click', event => /^\\s*java/i.test(event.target.getAttribute('href')) || event.preventDefault())</script>")
    browser.tap()
    if "java" in href.lower():
        until(lambda: browser.run("return window.went"), "the link's script")
    assert browser.events == []
    browser.assert_nothing_copied()


def test_an_area_of_a_map_is_a_link(browser):
    pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
    browser.open(f'<img id="image" src="{pixel}" width=80 height=80 usemap="#map" alt="">'
                 f'<map name="map">{browser.link(inside="", tag="area", shape="rect", coords="0,0,80,80")}</map>')
    browser.tap("image")
    browser.server.wait_for_store()
    assert stamped(browser.store("stays", "?<ed>")).match(browser.copied())
