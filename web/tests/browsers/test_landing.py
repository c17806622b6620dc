"""Landing pages as `referral-tool page` makes them, in browsers."""

import base64
import hashlib
import json
import re
import subprocess
from urllib.parse import quote

import pytest
from axe_core_python.selenium import Axe
from selenium.webdriver.common.keys import Keys

from browser import WITNESS, tool
from display import until
from server import WEB
from sessions import DESKTOP, EACH_KIND, IPHONE, runs_in

# The snippet's own rules are tested elsewhere, in each kind.
INJECTIONS = ['</script><b>&"', "</title><img src=x onerror=alert(1)>", "\" onclick=\"alert(1)\" x=\"", "<!--", "'><script>alert(1)</script>"]
ICON = WEB / "example-icon.svg"
ADDRESSES = json.loads((WEB.parent / "Tests/Vectors/landing-addresses.json").read_text())
SENTENCES = json.loads((WEB / "landing-sentences.json").read_text())

# On a page the store of these tests is not the App Store, as no test may leave this machine.
STORE = "https://apps.apple.com/app/id1300230302"


def make(*options, name="Trestle"):
    """A landing page."""
    return tool("page", "--page", STORE, "--name", name, *options)


def visit(browser, *options, query="", change=lambda page: page, name="Trestle"):
    """Opens a landing page whose links lead to the server's store."""
    page = make(*options, name=name).replace(f'"{STORE}"', f'"{browser.store()}"')
    browser.console()
    browser.visit(browser.server.add(change(page)) + query)
    browser.run(WITNESS)
    return page


def text(browser, name):
    return browser.run("return document.getElementById(arguments[0]).textContent", name)


def is_shown(browser, name):
    return browser.run("return !!document.getElementById(arguments[0])?.getClientRects().length", name)


# The tap

@runs_in(IPHONE, DESKTOP)
@pytest.mark.parametrize("options, query, referrer", [
    (("--referrer", "spring"), "", "spring"),
    (("--referrer", "spring"), "?via=anna", "anna"),
    ((), "?via=anna%20%26+co&x=1#y", "anna & co"),
    (("--referrer-item", "from"), "?via=anna&from=bert", "bert"),
])
def test_the_button_copies_a_link_with_the_referrer(browser, options, query, referrer):
    visit(browser, *options, "--param", "levelSet=a\"b", query=query)
    assert text(browser, "referrer") == referrer
    assert is_shown(browser, "note")
    browser.tap("store")
    browser.server.wait_for_store()
    if browser.is_iphone:
        found = browser.referral()
        assert (found["referrer"], found["parameters"]) == (referrer, {"levelSet": 'a"b'})
        assert text(browser, "status") == "The link is on your clipboard. Open Trestle within five minutes; it may ask to paste."
    else:
        browser.assert_nothing_copied()
        assert text(browser, "status") == ""


@pytest.mark.parametrize("tag", SENTENCES)
def test_the_answer_stands_below_the_button_and_moves_nothing(browser, tag):
    visit(browser, "--referrer", "spring", "--icon", str(ICON), "--language", tag)
    browser.run("document.querySelector('main').style.width = '320px' /* the policy allows this */")
    places = "return [...document.querySelectorAll('main :not([role=status])')].map(element => element.getBoundingClientRect().top)"
    before = browser.run(places)
    browser.tap("store")
    browser.server.wait_for_store()
    if browser.is_iphone:
        browser.wait_for("document.getElementById('status').textContent", "the page to say that it copied")
        assert browser.run("""
            const [button, answer] = ['store', 'status'].map(name => document.getElementById(name).getBoundingClientRect());
            return answer.top - button.bottom;""") < 44
        assert browser.run("return getComputedStyle(document.getElementById('note')).visibility") == "hidden"
        browser.run("const status = document.getElementById('status'); status.textContent = status.dataset.failed")
    assert browser.run(places) == before


def test_the_second_link_goes_to_the_store_and_copies_nothing(browser):
    visit(browser, "--referrer", "spring")
    browser.tap("document.querySelector('.plain')")
    assert browser.server.wait_for_store() == ["/stays/app/id1300230302"]
    assert browser.events == []
    browser.assert_nothing_copied()
    assert text(browser, "status") == ""


