"""A site of several pages, or with a router, keeps the referrer of an address while the tab is open."""

import pytest

from browser import decode
from display import until
from sessions import ALL, DESKTOP, EACH_KIND, IPHONE, runs_in
from test_landing import CODE, CONTENTS, SIG, copied, is_shown, text, visit

SEARCH = "return location.search"


@pytest.fixture(autouse=True)
def forgets(browser):
    """The tab is another one for the next test."""
    yield
    browser.close_other_windows()
    browser.visit(browser.page(""))
    browser.run("sessionStorage.clear()")


def scripts(browser, attributes=""):
    return f'{browser.script}<script src="/referral-keep{".min" if browser.is_iphone else ""}.js" defer {attributes}></script>'


def store_link(browser, **attributes):
    return browser.link(**{"data_referrer_from": "via", "data_referrer_keep": "", **attributes})


def landed(browser, query, body="", head=None):
    """Opens a page of the site with a query, and leaves something else on the clipboard."""
    browser.open(body, query=query, head=scripts(browser) if head is None else head)


def go_to(browser, body, head=None, query=""):
    """Goes on to another page of the site by an ordinary link."""
    path = browser.page(body, head=scripts(browser) if head is None else head) + query
    browser.run("const a = document.body.appendChild(document.createElement('a')); a.id = 'next'; a.href = arguments[0]; a.textContent = 'next'", path)
    browser.tap("next")
    browser.wait_for(f"location.pathname + location.search.slice(0, {len(query)}) == {path!r} && document.readyState == 'complete'", "the next page")


def referrer(browser):
    browser.tap()
    return decode(browser.event()["link"])["referrer"]


@runs_in(*EACH_KIND)
def test_the_referrer_of_the_first_page_counts_on_the_next(browser):
    landed(browser, "?utm_source=mail&via=anna+%26&open=/b&x")
    go_to(browser, store_link(browser), query="?page=2")
    assert browser.run(SEARCH) == "?page=2&via=anna+%26&open=/b&x"
    assert len([path for path in browser.server.requests() if "anna" in path]) == 1, "nothing is sent but the first address"
    assert referrer(browser) == "anna &"


@pytest.mark.parametrize("head, attributes", [(None, {"data_referrer_keep": None}), ("", {})], ids=["attribute", "script"])
def test_without_the_attribute_or_the_script_nothing_is_kept(browser, head, attributes):
    head = head if head is None else browser.script
    landed(browser, "?via=anna", head=head)
    go_to(browser, store_link(browser, **attributes), head=head)
    assert browser.run(SEARCH) == ""
    assert referrer(browser) == "spring"


@pytest.mark.parametrize("query, expected, search", [
    ("?via=bob&a", "bob", "?via=bob&a"), ("?via=", "anna", "?via=anna"), ("?a=1&via&b", "anna", "?a=1&b&via=anna"),
    ("?xref=bob", "anna", "?xref=bob&via=anna"), ("#part?via=bob", "anna", "?via=anna"),
])
def test_another_referrer_in_the_address_replaces_it_and_an_empty_one_does_not(browser, query, expected, search):
    landed(browser, "?via=anna")
    landed(browser, query, store_link(browser))
    assert referrer(browser) == expected
    assert browser.run(SEARCH) == search
    assert browser.run("return location.hash") == (query if query.startswith("#") else "")


def test_a_page_without_a_referrer_ever_stays_as_it_is(browser):
    landed(browser, "?a=1", store_link(browser))
    assert referrer(browser) == "spring"
    assert browser.run(SEARCH) == "?a=1"
    assert browser.run("return sessionStorage.length") == 0


def test_a_script_that_runs_before_the_link_is_there_gives_it_back_at_the_tap(browser):
    landed(browser, "?via=anna")
    go_to(browser, store_link(browser), head=scripts(browser).replace(" defer", ""))
    assert browser.run(SEARCH) == ""
    assert referrer(browser) == "anna"


def test_a_router_changes_the_address_and_adds_the_link_later(browser):
    landed(browser, "?via=anna", '<p id="view"></p>')
    browser.run("history.pushState({ view: 7 }, '', '/pricing?plan=a#b'); document.getElementById('view').innerHTML = arguments[0]", store_link(browser))
    assert browser.run(SEARCH) == "?plan=a", "nothing changes before the tap"
    assert referrer(browser) == "anna"
    assert browser.run("return [location.pathname, location.search, location.hash, history.state.view]") == ["/pricing", "?plan=a&via=anna", "#b", 7]


def test_the_item_can_have_another_name_on_a_page_without_the_link(browser):
    landed(browser, "?via=bob&from=anna", head=scripts(browser, 'data-referrer-keep="from"'))
    go_to(browser, store_link(browser, data_referrer_from="from"))
    assert referrer(browser) == "anna"


