"""Old browsers copy only a selection. For them, the snippet selects a field beside the link."""

import pytest
from selenium.webdriver.common.keys import Keys

from browser import decode

# The field is the only input without an id.
NEEDS_A_SELECTION = """<script>
const execCommand = document.execCommand.bind(document);
window.fields = 0;
document.execCommand = command => {
  let focused = document.activeElement;
  while (focused.shadowRoot && focused.shadowRoot.activeElement) focused = focused.shadowRoot.activeElement;
  const isField = focused.localName == 'input' && !focused.id && focused.selectionStart < focused.selectionEnd;
  if (isField) {
    fields += 1;
    window.beside = focused.previousSibling.id;
  }
  return (isField || !getSelection().isCollapsed) && execCommand(command);
};
addEventListener('mousedown', event => event.preventDefault());
</script>"""


@pytest.fixture
def open_page(browser):
    return lambda body: browser.open(body, head=NEEDS_A_SELECTION + browser.script)


def assert_copied_from_the_field(browser):
    assert browser.event()["copied"] is True
    assert decode(browser.copied())["referrer"] == "spring"
    assert browser.run("return [fields, beside]") == [1, "link"]
    # The field is removed.
    assert browser.run("return document.querySelectorAll('input:not([id])').length") == 0


PLACES = {
    "page": "{}",
    "dialog": "<dialog>{}</dialog>",
    "dialog over another": "<dialog></dialog><dialog>{}</dialog>",
    "page without selecting": "<style>* {{ -webkit-user-select: none; user-select: none }}</style>{}",
    "list": "<ul style='display: flex'><li>{}</li></ul>",
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
def test_wherever_the_link_stands(browser, open_page, place):
    open_page(place.format(browser.link()) + "<script>document.querySelectorAll('dialog').forEach(dialog => dialog.showModal())</script>")
    browser.tap()
    assert_copied_from_the_field(browser)


def test_in_an_open_shadow_root(browser, open_page):
    open_page("<div id=host></div>")
    browser.run("""
        window.root = document.getElementById('host').attachShadow({ mode: 'open' });
        root.innerHTML = arguments[0];""", browser.link())
    browser.tap("root.getElementById('link')")
    assert_copied_from_the_field(browser)
    assert browser.run("return root.querySelectorAll('input').length") == 0


def test_a_selection_is_enough_for_the_first_try_and_stays(browser, open_page):
    open_page(f"<p id=text>one two</p>{browser.link()}")
    browser.run("getSelection().setBaseAndExtent(document.getElementById('text').firstChild, 5, document.getElementById('text').firstChild, 1)")
    browser.tap()
    assert browser.event()["copied"] is True
    assert browser.run("const { anchorOffset, focusOffset } = getSelection(); return [String(getSelection()), anchorOffset, focusOffset]") \
        == ["ne t", 5, 1]
    assert browser.run("return fields") == 0


def test_the_focus_stays_on_the_link(browser, open_page):
    open_page(browser.link())
    browser.run("document.getElementById('link').focus()")
    browser.press(Keys.ENTER)
    assert_copied_from_the_field(browser)
    assert browser.run("return document.activeElement.id") == "link"


@pytest.mark.parametrize("field", ["<input id=field value=abcdef>", "<textarea id=field>abcdef</textarea>"], ids=["input", "textarea"])
def test_the_caret_of_a_field_stays(browser, open_page, field):
    open_page(f"{field}<p>{browser.link()}")
    browser.run("const field = document.getElementById('field'); field.focus(); field.setSelectionRange(2, 2)")
    browser.tap()
    assert_copied_from_the_field(browser)
    browser.press("X")
    assert browser.run("return document.getElementById('field').value") == "abXcdef"


def test_the_scroll_of_the_page_and_of_a_box_in_it_stays(browser, open_page):
    open_page(f"""<style>.tall {{ height: 3000px }} #box {{ height: 300px; overflow: auto }}</style>
        <div class=tall></div><div id=box><div class=tall></div>{browser.link()}<div class=tall></div></div><div class=tall></div>""")
    before = browser.run("""
        document.getElementById('link').focus();
        document.getElementById('link').scrollIntoView({ block: 'center' });
        return window.scrolled = [scrollY, document.getElementById('box').scrollTop]""")
    assert all(before)
    browser.tap()
    assert_copied_from_the_field(browser)
    assert browser.run("return [scrollY, document.getElementById('box').scrollTop]") == before


def test_a_drawing_may_have_no_room_for_a_field_but_the_link_is_copied(browser, open_page):
    open_page("<svg>" + browser.link('<text y="20">Get Trestle</text>') + "</svg>")
    browser.tap()
    browser.server.wait_for_store()
    assert decode(browser.copied())["referrer"] == "spring"
    assert browser.run("return document.querySelectorAll('input').length") == 0
