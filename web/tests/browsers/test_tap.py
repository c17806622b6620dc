"""Every kind of tap copies the link and goes to the store."""

import pytest
from selenium.webdriver.common.actions.mouse_button import MouseButton
from selenium.webdriver.common.keys import Keys

from browser import BEFORE
from sessions import ALL, EACH_KIND, runs_in

pytestmark = runs_in(*EACH_KIND)


def test_a_tap_copies_the_link_and_goes_on_to_the_store(browser):
    browser.open(browser.link(data_referral_pack="gold"))
    before = browser.run("return Date.now()")
    browser.tap()
    assert browser.server.wait_for_store() == ["/stays/app/id1300230302"]
    referral = browser.referral()
    assert referral["referrer"] == "spring"
    assert referral["parameters"] == {"pack": "gold"}
    assert before <= referral["timestamp"] <= browser.run("return Date.now()")


def test_the_page_is_told_once(browser):
    browser.open(f'<div id="around">{browser.link()}</div>')
    browser.tap()
    assert browser.event() == {"link": browser.copied(), "copied": True, "on": "link", "composed": True}


def test_the_link_is_copied_as_text_and_as_an_address(browser):
    browser.open(browser.link() + '<p><input id="field" autofocus>')
    browser.tap()
    link = browser.copied()
    if browser.name == "webkit":
        assert {"text/plain", "text/uri-list"} <= set(browser.display.read("TARGETS").split())
        assert browser.display.read("text/uri-list").strip() == link
    else:  # the other browsers don't put URLs on the X clipboard, so a page reads them
        browser.run("""
            addEventListener('paste', event => { window.pasted = ['text/plain', 'text/uri-list'].map(type => event.clipboardData.getData(type)); });
            document.getElementById('field').focus();""")
        browser.press("v", holding=Keys.CONTROL)
        assert browser.wait_for("window.pasted", "a paste") == [link, link]


def test_enter_on_the_link_counts(browser):
    browser.open(browser.link())
    browser.run("document.getElementById('link').focus()")
    browser.press(Keys.ENTER)
    browser.server.wait_for_store()
    assert browser.referral()["referrer"] == "spring"


def test_a_tap_with_a_modifier_key_counts(browser):
    # The browser may do something else with such a tap than to follow the link.
    browser.open(browser.link() + "<script>addEventListener('click', event => event.preventDefault())</script>")
    for key, name in ((Keys.SHIFT, "shift"), (Keys.CONTROL, "control"), (Keys.ALT, "alt"), (Keys.META, "meta")):
        browser.forget()
        browser.run("document.getElementById('link').dataset.referrer = arguments[0]", name)
        browser.tap(keys=[key])
        assert browser.referral()["referrer"] == name


# WebKit's driver presses the other buttons but releases the first one, which makes a tap.
@runs_in(*(session for session in EACH_KIND if "webkit" not in session), long=[session for session in ALL if "webkit" not in session])
@pytest.mark.parametrize("button", [MouseButton.MIDDLE, MouseButton.RIGHT], ids=["middle", "right"])
def test_the_other_buttons_copy_nothing(browser, button):
    browser.open(browser.link() + "<script>addEventListener('contextmenu', event => event.preventDefault())</script>")
    browser.run("for (const type of ['auxclick', 'click']) addEventListener(type, () => { window.over = true; })")
    browser.tap(button=button)
    browser.wait_for("window.over", "the click's event")
    if button == MouseButton.MIDDLE:
        browser.server.wait_for_store()
    assert browser.events == []
    browser.assert_nothing_copied()


def test_a_click_event_of_another_button_copies_nothing(browser):
    # WebKit on Linux fires these, the others fire auxclick.
    browser.open(browser.link() + """<button id="button" onclick="for (const button of [1, 2]) document.getElementById('link').dispatchEvent(
        new MouseEvent('click', { button, bubbles: true, cancelable: true, composed: true })); window.over = true">go</button>""")
    browser.tap("button")
    browser.wait_for("window.over", "the button's click")
    assert browser.events == []
    browser.assert_nothing_copied()


def test_a_new_window_opens_with_the_link_copied(browser):
    browser.open(browser.link(target="_blank"))
    browser.tap()
    browser.server.wait_for_store()
    assert browser.referral()["referrer"] == "spring"


def test_each_tap_of_two_counts_and_the_later_one_stays(browser):
    browser.open(browser.link() + "<script>addEventListener('click', event => event.preventDefault())</script>")
    browser.tap(times=2)
    browser.wait_for("events.length == 2", "two events")
    assert all(event["copied"] for event in browser.events)
    assert browser.copied() == browser.events[1]["link"]


def test_a_click_by_script_within_a_gesture_counts(browser):
    browser.open(browser.link() + "<button id=button onclick='document.getElementById(\"link\").click()'>go</button>")
    browser.tap("button")
    browser.server.wait_for_store()
    assert browser.referral()["referrer"] == "spring"


def test_a_click_by_script_without_a_gesture_goes_to_the_store_and_says_that_nothing_was_copied(browser):
    browser.open(browser.link() + "<script>onload = () => document.getElementById('link').click()</script>")
    browser.server.wait_for_store()
    assert browser.event()["copied"] is False
    browser.assert_nothing_copied()


def test_a_tap_elsewhere_or_on_another_link_copies_nothing(browser):
    browser.open(f'<p id="text">text</p><a id="other" href="{browser.store()}">other</a>'
                 f'<div data-referrer="spring" data-referral-on="all"><a id="within" href="{browser.store()}">within</a></div>'
                 '<a id="nowhere" data-referrer="spring" data-referral-on="all">no address</a>')
    for element in ("text", "nowhere", "other", "within"):
        browser.tap(element)
    browser.server.wait_for_store(2)
    assert browser.events == []
    browser.assert_nothing_copied()


def test_on_other_devices_the_clipboard_is_left_alone(browser):
    browser.open(browser.link(data_referral_on=None) + browser.link(name="odd", data_referral_on="ALL"))
    for element in ("link", "odd"):
        browser.tap(element)
    browser.server.wait_for_store(2)
    assert len(browser.events) == (2 if browser.is_iphone else 0)
    assert (browser.display.read() == BEFORE) is not browser.is_iphone


AGENTS = [
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15", 5, True),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15", 0, False),
    ("Mozilla/5.0 (iPad; CPU OS 13_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148", 5, True),
    ("Mozilla/5.0 (iPod touch; CPU iPhone OS 13_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148", 5, True),
    ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36", 10, False),
    ("Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36", 5, False),
]  # an iPad that says it is a Mac, a Mac, an iPad, an iPod, Windows with touch, Android


def test_only_the_devices_that_install_from_the_store_copy(browser):
    browser.open(browser.link(data_referral_on=None))
    for agent, points, copies in AGENTS:
        browser.run("""
            const [userAgent, maxTouchPoints] = Array.from(arguments, value => ({ value, configurable: true }));
            Object.defineProperties(navigator, { userAgent, maxTouchPoints });
            events.length = 0;""", agent, points)
        browser.forget()
        browser.tap()
        browser.server.wait_for_store()
        assert [event["copied"] for event in browser.events] == [True] * copies, agent