def test_without_a_referrer_the_page_copies_nothing_and_mentions_no_copy(browser):
    visit(browser)
    assert not is_shown(browser, "copying")
    browser.tap("store")
    browser.server.wait_for_store()
    assert browser.events == []
    browser.assert_nothing_copied()


def test_with_a_referrer_too_long_the_page_copies_nothing_and_mentions_no_copy(browser):
    visit(browser, "--referrer", "spring", query="?via=" + "a" * 9000)
    assert not is_shown(browser, "copying")
    browser.tap("store")
    browser.server.wait_for_store()
    browser.assert_nothing_copied()


@pytest.mark.parametrize("tag", SENTENCES)
def test_a_tap_that_may_have_copied_nothing_says_so(browser, tag):
    visit(browser, "--referrer", "spring", "--language", tag)
    browser.run("document.execCommand = navigator.clipboard.writeText = () => { throw Error(); }")
    browser.tap("store")
    browser.server.wait_for_store()
    if browser.is_iphone:
        assert until(lambda: text(browser, "status"), "the sentence") == SENTENCES[tag]["failed"]
        browser.assert_nothing_copied()
    else:
        assert text(browser, "status") == ""


def test_a_screen_reader_hears_what_the_button_copies(browser):
    visit(browser, "--referrer", "spring")
    assert browser.run("""
        const store = document.getElementById('store');
        return document.getElementById(store.getAttribute('aria-describedby')).textContent.includes('spring');""")


def test_with_parameters_too_long_the_page_mentions_no_copy(browser):
    visit(browser, "--param", "levelSet=" + "x" * 5000, query="?via=" + "a" * 4000)
    assert not is_shown(browser, "copying")
    browser.tap("store")
    browser.server.wait_for_store()
    browser.assert_nothing_copied()
    visit(browser, "--param", "levelSet=" + "x" * 5000, query="?via=" + "a" * 3000)
    assert is_shown(browser, "copying")


def test_a_long_name_is_shown_cut_off_and_copied_whole(browser):
    visit(browser, query="?via=" + "%F0%9F%98%80" * 100)
    assert text(browser, "referrer") == "😀" * 60 + "…"
    browser.tap("store")
    browser.server.wait_for_store()
    if browser.is_iphone:
        assert browser.referral()["referrer"] == "😀" * 100


# What is signed

UNTIL = "1799999999999"
DAY = "2027-01-15"
SIG = 42 * "A-" + "_w"
CONTENTS = "return Array.from(document.querySelectorAll('#note code'), code => code.textContent)"
ATTRIBUTES = "return { ...document.getElementById('store').dataset }"


def copied(browser):
    """The referrer and the parameters that a tap copies, or None where it copies nothing."""
    if not browser.is_iphone:
        return None
    browser.tap("store")
    found = browser.referral()
    return found["referrer"], found["parameters"]


def test_a_signed_address_replaces_the_page_s_parameters(browser):
    visit(browser, "--referrer", "spring", "--param", "pack=silver", "--param", "theme=dark",
          query=f"?pack=no&sig={SIG}&via=anna&pack=gold&levelSet=%3Cb%3E+%26&via=x&name.2=" + "y" * 80
          + f"&on=all&Theme=x&a-b=x&__proto__=x&%C3%A9=x&=x&timestamp=1&sig=no&until={UNTIL}&sig={SIG}&fbclid=9&sig={SIG}")
    signed = {"pack": "gold", "levelSet": "<b> &", "via": "x", "name.2": "y" * 80}
    assert browser.run(CONTENTS) == ["anna", "pack=gold", "levelSet=<b> &", "via=x", "name.2=" + "y" * 53 + "…", f"until={DAY}"]
    assert copied(browser) in (None, ("anna", {**signed, "until": UNTIL, "sig": SIG}))
    assert "referralOn" not in browser.run(ATTRIBUTES)
    assert is_shown(browser, "signature") and text(browser, "signature") == "signature"


def test_a_damaged_signature_is_handed_on_for_the_app_to_refuse(browser):
    for damaged in (SIG[:-1], SIG + "x", SIG[:64], SIG[:-1] + "x"):
        visit(browser, "--referrer", "spring", "--param", "pack=silver", query=f"?via=anna&pack=gold&sig={damaged}")
        assert browser.run(CONTENTS) == ["anna", "pack=gold", f"sig={damaged[:56]}…"]
        assert copied(browser) in (None, ("anna", {"pack": "gold", "sig": damaged}))


