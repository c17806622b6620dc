"""The example page, `web/example.html`."""

import base64
import re

import pytest

from browser import WITNESS, decode
from sessions import DESKTOP, IPHONE, runs_in


def tap(browser, query):
    browser.visit("/example.html" + query)
    # The page's policy allows only the driver's scripts.
    browser.run(WITNESS + "addEventListener('click', event => event.preventDefault())")
    browser.tap("store")


@runs_in(IPHONE, DESKTOP)
@pytest.mark.parametrize("query, referrer", [("", "spring-newsletter"), ("?via=alice", "alice"), ("?via=<b>%26", "<b>&")])
def test_it_shows_the_name_that_the_tap_copies(browser, query, referrer):
    tap(browser, query)
    assert browser.run("return document.getElementById('referrer').textContent") == referrer
    assert "pack=gold" in browser.run("return document.getElementById('note').textContent")
    if browser.is_iphone:
        browser.wait_for("document.getElementById('status').textContent.includes('on your clipboard')", "the page to say so")
        referral = decode(browser.copied())
        assert (referral["referrer"], referral["parameters"]) == (referrer, {"pack": "gold"})
    else:
        assert browser.run("return document.getElementById('status').textContent") == ""
        browser.assert_nothing_copied()


@runs_in(DESKTOP, long=[DESKTOP])
def test_printed_it_is_one_sheet_of_paper(browser):
    browser.visit("/example.html")
    assert len(re.findall(rb"/Type /Page\b", base64.b64decode(browser.driver.print_page()))) == 1
