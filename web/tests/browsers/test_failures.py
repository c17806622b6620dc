"""Whatever is missing or forbidden, the link leads to the store and the page sees no error."""

import pytest
from selenium.webdriver.common.keys import Keys

from browser import decode

NO_EXEC = "document.execCommand = undefined;"
EXEC_THROWS = "document.execCommand = () => { throw new Error('no execCommand'); };"
EXEC_LIES = "document.execCommand = () => true;"
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });"
WRITE_THROWS = "navigator.clipboard.writeText = () => { throw new Error('no writeText'); };"
WRITE_REJECTS = "navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));"

# Listeners on window, added before the snippet's: only these can keep the snippet from copying.
SWALLOWS_COPY = "for (const type of ['copy', 'beforecopy']) addEventListener(type, event => event.stopImmediatePropagation(), true);"

MEDDLES = """
window.meddled = [];
for (const target of [window, document, document.documentElement]) for (const capture of [true, false])
  target.addEventListener('copy', event => {
    meddled.push(target.constructor.name + capture);
    event.clipboardData.setData('text/plain', 'Read more at our site');
    event.preventDefault();
  }, capture);
document.oncopy = () => false;"""


def open_and_tap(browser, before="", after="", body=""):
    browser.open(browser.link() + body, head=f"<script>{before}</script>{browser.script}<script>{after}</script>")
    browser.tap()
    browser.server.wait_for_store()


@pytest.mark.parametrize("exec_command", [NO_EXEC, EXEC_THROWS, EXEC_LIES, SWALLOWS_COPY],
                         ids=["missing", "throwing", "lying", "kept away"])
def test_without_execCommand_the_asynchronous_clipboard_takes_the_link(browser, exec_command):
    open_and_tap(browser, exec_command)
    assert decode(browser.copied())["referrer"] == "spring"
    assert browser.event() == {"link": browser.copied(), "copied": False, "on": "link", "composed": True}


def test_without_any_way_to_copy_the_event_says_so(browser):
    # All combinations within one gesture, in which a copy would be allowed.
    browser.open(browser.link() + '<button id="button">all</button>')
    browser.run("""
        const [copying, writing, whole] = arguments;
        addEventListener('click', event => event.preventDefault());
        document.getElementById('button').onclick = () => {
          window.copied = copying.flatMap(copy => writing.map(write => {
            eval(copy + write);
            document.getElementById('link').click();
            eval(whole);
            return [copy, write, ...events.splice(0).map(event => event.copied)];
          }));
        };""", [NO_EXEC, EXEC_THROWS, EXEC_LIES], [NO_CLIPBOARD, WRITE_THROWS, WRITE_REJECTS],
        "delete document.execCommand; delete navigator.clipboard; delete navigator.clipboard.writeText;")
    browser.tap("button")
    copied = browser.wait_for("window.copied", "the button's click")
    assert len(copied) == 9
    assert [case for case in copied if case[2:] != [False]] == []
    browser.assert_nothing_copied()
    browser.tap()
    assert browser.event()["copied"] is True, "everything is whole again"


@pytest.mark.parametrize("missing", [
    NO_CLIPBOARD, "TextEncoder = undefined;", "TextEncoder = class { constructor() { throw new Error(); } };",
    "delete globalThis.TextEncoder; delete globalThis.TextDecoder; delete globalThis.ClipboardItem;"])
def test_what_the_snippet_does_not_need_may_be_missing(browser, missing):
    open_and_tap(browser, missing)
    assert browser.event()["copied"] is True
    assert browser.referral()["referrer"] == "spring"


@pytest.mark.parametrize("missing", [
    "CustomEvent = undefined;", "URL = undefined;", "btoa = () => { throw new Error(); };", "Date.now = undefined;", "addEventListener = undefined;"])
def test_without_what_it_needs_the_link_is_an_ordinary_one(browser, missing):
    open_and_tap(browser, after=missing)


def test_a_page_that_meddles_with_copying_cannot_change_the_link(browser):
    open_and_tap(browser, after=MEDDLES)
    assert browser.event()["copied"] is True
    assert browser.referral()["referrer"] == "spring"
    # A listener on window can run before the snippet's, but the last listener's data is copied.
    assert browser.run("return meddled") in ([], ["Windowtrue"])


@pytest.mark.parametrize("failure", ["", EXEC_THROWS, EXEC_LIES], ids=["a copy", "a failure", "a lie"])
def test_after_a_tap_the_snippet_leaves_no_listener(browser, failure):
    open_and_tap(browser, failure, body="<p id=text>something else</p>")
    assert not browser.run("""
        const event = new Event('beforecopy', { bubbles: true, cancelable: true });
        document.body.dispatchEvent(event);
        return event.defaultPrevented""")
    browser.copied()  # a failure's copy comes later
    browser.forget()
    browser.run(MEDDLES + "getSelection().selectAllChildren(document.getElementById('text'))")
    browser.press("c", holding=Keys.CONTROL)
    assert browser.copied() == "Read more at our site"
    assert browser.run("return meddled")


@pytest.mark.parametrize("listener", [
    "document.addEventListener('click', event => event.preventDefault());",
    "addEventListener('click', event => event.preventDefault(), true);",
    "document.addEventListener('click', event => event.stopImmediatePropagation(), true);",
    "document.getElementById('link').onclick = () => false;",
], ids=["on the document", "in front of all", "behind the snippet's", "on the link"])
def test_a_page_that_navigates_by_script_still_copies_the_link(browser, listener):
    browser.open(browser.link() + f"""<script>{listener}
        addEventListener('click', event => {{ window.prevented = event.defaultPrevented; }});</script>""")
    browser.tap()
    assert browser.referral()["referrer"] == "spring"
    assert browser.event()["copied"] is True


def test_a_page_that_stops_clicks_on_window_has_ordinary_links(browser):
    open_and_tap(browser, "addEventListener('click', event => event.stopImmediatePropagation(), true);")
    assert browser.events == []
    browser.assert_nothing_copied()


def test_an_error_in_the_page_s_own_listener_changes_nothing(browser):
    browser.open(browser.link() + "<script>addEventListener('referral:copied', () => { throw new Error('of the page'); })</script>")
    browser.tap()
    browser.server.wait_for_store()
    assert browser.event()["copied"] is True
    [fault] = browser.faults
    assert "of the page" in fault
    browser.run("window.faults.length = 0")


def test_without_scripts_the_link_is_an_ordinary_one(browser):
    browser.open(browser.link(), Content_Security_Policy="script-src 'none'")
    browser.tap()
    browser.server.wait_for_store()
    browser.assert_nothing_copied()