@pytest.mark.parametrize("case", ADDRESSES["cases"], ids=lambda case: case["name"])
def test_the_page_reads_its_address_as_the_app_does(browser, case):
    # The app's tests use the same file.
    visit(browser, "--referrer", "spring", "--param", "pack=silver", "--item", "open", "--referrer-item", "ref", query=case["query"])
    assert copied(browser) in (None, (case["referrer"], case["parameters"]))
    assert len(browser.run(CONTENTS)) - 1 == len([name for name in case["parameters"] if name != "sig" or not is_shown(browser, "signature")])


def test_a_page_reads_the_referrer_in_its_path(browser):
    page = make("--referrer", "spring", "--invitations", "--count-to", "/count").replace(
        'data-referrer-from="via"', 'data-referrer-from="/for/*"').replace(f'"{STORE}"', f'"{browser.store()}"')
    for path, query, referrer in [("/for/zo%C3%AB", "?via=bob", "zoë"), ("/for/4F7K-9Q2M-XRKQ", "", "4F7K-9Q2M-XRKQ"), ("/for/a/b", "?via=bob", "spring")]:
        browser.visit(browser.server.add(page, path=path) + query)
        browser.run(WITNESS)
        assert text(browser, "referrer") == referrer
        assert is_invited(browser) == (referrer == "4F7K-9Q2M-XRKQ")
        until(lambda: browser.server.posts(), "the view")
        assert browser.server.posts() == [f"/count?event=view&via={quote(referrer)}"]
        assert copied(browser) in (None, (referrer, {}))


def test_a_referrer_cannot_turn_the_page_s_own_sentence_around(browser):
    # The end of an isolate, and an override from right to left.
    referrer = "a\u2069\u202eb\u0007\u2028" + "é" * 3
    visit(browser, query=f"?via={quote(referrer)}&open=x")
    assert browser.run(CONTENTS) == ["a\\u{2069}\\u{202E}b\\u{7}\\u{2028}ééé"]
    assert copied(browser) in (None, (referrer, {}))


def test_other_items_named_sig_are_no_signature(browser):
    visit(browser, "--referrer", "spring", "--param", "pack=silver", query="?via=anna&pack=gold&utm_source=mail&sig=2024&sig="
          + "a" * 43 + f"%3D&sig={SIG[:63]}&sig={SIG[:63]}.&sig={SIG[:-1]}.x&sig={SIG}%2B&sig={'0123456789abcdefABCDEF' * 4}"
        + f"&sig={'0123456789abcdefABCDEF' * 4}.&sig={SIG * 2}&sig={SIG * 2}.&sig={SIG}{'-' * 43}&sig=.{SIG}")
    assert browser.run(CONTENTS) == ["anna", "pack=silver"]
    assert copied(browser) in (None, ("anna", {"pack": "silver"}))


def test_thousands_of_items_before_a_signature_delay_no_tap(browser):
    # Too much for a link, so nothing is copied. Chromium takes seconds for so many attributes.
    query = "?via=anna&" + "&".join(f"a{index}=" for index in range(6000)) + f"&sig={SIG}"
    visit(browser, "--referrer", "spring", "--param", "pack=silver", query=query)
    assert browser.run("return document.getElementById('store').attributes.length") < 1300
    assert not is_shown(browser, "copying")
    browser.tap("store")
    browser.server.wait_for_store()
    browser.assert_nothing_copied()


def test_nothing_hides_behind_a_signature(browser):
    visit(browser, query=f"?via=anna&until=his%20number%20is%20555&sig={SIG}")
    assert browser.run(CONTENTS) == ["anna", "until=his number is 555"]
    assert is_shown(browser, "signature")
    visit(browser, "--referrer", "spring", "--param", "sig=Anna Smith", "--param", f"until={UNTIL}")
    assert not is_shown(browser, "signature")
    assert browser.run(CONTENTS) == ["spring", "sig=Anna Smith", f"until={UNTIL}"]


