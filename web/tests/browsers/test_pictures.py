"""Pictures opened by themselves, as people may open a page's icon: none that the rules accept runs a script."""

import base64
import json
import time

import pytest

from server import WEB

CASES = json.loads((WEB.parent / "Tests/Vectors/pictures.json").read_text())["cases"]


def ran(browser, case):
    """Whether a script runs when the picture is opened and everything in it is clicked."""
    body = case["svg"].encode() if "svg" in case else base64.b64decode(case["base64"])
    # The picture itself says what its encoding is.
    browser.visit(browser.server.add(body, Content_Type="image/svg+xml"))
    browser.run("""
        for (const element of document.querySelectorAll('a, rect')) element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
        document.querySelector('[tabindex]')?.focus();""")
    # Until what isn't loaded has failed, and what is animated has ended.
    end = time.monotonic() + 0.25
    while not browser.run("return window.ran ?? null") and time.monotonic() < end:
        time.sleep(0.02)
    return bool(browser.run("return window.ran ?? null"))


def test_no_accepted_picture_runs_a_script(browser):
    if browser.is_iphone:
        pytest.skip("a user agent changes nothing here")
    accepted = [case for case in CASES if case["verdict"] == "accepted" and "svg" in case]
    assert len(accepted) > 20
    assert [case["name"] for case in accepted if ran(browser, case)] == []


def test_the_hostile_pictures_run_scripts(browser):
    # Otherwise the test above couldn't fail.
    if browser.is_iphone:
        pytest.skip("a user agent changes nothing here")
    hostile = [case for case in CASES if browser.name in case.get("runs", [])]
    assert len(hostile) > 20
    assert all(case["verdict"] == "refused" for case in hostile)
    assert [case["name"] for case in hostile if not ran(browser, case)] == []
