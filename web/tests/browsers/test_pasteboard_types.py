"""What WebKit leaves beside an address tells who has copied it: `PasteboardProbe.copiedByAPage` in the library reads it silently.

WebKitGTK's own type is the counterpart of `com.apple.WebKit.custom-pasteboard-data`, and `text/uri-list` that of `public.url`.
"""

from selenium.webdriver.common.keys import Keys

from sessions import IPHONE, runs_in

pytestmark = runs_in(IPHONE, long=["webkit-as-it-is", "webkit-iphone"])

CUSTOM = "org.webkitgtk.WebKit.custom-pasteboard-data"
ADDRESS = "https://example.com/get?ref=spring"


def kinds(browser):
    """Which of the types that the probe looks at are on the clipboard."""
    browser.display.wait_for_copy()
    types = set(browser.display.read("TARGETS").split())
    return {"custom": CUSTOM in types, "address": "text/uri-list" in types, "formatted": "text/html" in types}


def test_a_tap_leaves_an_address_and_the_custom_type(browser):
    browser.open(browser.link())
    browser.tap()
    assert kinds(browser) == {"custom": True, "address": True, "formatted": False}


def test_a_selection_leaves_formatted_text_too(browser):
    browser.open(f'<p id="text">{ADDRESS}')
    browser.run("getSelection().selectAllChildren(document.getElementById('text'))")
    browser.press("c", holding=Keys.CONTROL)
    assert kinds(browser) == {"custom": True, "address": False, "formatted": True}


def test_a_field_leaves_text_alone(browser):
    browser.open(f'<input id="field" value="{ADDRESS}" autofocus>')
    browser.run("document.getElementById('field').select()")
    browser.press("c", holding=Keys.CONTROL)
    assert kinds(browser) == {"custom": False, "address": False, "formatted": False}


def test_text_that_a_script_copies_has_the_custom_type_alone(browser):
    browser.open(f"""<button id="button" onclick="navigator.clipboard.writeText('{ADDRESS}')">copy</button>""")
    browser.tap("button")
    assert kinds(browser) == {"custom": True, "address": False, "formatted": False}