def test_what_another_item_named_is_not_given_back(browser):
    landed(browser, "?from=anna", head=scripts(browser, 'data-referrer-keep="from"'))
    go_to(browser, store_link(browser))
    assert referrer(browser) == "spring"
    assert browser.run(SEARCH) == ""


def test_a_link_in_a_shadow_root_and_a_base_element_are_no_obstacles(browser):
    landed(browser, "?via=anna")
    go_to(browser, '<div id="host"></div>', head=scripts(browser) + '<base href="https://example.com/a/">')
    browser.run("document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = arguments[0]", store_link(browser))
    browser.tap("document.getElementById('host').shadowRoot.getElementById('link')")
    assert decode(browser.event()["link"])["referrer"] == "anna"


def test_without_storage_the_page_works_without_it(browser):
    landed(browser, "?via=anna")
    broken = "<script>for (const name of ['getItem', 'setItem']) Storage.prototype[name] = () => { throw Error(); };</script>"
    landed(browser, "", store_link(browser), head=broken + scripts(browser))
    assert referrer(browser) == "spring"
    landed(browser, "?via=bob", store_link(browser), head=broken + scripts(browser))
    assert referrer(browser) == "bob"


# WebKit's driver waits for a second window without an end.
@runs_in(DESKTOP, long=[session for session in ALL if "webkit" not in session])
def test_another_tab_knows_nothing(browser):
    path = browser.page(store_link(browser), head=scripts(browser))
    landed(browser, "?via=anna", f'<a id="other" href="{path}" target="_blank" rel="noopener">other</a>')
    browser.tap("other")
    until(lambda: len(browser.driver.window_handles) == 2, "the other tab")
    browser.driver.switch_to.window(browser.driver.window_handles[1])
    browser.wait_for(f"location.pathname == {path!r} && document.readyState == 'complete'", "its page")
    assert referrer(browser) == "spring"


# Landing pages

@runs_in(IPHONE, DESKTOP)
def test_a_landing_page_shows_what_is_kept_and_says_so(browser):
    options = ("--referrer", "spring", "--keep", "--language", "en,de")
    visit(browser, *options)
    assert not is_shown(browser, "kept")
    visit(browser, *options, query="?lang=de&via=anna")
    assert is_shown(browser, "kept")
    assert text(browser, "kept") == "Bis du diesen Tab schließt, merkt sich diese Website, wer dich geschickt hat."
    visit(browser, *options, query="?lang=en&x")
    assert is_shown(browser, "kept")
    assert text(browser, "kept") == "Until you close this tab, this site remembers who sent you."
    assert browser.run(SEARCH) == "?lang=en&x&via=anna"
    assert browser.run(CONTENTS) == ["anna"]
    assert copied(browser) in (None, ("anna", {}))
    # Firefox complains about a part of itself when a page that is loading changes its address.
    assert [line for line in browser.console() if "JSWindowActorChild" not in line] == []


def test_without_keep_a_landing_page_keeps_nothing(browser):
    visit(browser, "--referrer", "spring", query="?via=anna")
    assert browser.run("return sessionStorage.length") == 0
    visit(browser, "--referrer", "spring", "--keep")
    assert browser.run(CONTENTS) == ["spring"]


def test_a_signature_is_kept_with_all_that_it_signs(browser):
    options = ("--referrer", "spring", "--param", "pack=silver", "--keep")
    visit(browser, *options, query=f"?utm=1&via=anna&pack=gold&sig={SIG}&fbclid=9")
    visit(browser, *options)
    assert browser.run(CONTENTS) == ["anna", "pack=gold"]
    assert copied(browser) in (None, ("anna", {"pack": "gold", "sig": SIG}))


@runs_in(IPHONE, DESKTOP)
def test_an_invitation_is_kept_and_the_code_of_the_page_has_it(browser):
    visit(browser, "--invitations", "--keep", query="?via=" + CODE)
    visit(browser, "--invitations", "--keep")
    assert text(browser, "invite-code") == CODE
    if not browser.is_iphone:
        until(lambda: is_shown(browser, "phone"), "the code")
        assert browser.run("return decodeURIComponent(document.querySelector('#phone img').src).length") > 1000


def test_the_pages_of_a_site_and_its_landing_page_keep_it_for_each_other(browser):
    landed(browser, "?via=anna")
    visit(browser, "--referrer", "spring", "--keep")
    assert browser.run(CONTENTS) == ["anna"]
    visit(browser, "--keep", query="?via=bob")
    landed(browser, "", store_link(browser))
    assert referrer(browser) == "bob"