def test_without_a_signature_in_the_address_the_page_s_own_is_for_its_own_referrer(browser):
    own = {"pack": "silver", "sig": SIG, "until": UNTIL}
    for query, referrer, parameters in [
        ("", "spring", own),
        ("?via=spring&x=y", "spring", own),
        ("?via=&sig", "spring", own),
        (f"?sig={SIG}&via=anna&pack=gold", "anna", {"pack": "silver"}),
    ]:
        visit(browser, "--referrer", "spring", "--param", "pack=silver", query=query, change=lambda page: page.replace(
            " data-referral-pack=", f' data-referral-sig="{SIG}" data-referral-until="{UNTIL}" data-referral-pack='))
        assert browser.run(CONTENTS) == [referrer, *[f"until={DAY}"] * ("until" in parameters), "pack=silver"]
        assert copied(browser) in (None, (referrer, parameters))
    visit(browser, "--referrer", "spring", query="?via=anna", change=lambda page: page.replace(
        ' data-referrer="', ' data-referral-until="soon" data-referrer="'))
    assert browser.run(CONTENTS) == ["anna", "until=soon"]


# Languages

SHOWN = """
    const { lang, dir } = document.documentElement;
    return [lang, dir, document.title, document.querySelector('h1').textContent, document.getElementById('store').textContent];"""
LANGUAGES = ("--language", "en,de,zh-Hant,zh,ar", "--text", "ar.tagline=جسور", "--tagline", "Bridges", "--referrer", "spring")
ARABIC = ["ar", "rtl", "Trestle: جسور", "Trestle", "احصل على Trestle من App Store"]
GERMAN = ["de", "ltr", "Trestle: Bridges", "Trestle", "Trestle im App Store laden"]


def visit_as(browser, wanted, query=""):
    """Opens a page in several languages, for a visitor who wants some of them."""
    def change(page):
        script = f"Object.defineProperty(navigator, 'languages', {{ value: {wanted!r} }});"
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        return page.replace("script-src ", f"script-src 'sha256-{digest}' ").replace("<script>", f"<script>{script}</script><script>", 1)
    visit(browser, *LANGUAGES, "--icon", str(ICON), query=query, change=change)


@runs_in(DESKTOP)
@pytest.mark.parametrize("wanted, query, language", [
    (["de-AT", "ar"], "", "de"), (["xx", "AR"], "", "ar"), (["fr", "it"], "", "en"), ([], "", "en"), (["zh-TW"], "", "zh-Hant"),
    (["zh"], "", "zh"), (["zh-Hans-HK"], "", "zh"), (["zh-HK"], "", "zh-Hant"), (["not a tag", "de"], "", "de"),
    (["ar"], "?lang=de", "de"), (["ar"], "?via=anna&lang=de-CH&lang=en", "de"), (["ar"], "?lang=", "ar"), (["ar"], "?lang=tlh", "ar"),
    (["ar"], "?lang=%22%5D", "ar"),
])
def test_the_page_is_in_the_visitor_s_language(browser, wanted, query, language):
    visit_as(browser, wanted, query)
    assert browser.run(SHOWN)[0] == language
    assert browser.run("return document.querySelector('[aria-current]').lang") == language
    assert browser.console() == []


def test_a_page_in_another_language_does_the_same(browser):
    visit_as(browser, ["ar"], "?via=anna")
    assert browser.run(SHOWN) == ARABIC
    assert browser.run("return document.querySelectorAll('h1, #icon, #store').length") == 3
    assert is_shown(browser, "icon")
    assert text(browser, "referrer") == "anna"
    assert copied(browser) in (None, ("anna", {}))


def test_the_links_to_the_languages_keep_what_the_address_says(browser):
    query = f"via=anna&lang=x&a=%C3%A9+b&sig={SIG}"
    visit_as(browser, ["ar"], "?lang=en&lang=de&" + query)
    assert browser.run(SHOWN)[0] == "en"
    assert browser.run("return Array.from(document.querySelectorAll('#languages a'), a => a.search)") == \
        [f"?lang={tag}&{query}" for tag in ("en", "de", "zh-Hant", "zh", "ar")]
    browser.tap("document.querySelector('#languages [lang=de]')")
    browser.wait_for("document.documentElement.lang == 'de'", "the German page")
    assert browser.run(SHOWN) == GERMAN
    assert text(browser, "referrer") == "anna"
    visit_as(browser, ["ar"])
    assert browser.run("return document.querySelector('#languages a').search") == "?lang=en"


