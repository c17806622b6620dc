"""Every kind of tap copies the link and goes to the store."""

import pytest
from selenium.webdriver.common.actions.mouse_button import MouseButton
from selenium.webdriver.common.keys import Keys

from browser import BEFORE
from display import until


def test_a_tap_copies_the_link_and_goes_on_to_the_store(browser):
    browser.open(browser.link(data_referral_pack="gold"))
    browser.tap()
    assert browser.server.wait_for_store() == ["/stays/app/id1300230302"]
    referral = browser.referral()
    assert referral["referrer"] == "spring"
    assert referral["parameters"] == {"pack": "gold"}
    assert 0 <= referral["ageMilliseconds"] < 10_000


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
        assert until(lambda: browser.run("return window.pasted"), "a paste") == [link, link]


def test_enter_on_the_link_counts(browser):
    browser.open(browser.link())
    browser.run("document.getElementById('link').focus()")
    browser.press(Keys.ENTER)
    browser.server.wait_for_store()
    assert browser.referral()["referrer"] == "spring"


@pytest.mark.parametrize("key", [Keys.SHIFT, Keys.CONTROL, Keys.ALT, Keys.META], ids=["shift", "control", "alt", "meta"])
def test_a_tap_with_a_modifier_key_counts(browser, key):
    # The browser may do something else with such a tap than to follow the link.
    browser.open(browser.link() + "<script>addEventListener('click', event => event.preventDefault())</script>")
    browser.tap(keys=[key])
    assert browser.referral()["referrer"] == "spring"


# WebKit's driver presses the other buttons but releases the first one, which makes a tap.
@pytest.mark.parametrize("button", [MouseButton.MIDDLE, MouseButton.RIGHT], ids=["middle", "right"])
def test_the_other_buttons_copy_nothing(browser, button):
    if browser.name == "webkit":
        pytest.skip("its driver cannot press this button alone")
    browser.open(browser.link() + "<script>addEventListener('contextmenu', event => event.preventDefault())</script>")
    browser.run("for (const type of ['auxclick', 'click']) addEventListener(type, () => { window.over = true; })")
    browser.tap(button=button)
    until(lambda: browser.run("return window.over"), "the click's event")
    if button == MouseButton.MIDDLE:
        browser.server.wait_for_store()
    assert browser.events == []
    browser.assert_nothing_copied()


@pytest.mark.parametrize("button", [1, 2])
def test_a_click_event_of_another_button_copies_nothing(browser, button):
    # WebKit on Linux fires these, the others fire auxclick.
    browser.open(browser.link() + f"""<button id="button" onclick="document.getElementById('link').dispatchEvent(
        new MouseEvent('click', {{ button: {button}, bubbles: true, cancelable: true, composed: true }})); window.over = true">go</button>""")
    browser.tap("button")
    until(lambda: browser.run("return window.over"), "the button's click")
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
    until(lambda: len(browser.events) == 2, "two events")
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


@pytest.mark.parametrize("agent, points, copies", [
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15", 5, True),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15", 0, False),
    ("Mozilla/5.0 (iPad; CPU OS 13_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148", 5, True),
    ("Mozilla/5.0 (iPod touch; CPU iPhone OS 13_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148", 5, True),
    ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36", 10, False),
    ("Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36", 5, False),
], ids=["iPad that says it is a Mac", "Mac", "iPad", "iPod", "Windows with touch", "Android"])
def test_only_the_devices_that_install_from_the_store_copy(browser, agent, points, copies):
    browser.open(browser.link(data_referral_on=None), head=f"""<script>
        Object.defineProperties(navigator, {{ userAgent: {{ value: '{agent}' }}, maxTouchPoints: {{ value: {points} }} }});
        </script>{browser.script}""")
    browser.tap()
    browser.server.wait_for_store()
    assert [event["copied"] for event in browser.events] == ([True] if copies else [])
