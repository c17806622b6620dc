"""Links in frames, on plain http, and without permission to write the clipboard."""

import pytest

from server import Server, plain_host
from sessions import EACH_KIND, runs_in

pytestmark = runs_in(*EACH_KIND)


def assert_tap_copies(browser, referrer="spring"):
    browser.tap()
    browser.server.wait_for_store()
    assert browser.referral()["referrer"] == referrer
    assert browser.event()["copied"] is True


@pytest.fixture(autouse=True)
def out_of_the_frame(browser):
    yield
    assert browser.faults == []
    browser.driver.switch_to.default_content()


FRAMES = {"plain": "", "sandbox": "sandbox='allow-scripts'", "sandbox_of_its_site": "sandbox='allow-scripts allow-same-origin'",
         "forbidden": "allow=\"clipboard-write 'none'\""}


@pytest.mark.parametrize("other", [False, True], ids=["own site", "other site"])
def test_a_link_in_a_frame(browser, other):
    origin = browser.server.other_origin if other else browser.server.origin
    browser.open("".join(f'<iframe id="{kind}" src="{origin}{browser.page(browser.link(data_referrer=kind))}" {attributes}></iframe>'
                         for kind, attributes in FRAMES.items()), head="")
    for kind in FRAMES:
        browser.forget()
        browser.inside(kind)
        assert_tap_copies(browser, kind)
        assert browser.faults == []
        browser.driver.switch_to.default_content()


def test_a_link_in_a_frame_without_an_address(browser):
    inner = browser.page(browser.link())
    browser.open('<iframe id="frame"></iframe>', head="")
    browser.run("""
        const done = fetch(arguments[0]).then(answer => answer.text()).then(page => { document.getElementById('frame').srcdoc = page; });
        return done;""", inner)
    browser.inside()
    assert_tap_copies(browser)


def test_a_policy_against_writing_the_clipboard(browser):
    browser.open(browser.link(), Permissions_Policy="clipboard-write=()")
    assert_tap_copies(browser)


def test_plain_http(browser):
    plain = Server(plain_host())
    try:
        path = browser.page(browser.link())
        plain.add(browser.server.page(path), path=path)
        browser.visit(path, plain.origin)
        assert browser.run("return isSecureContext || 'clipboard' in navigator") is False, "browsers have no clipboard API here"
        assert_tap_copies(browser)
    finally:
        browser.visit(browser.page("", head=""))
        plain.close()