# Invitations

CODE = "4F7K-9Q2M-XRKQ"


def is_invited(browser):
    shown = [is_shown(browser, name) for name in ("invited", "invitation", "invite-code")]
    assert len(set(shown)) == 1
    return shown[0]


def test_a_personal_code_is_an_invitation_in_each_language(browser):
    page = browser.server.add(make("--invitations", "--language", ",".join(SENTENCES)))
    for tag, sentences in SENTENCES.items():
        browser.visit(f"{page}?lang={tag}&via={CODE}")
        assert browser.run("return document.documentElement.lang") == tag
        assert is_invited(browser)
        assert text(browser, "invited") == sentences["invited"]
        assert browser.run("return document.querySelector('#invitation .quiet').textContent") == sentences["enter"].replace("{name}", "Trestle")
        assert text(browser, "invite-code") == CODE
        # From left to right, in Arabic too.
        lefts = browser.run("""
            const text = document.getElementById('invite-code').firstChild;
            return Array.from(text.data, (_, index) => {
                const range = document.createRange();
                range.setStart(text, index);
                range.setEnd(text, index + 1);
                return range.getBoundingClientRect().left;
            });""")
        assert lefts == sorted(lefts)
    browser.run(WITNESS)
    assert browser.console() == []


@runs_in(DESKTOP)
@pytest.mark.parametrize("query", ["", "?via=anna", "?via=4F7K-9Q2M-XRKP", "?via=4F7K-9Q2M-XRQK", "?via=4F7K-9Q2M", "?via=&via=" + CODE, "?code=" + CODE])
def test_another_name_or_a_mistyped_code_is_no_invitation(browser, query):
    visit(browser, "--invitations", "--referrer", CODE, query=query)
    assert not is_invited(browser)
    assert is_shown(browser, "note")
    assert browser.console() == []


def test_only_a_page_for_invitations_shows_one(browser):
    visit(browser, query="?via=" + CODE)
    assert browser.run("return document.querySelector('#invited, #invitation')") is None
    assert "invited" not in browser.run("return document.body.innerText")


@runs_in(IPHONE, DESKTOP)
def test_an_invitation_changes_nothing_of_the_tap_and_requests_nothing(browser):
    visit(browser, "--invitations", query="?via=4f7k9q2mxrkq")
    assert text(browser, "invite-code") == CODE
    assert copied(browser) in (None, ("4f7k9q2mxrkq", {}))
    assert browser.console() == []
    assert [path.split("?")[0] for path in browser.server.requests() if "/app/" not in path] == [browser.run("return location.pathname")]


@runs_in(*EACH_KIND)
def test_a_tap_on_the_code_selects_all_of_it(browser):
    visit(browser, "--invitations", query="?via=" + CODE)
    browser.tap("document.getElementById('invite-code')")
    browser.press("c", holding=Keys.CONTROL)
    assert browser.copied() == CODE


def test_a_screen_reader_hears_each_symbol_of_the_code_once(browser):
    visit(browser, "--invitations", query="?via=" + CODE)
    assert text(browser, "spelled") == "4 F 7 K, 9 Q 2 M, X R K Q"
    assert browser.run("return document.getElementById('invite-code').getAttribute('aria-hidden')") == "true"
    assert browser.run("return document.getElementById('spelled').closest('[aria-hidden], [hidden]')") is None


def test_an_invitation_fits_a_narrow_window_with_large_text(browser):
    visit(browser, "--invitations", "--language", "de", query="?via=" + CODE)
    for scale in ("100%", "200%"):
        assert browser.run("""
            const main = document.querySelector('main');
            document.documentElement.style.fontSize = arguments[0];
            main.style.width = '320px';
            return main.scrollWidth;""", scale) <= 320


# The QR code

