"""The link is copied before the navigation, however fast or slow the store answers."""

import base64
import json

import pytest

from browser import BEFORE, decode
from server import APP
from sessions import EACH_KIND, long, runs_in

pytestmark = runs_in(*EACH_KIND)


def referrer_of(link):
    ed = link.split("ed=")[1]
    return json.loads(base64.urlsafe_b64decode(ed + "=" * (-len(ed) % 4)))["referrer"]


# Whether the page goes too soon doesn't depend on what the browser says it is.
@runs_in(*EACH_KIND, long=EACH_KIND)
@pytest.mark.parametrize("count", [10, pytest.param(100, marks=long)])
def test_taps_in_a_row_on_a_link_whose_target_answers_at_once(browser, count):
    # The target is the same page again, with the next link on it.
    script = f"""<script>
        const turn = 1 + Number(new URLSearchParams(location.search).get('turn') || 0);
        link.dataset.referrer = `tap-${{turn}}`;
        link.href = `{APP}?turn=${{turn}}`;
    </script>"""
    path = browser.page(browser.link() + script)
    browser.server.add(browser.server.page(path), path=APP)
    browser.visit(path)
    links = []
    for turn in range(1, count + 1):
        browser.tap()
        browser.wait_for(f"location.search + document.readyState == '?turn={turn}complete'", "the next page")
        links.append(browser.display.read())
    assert [referrer_of(link) for link in links] == [f"tap-{turn}" for turn in range(1, count + 1)]
    assert decode(*links)["index"] == count - 1


@pytest.mark.parametrize("manner", ["answers", "redirects", "dawdles"])
def test_the_link_is_copied_whatever_the_store_answers(browser, manner):
    before = []
    browser.server.meanwhile = lambda: before.append(browser.referral()["referrer"])
    browser.open(browser.link(href=browser.store(manner)))
    browser.tap()
    assert browser.server.wait_for_store()[0] == f"/{manner}{APP}"
    browser.wait_for("document.title == 'store'", "the store")
    assert before == ["spring"] * (manner == "dawdles")
    assert browser.referral()["referrer"] == "spring"


def test_back_from_the_store_the_link_copies_again(browser):
    browser.open(browser.link(href=browser.store("answers")))
    taps = []
    for _ in range(2):
        browser.tap()
        browser.wait_for("document.title == 'store'", "the store")
        taps.append(browser.referral()["timestamp"])
        browser.driver.back()
        browser.wait_for("document.title == 'page' && document.readyState == 'complete'", "the page")
        browser.display.put(BEFORE)
    assert taps[0] < taps[1]
