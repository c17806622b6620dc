"""The snippet leaves focus, selection, caret and scroll position as they were, and nothing of its own on the page."""

import pytest
from selenium.webdriver.common.keys import Keys

from sessions import EACH_KIND, runs_in

pytestmark = runs_in(*EACH_KIND)

# What a person would notice, recorded right before and right after the snippet acts.
RECORDER = """<script>
const state = () => {
  const { anchorNode, anchorOffset, focusNode, focusOffset, rangeCount } = getSelection();
  const active = document.activeElement;
  return [
    active.id, active.selectionStart, active.selectionEnd, active.selectionDirection, String(getSelection()),
    ...[[anchorNode, anchorOffset], [focusNode, focusOffset]].map(([node, offset]) => node && node.nodeName + offset),
    scrollX, scrollY, ...Array.from(document.querySelectorAll('*'), element => element.scrollTop),
    document.body.innerHTML,
  ];
};
const observer = new MutationObserver(() => {});
window.touched = [];
addEventListener('click', () => {
  window.before = state();
  observer.observe(document, { subtree: true, childList: true, attributes: true });
}, true);
for (const type of ['focusin', 'focusout', 'selectstart']) addEventListener(type, () => window.before && touched.push(type), true);
addEventListener('click', event => {
  window.after = state();
  touched.push(...observer.takeRecords().map(record => record.type));
  window.happened = events.length;
  event.preventDefault();
});
// So that a press on the link itself moves neither focus nor selection.
addEventListener('mousedown', event => { if (!event.target.id.includes('field')) event.preventDefault(); });
</script>"""


@pytest.fixture
def open_page(browser):
    return lambda body: browser.open(body, head=RECORDER + browser.script)


def assert_undisturbed(browser):
    assert browser.wait_for("window.happened", "the click to pass") == 1
    assert browser.event()["copied"] is True
    assert browser.referral()["referrer"] == "spring"
    before, after, touched = browser.run("return [before, after, touched]")
    assert after == before
    assert touched == []
    return before


@pytest.mark.parametrize("start, end", [((0, 2), (1, 4)), ((1, 4), (0, 2))], ids=["forwards", "backwards"])
def test_a_selection(browser, open_page, start, end):
    open_page(f"<p>one two</p><p>three four</p><p>{browser.link()}</p>")
    browser.run("""
        const [[from, fromOffset], [to, toOffset]] = arguments[0];
        const paragraphs = document.querySelectorAll('p');
        getSelection().setBaseAndExtent(paragraphs[from].firstChild, fromOffset, paragraphs[to].firstChild, toOffset);""", [start, end])
    browser.tap()
    assert "e two" in assert_undisturbed(browser)[4]


def test_a_selection_around_the_link(browser, open_page):
    open_page(f"<p id=all>one {browser.link()} two</p>")
    browser.run("getSelection().selectAllChildren(document.getElementById('all'))")
    browser.tap()
    assert assert_undisturbed(browser)[4] == "one Get Trestle two"


def test_no_selection(browser, open_page):
    open_page(browser.link())
    browser.run("getSelection().removeAllRanges()")
    browser.tap()
    assert_undisturbed(browser)


@pytest.mark.parametrize("field", ["<input id=field value=abcdef>", "<textarea id=field>abcdef</textarea>"], ids=["input", "textarea"])
def test_the_caret_of_a_field(browser, open_page, field):
    open_page(f"{field}<p>{browser.link()}")
    browser.run("const field = document.getElementById('field'); field.focus(); field.setSelectionRange(2, 2)")
    browser.tap()
    assert assert_undisturbed(browser)[:3] == ["field", 2, 2]
    browser.press("X")
    assert browser.run("return document.getElementById('field').value") == "abXcdef"


def test_the_selection_in_a_field(browser, open_page):
    open_page(f"<input id=field value=abcdef><p>{browser.link()}")
    browser.run("const field = document.getElementById('field'); field.focus(); field.setSelectionRange(1, 4, 'backward')")
    browser.tap()
    assert assert_undisturbed(browser)[:3] == ["field", 1, 4]


def test_the_caret_of_editable_text(browser, open_page):
    open_page(f"<div contenteditable id=field>abcdef</div><p>{browser.link()}")
    browser.run("const field = document.getElementById('field'); field.focus(); getSelection().collapse(field.firstChild, 2)")
    browser.tap()
    assert assert_undisturbed(browser)[0] == "field"
    browser.press("X")
    assert browser.run("return document.getElementById('field').textContent") == "abXcdef"


def test_the_focus_of_the_link(browser, open_page):
    open_page(browser.link())
    browser.run("document.getElementById('link').focus()")
    browser.press(Keys.ENTER)
    assert assert_undisturbed(browser)[0] == "link"


def test_the_focus_of_a_button_in_a_shadow_root(browser, open_page):
    open_page(f"<div id=host></div>{browser.link()}")
    browser.run("""
        window.root = document.getElementById('host').attachShadow({ mode: 'open' });
        root.innerHTML = '<button>focused</button>';
        root.querySelector('button').focus();""")
    browser.tap()
    assert assert_undisturbed(browser)[0] == "host"
    assert browser.run("return !!root.activeElement")


@pytest.mark.parametrize("place", [0, 0.5, 1], ids=["above", "here", "below"])
def test_the_scroll_of_the_page_and_of_a_box_in_it(browser, open_page, place):
    open_page(f"""<style>.tall {{ height: 3000px }} #box {{ height: 300px; overflow: auto }}</style>
        <div class=tall></div><div id=box><div class=tall></div>{browser.link()}<div class=tall></div></div><div class=tall></div>""")
    # By keyboard, because the link can be out of sight.
    browser.run("""
        const box = document.getElementById('box');
        const link = document.getElementById('link');
        link.focus();
        link.scrollIntoView({ block: 'center' });
        box.scrollTop += (arguments[0] - 0.5) * 1000;
        scrollBy(0, (arguments[0] - 0.5) * 1000);""", place)
    browser.press(Keys.ENTER)
    assert_undisturbed(browser)


def test_the_page_s_own_copying_afterwards(browser, open_page):
    open_page(f"<p id=text>something else</p>{browser.link()}")
    browser.tap()
    assert_undisturbed(browser)
    browser.forget()
    browser.run("getSelection().selectAllChildren(document.getElementById('text'))")
    browser.press("c", holding=Keys.CONTROL)
    assert browser.copied() == "something else"