@runs_in(IPHONE, DESKTOP)
def test_other_devices_than_an_iphone_show_a_code_of_the_page(browser, tmp_path):
    visit(browser, "--referrer", "spring", query="?via=anna&x=%C3%A9#part")
    assert is_shown(browser, "phone") is not browser.is_iphone
    if not browser.is_iphone:
        browser.wait_for("document.querySelector('#phone img').complete", "the code")
        assert browser.run("return document.querySelector('#phone img').alt") == "QR code of this page’s address"

        def seen():  # WebKit's driver may take a picture of the page before the code is drawn
            (tmp_path / "page.png").write_bytes(browser.driver.get_screenshot_as_png())
            return subprocess.run(["zbarimg", "--quiet", "--nodbus", "--raw", tmp_path / "page.png"], capture_output=True, text=True).stdout.strip()
        read = until(seen, "the code to be seen")
        assert read == browser.run("return location.href").split("#")[0]
        assert "?via=anna&x=%C3%A9" in read


def test_a_page_that_is_a_file_says_why_it_shows_no_code(browser, tmp_path):
    file = tmp_path / "get.html"
    file.write_text(make("--referrer", "spring", "--language", "de"))
    browser.console()
    browser.driver.get(file.as_uri())
    browser.run(WITNESS)
    assert is_shown(browser, "phone") is is_shown(browser, "local") is not browser.is_iphone
    assert not is_shown(browser, "scan")
    assert text(browser, "local") == SENTENCES["de"]["local"]
    assert browser.run("return document.querySelector('#phone img')") is None
    visit(browser, "--referrer", "spring")
    assert not is_shown(browser, "local")
    assert is_shown(browser, "scan") is not browser.is_iphone


@runs_in(DESKTOP)
def test_an_address_too_long_for_a_code_causes_no_error(browser):
    visit(browser, query="?via=" + "a" * 3000)
    assert not is_shown(browser, "phone")
    assert is_shown(browser, "note")
    assert browser.console() == []


# Security and loading

@runs_in(DESKTOP)
def test_the_page_requests_nothing_else_and_logs_nothing(browser):
    visit(browser, "--referrer", "spring", "--icon", str(ICON), "--tagline", "A puzzle", query="?via=anna")
    browser.wait_for("[...document.images].every(image => image.complete && image.naturalWidth)", "the images")
    browser.tap("document.querySelector('h1')")
    assert browser.console() == []
    assert [path.split("?")[0] for path in browser.server.requests()] == [browser.run("return location.pathname")]
    assert browser.run("return performance.getEntriesByType('resource').filter(entry => !entry.name.startsWith('data:')).length") == 0


def test_the_button_works_as_soon_as_the_page_is_parsed(browser):
    visit(browser, "--referrer", "spring", "--icon", str(ICON))
    paint, ready = browser.wait_for("""(() => {
        const [paint] = performance.getEntriesByName('first-contentful-paint');
        return paint && [paint.startTime, performance.getEntriesByType('navigation')[0].domInteractive];
    })()""", "the first paint")
    print(f"{browser.name}: first paint at {paint:.0f} ms, button at {ready:.0f} ms")
    # Nothing is loaded or deferred. The snippet runs in the head; the QR codes' script and the page's own come last in the body.
    scripts = browser.run("return Array.from(document.scripts, ({ src, defer, type, parentNode }) => [src, defer, type, parentNode.localName])")
    assert scripts == [["", False, "", "head"], ["", False, "", "body"], ["", False, "", "body"]]
    assert browser.run("return [document.scripts[1].nextElementSibling == document.scripts[2], document.scripts[2].nextElementSibling]") \
        == [True, None]


@runs_in(DESKTOP)
def test_the_policy_blocks_injected_content(browser):
    def change(page):
        return page.replace("</main>", """</main>
            <script>window.injected = 1</script><img src="/x.png" onerror="window.injected = 2">
            <style>main { display: none }</style><form action="/form"><button id="send">send</button></form>""")
    visit(browser, "--referrer", "spring", change=change)
    assert browser.run("return window.injected ?? null") is None
    assert is_shown(browser, "store")
    browser.tap("send")
    assert not [path for path in browser.server.requests() if "x.png" in path or "form" in path]
    if browser.name != "webkit":
        assert any("Content" in line and "Security" in line for line in browser.console()), "and the console tells such things"


