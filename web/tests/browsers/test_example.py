"""The example page, `web/example.html`."""

import pytest

from browser import WITNESS, decode
from display import until


def tap(browser, query):
    browser.visit("/example.html" + query)
    # The page's policy allows only the driver's scripts.
    browser.run(WITNESS + "addEventListener('click', event => event.preventDefault())")
    browser.tap("store")


@pytest.mark.parametrize("query, referrer", [("", "spring-newsletter"), ("?ref=alice", "alice"), ("?ref=<b>%26", "<b>&")])
def test_it_shows_the_name_that_the_tap_copies(browser, query, referrer):
    tap(browser, query)
    assert browser.run("return document.getElementById('referrer').textContent") == referrer
    assert "pack=gold" in browser.run("return document.getElementById('note').innerText")
    if browser.is_iphone:
        until(lambda: "on your clipboard" in browser.run("return document.getElementById('status').textContent"), "the page to say so")
        referral = decode(browser.copied())
        assert (referral["referrer"], referral["parameters"]) == (referrer, {"pack": "gold"})
    else:
        assert browser.run("return document.getElementById('status').textContent") == ""
        browser.assert_nothing_copied()
