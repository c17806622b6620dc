"""Links in every place on a page."""

import pytest



def assert_tap_copies(browser, element="link"):
    browser.tap(element)
    assert browser.server.wait_for_store() == ["/stays/app/id1300230302"]
    assert browser.referral()["referrer"] == "spring"
    assert browser.event()["copied"] is True


INSIDE = {
    "text": "<b><i id=text>Get Trestle</i></b>",
    "image": '<img id="image" width="80" height="40" alt="Get Trestle">',
    "drawing": '<svg id="drawing" width="80" height="40"><rect width="80" height="40"/></svg>',
    "icon": '<svg width="80" height="40"><use id="icon" href="#symbol" xlink:href="#symbol"/></svg>',
    "data": '<span id="data" data-referrer="nobody" data-referrer-from="x">Get Trestle</span>',
}


def test_a_link_with_an_element_inside(browser):
    browser.open('<svg width="0" height="0"><symbol id="symbol"><rect width="80" height="40"/></symbol></svg>'
                 + "".join(browser.link(inside, name=f"link-{kind}", data_referrer=kind) for kind, inside in INSIDE.items()))
    for kind in INSIDE:
        browser.forget()
        browser.tap(kind)
        assert browser.server.wait_for_store() == ["/stays/app/id1300230302"]
        assert browser.referral()["referrer"] == kind
    assert [(event["on"], event["copied"]) for event in browser.events] == [(f"link-{kind}", True) for kind in INSIDE]


def test_a_link_added_later(browser):
    browser.open('<div id="later"></div>')
    browser.run("document.getElementById('later').innerHTML = arguments[0]", browser.link())
    assert_tap_copies(browser)


def test_a_link_whose_attributes_come_later(browser):
    browser.open(f'<a id="link" href="{browser.store()}">Get Trestle</a>')
    browser.run("Object.assign(document.getElementById('link').dataset, { referrer: 'spring', referralOn: 'all' })")
    assert_tap_copies(browser)


def shadow(browser, mode, shadow, light=""):
    browser.open(f'<div id="host">{light}</div>')
    browser.run("""
        window.root = document.getElementById('host').attachShadow({ mode: arguments[0] });
        root.innerHTML = arguments[1];""", mode, shadow)


def test_a_link_in_an_open_shadow_root(browser):
    shadow(browser, "open", browser.link("<b>Get Trestle</b>"))
    assert_tap_copies(browser, "root.querySelector('b')")


def test_a_link_around_what_is_slotted_into_it(browser):
    shadow(browser, "open", browser.link("<slot></slot>"), "<b id=inner>Get Trestle</b>")
    assert_tap_copies(browser, "inner")


@pytest.mark.parametrize("mode", ["open", "closed"])
def test_a_link_around_a_shadow_root(browser, mode):
    browser.open(browser.link('<span id="host"></span>'))
    browser.run("document.getElementById('host').attachShadow({ mode: arguments[0] }).innerHTML = '<b>Get Trestle</b>'", mode)
    assert_tap_copies(browser, "host")


def test_a_link_in_a_closed_shadow_root_is_an_ordinary_one(browser):
    # The snippet's listener is outside, where the link is hidden.
    shadow(browser, "closed", browser.link())
    browser.tap("root.getElementById('link')")
    browser.server.wait_for_store()
    assert browser.events == []
    browser.assert_nothing_copied()


def test_a_link_in_a_modal_dialog(browser):
    browser.open(f"<dialog id=dialog>{browser.link()}</dialog><script>document.getElementById('dialog').showModal()</script>")
    assert_tap_copies(browser)


def test_a_link_in_a_dialog_over_another(browser):
    browser.open(f"""<dialog id=lower>{browser.link(name="behind")}</dialog><dialog id=upper>{browser.link()}</dialog>
        <script>for (const name of ['lower', 'upper']) document.getElementById(name).showModal()</script>""")
    assert_tap_copies(browser)


def test_a_link_on_a_full_screen(browser):
    browser.open(f"""<div id="screen">{browser.link()}</div>
        <button id="button" onclick="document.getElementById('screen').requestFullscreen()">full</button>""")
    browser.tap("button")
    browser.wait_for("!!document.fullscreenElement", "the full screen")
    try:
        assert_tap_copies(browser)
    finally:
        browser.run("return document.fullscreenElement && document.exitFullscreen()")
        browser.wait_for("!document.fullscreenElement", "the window")


def test_a_link_that_cannot_be_selected(browser):
    browser.open("<style>* { -webkit-user-select: none !important; user-select: none !important }</style>" + browser.link())
    assert_tap_copies(browser)


def test_a_link_in_editable_text(browser):
    # In editable text a click follows a link only when the page allows it.
    browser.open(f'<div contenteditable><span contenteditable="false">{browser.link()}</span></div>')
    assert_tap_copies(browser)