def test_the_policy_blocks_nothing_of_the_page(browser):
    visit(browser, "--referrer", "spring", "--icon", str(ICON))
    assert browser.run("return [typeof ReferralBridge.copy, typeof QRCode.svg, document.getElementById('copying').hidden]") == \
        ["function", "function", False]
    assert browser.run("return getComputedStyle(document.getElementById('store')).borderRadius") != "0px"
    assert browser.run("return document.getElementById('icon').naturalWidth") > 0


@runs_in(DESKTOP)
@pytest.mark.parametrize("injection", INJECTIONS)
def test_options_and_the_address_are_never_interpreted_as_html(browser, injection):
    plain = visit(browser, "--tagline", "x", "--referrer", "x", "--param", "p=x", name="x")
    elements = browser.run("return document.querySelectorAll('*').length")
    page = visit(browser, "--tagline", injection, "--referrer", injection, "--param", "p=" + injection,
                 "--referrer-item", injection.replace("/", ""), name=injection)
    assert browser.run("return document.querySelectorAll('*').length") == elements
    assert browser.run("return [document.title, document.querySelector('h1').textContent, document.querySelector('.lead').textContent]") \
        == [f"{injection}: {injection}", injection, injection]
    assert text(browser, "referrer") == injection
    assert injection in text(browser, "store")
    visit(browser, query="?via=" + quote(injection))
    assert text(browser, "referrer") == injection
    assert browser.console() == []


# Without JavaScript

def test_without_javascript_the_page_has_a_link_to_the_store(browser):
    def change(page):  # the scripts stay, but don't run
        return re.sub(r"script-src [^;]*", "script-src 'none'", page)
    visit(browser, "--referrer", "spring", "--tagline", "A puzzle", "--icon", str(ICON), "--invitations", query="?via=" + CODE, change=change)
    assert browser.run("return typeof window.ReferralBridge") == "undefined"
    assert browser.run("return document.querySelector('main').innerText").split() == "Trestle A puzzle Get Trestle on the App Store".split()
    browser.tap("store")
    assert browser.server.wait_for_store() == ["/stays/app/id1300230302"]
    browser.assert_nothing_copied()


# Accessibility

LOOKS = [("light", ("--language", "en,de,ar", "--play", "com.example.trestle")), ("dark", ("--language", "en,de")),
         ("light", ("--language", "ar")), ("dark", ("--language", "he"))]


@runs_in(DESKTOP)
@pytest.mark.parametrize("scheme, options", LOOKS, ids=["light", "dark", "light-rtl", "dark-rtl"])
def test_axe_finds_no_accessibility_violations(browser, scheme, options):
    if scheme == "dark" and browser.name != "chromium":
        pytest.skip("its driver has no dark theme")
    if browser.name == "chromium":
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    try:
        visit(browser, "--referrer", "spring", "--param", "pack=gold", "--tagline", "A puzzle", "--icon", str(ICON), "--invitations", *options,
              query="?via=" + CODE)
        browser.run("""
            document.getElementById('status').textContent = document.getElementById('status').dataset.copied;
            document.body.style.backgroundImage = 'none'; /* the arches: no text is in front of them, but axe doesn't know */""")
        assert browser.run("return matchMedia('(prefers-color-scheme: dark)').matches") == (scheme == "dark")
        found = Axe().run(browser.driver)
        assert [(rule["id"], node["html"]) for rule in found["violations"] for node in rule["nodes"]] == []
        assert len(found["passes"]) > 20
        assert [rule["id"] for rule in found["incomplete"]] == []
    finally:
        if browser.name == "chromium":
            browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_every_control_is_large_enough_to_tap_and_shows_its_focus(browser):
    visit(browser, "--referrer", "spring", "--language", "en,de")
    for target in browser.run("return [...document.querySelectorAll('a')].map(a => [a.textContent, a.getBoundingClientRect().height])"):
        assert target[1] >= 44, target
    browser.run("document.querySelector('.plain').focus({ focusVisible: true })")
    assert browser.run("return getComputedStyle(document.querySelector('.plain')).outlineWidth") == "3px"


def test_it_fits_a_narrow_window(browser):
    visit(browser, "--referrer", "spring" * 100, "--tagline", "x" * 300, name="x" * 100)
    assert browser.run("""
        const main = document.querySelector('main');
        main.style.width = '320px'; /* by the object model, which no policy forbids */
        return main.scrollWidth;""") <= 320
