"""The snippet loads in every form, under every policy and on every kind of page."""

import base64
import hashlib

import pytest

from browser import WITNESS, tool
from server import WEB
from sessions import DESKTOP, runs_in

STRICT = "default-src 'none'; base-uri 'none'; img-src 'self'; script-src 'nonce-witness' {}"
WITNESSED = f'<script nonce="witness">{WITNESS}</script>'


def snippet(*options):
    return tool("snippet", *options)


def assert_tap_copies(browser):
    browser.tap()
    browser.server.wait_for_store()
    assert browser.event()["copied"] is True  # once, not twice
    assert browser.referral()["referrer"] == "spring"


@pytest.mark.parametrize("head", [
    "<script src='{file}' defer></script>",
    "<script src='{file}' async></script>",
    "<script src='{file}' type='module'></script>",
    "<script type='module'>import '{file}'</script>",
    "<script src='{file}'></script><script src='{file}'></script>",
    "<script src='/referral-bridge.js'></script><script src='/referral-bridge.min.js' defer></script>",
    "<script src='{file}'></script><script type='module'>import '{file}'</script>",
    "<script>'use strict';\n{text}</script>",
], ids=["deferred", "async", "module", "imported", "twice", "both files", "script and module", "strict"])
def test_however_it_is_loaded(browser, head):
    browser.open(browser.link(), head=head.replace("{file}", browser.file).replace("{text}", (WEB / browser.file[1:]).read_text()
                                                                                   .replace("<script", "").replace("</script>", "")))
    assert_tap_copies(browser)


@pytest.mark.parametrize("element", [
    '<h1 id="ReferralBridge">ReferralBridge</h1>',
    '<form id="ReferralBridge"><input name="payload"><input name="link"><input name="copy"></form>',
    '<form name="ReferralBridge"><fieldset name="payload"></fieldset><input name="call"></form>',
    '<form id="ReferralBridge"></form><form id="ReferralBridge" name="payload"></form>',
    '<iframe name="ReferralBridge" srcdoc="<input id=payload>"></iframe>',
], ids=["heading", "form", "fieldset", "two", "frame"])
def test_beside_an_element_of_the_same_name(browser, element):
    browser.open(browser.link(), head=element + browser.script)
    assert_tap_copies(browser)


def test_it_leaves_one_global(browser):
    names = "return Object.getOwnPropertyNames(window).filter(name => !/^\\d+$/.test(name))"
    browser.open("", head="")
    before = set(browser.run(names))
    browser.open("")
    assert set(browser.run(names)) - before == {"ReferralBridge"}
    assert browser.run("return Object.keys(ReferralBridge).sort()") == ["copy", "link", "payload"]


@pytest.mark.parametrize("minified", [[], ["--min"]], ids=["readable", "minified"])
def test_the_command_s_module_exports_the_functions(browser, minified):
    module = browser.server.add(snippet("--format", "module", *minified), "text/javascript")
    browser.open(browser.link(), head=f"""<script type="module">
        import {{ payload, link, copy }} from '{module}';
        window.same = ReferralBridge.payload === payload && ReferralBridge.link === link && ReferralBridge.copy === copy;</script>""")
    assert_tap_copies(browser)
    assert browser.run("return same")


@pytest.mark.parametrize("minified", [[], ["--min"]], ids=["readable", "minified"])
@pytest.mark.parametrize("kind", ["text/html", "application/xhtml+xml"])
def test_the_command_s_element_can_be_pasted_into_a_page(browser, kind, minified):
    element = snippet("--format", "html", *minified)
    link = browser.link().replace("&", "&amp;")
    body = (f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>page</title><script>//<![CDATA[\n{WITNESS}//]]></script>{element}</head>'
            f"<body><p>{link}</p></body></html>")
    browser.visit(browser.server.add(("<!doctype html>" if kind == "text/html" else "") + body, kind))
    assert browser.run("return document.body.textContent.trim()") == "Get Trestle"
    assert_tap_copies(browser)


def test_a_policy_with_a_nonce(browser):
    browser.open(browser.link(), head=snippet("--format", "html", "--nonce", "bm9uY2U="), witness=WITNESSED,
                 Content_Security_Policy=STRICT.format("'nonce-bm9uY2U='"))
    assert_tap_copies(browser)


def test_a_policy_with_a_hash(browser):
    element = snippet("--format", "html")
    text = element[element.index(">") + 1:element.rindex("</script>")]
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    browser.open(browser.link(), head=element, witness=WITNESSED, Content_Security_Policy=STRICT.format(f"'sha256-{digest}'"))
    assert_tap_copies(browser)


def test_a_policy_that_blocks_the_snippet_leaves_an_ordinary_link(browser):
    # Shows that the two tests above can fail.
    browser.open(browser.link(), head=snippet("--format", "html"), witness=WITNESSED,
                 Content_Security_Policy=STRICT.format("'nonce-other'"))
    browser.tap()
    browser.server.wait_for_store()
    assert browser.events == []


@runs_in(DESKTOP)  # which knows trusted types
@pytest.mark.parametrize("policy", [
    STRICT.format("'self'"),
    STRICT.format("'self'") + "; style-src 'none'",
    STRICT.format("'self'") + "; require-trusted-types-for 'script'; trusted-types 'none'",
], ids=["strict", "no styles", "trusted types"])
@pytest.mark.parametrize("needs_a_field", [False, True], ids=["at once", "with a field"])
def test_strict_policies(browser, policy, needs_a_field):
    refusal = """<script nonce="witness">{
        const execCommand = document.execCommand.bind(document);
        document.execCommand = command => document.activeElement.localName == 'input' && execCommand(command);
    }</script>""" if needs_a_field else ""
    violations = "<script nonce='witness'>addEventListener('securitypolicyviolation', event => faults.push(event.violatedDirective))</script>"
    browser.open(browser.link(), head=refusal + violations + browser.script, witness=WITNESSED, Content_Security_Policy=policy)
    assert_tap_copies(browser)


def test_a_page_in_XHTML(browser):
    page = f"""<html xmlns="http://www.w3.org/1999/xhtml" xmlns:x="http://www.w3.org/1999/xlink"><head><title>page</title>
        <script>//<![CDATA[\n{WITNESS}//]]></script>{browser.script}</head><body><p>{browser.link("<b id='inner'>Get Trestle</b>")}</p></body></html>"""
    browser.visit(browser.server.add(page, "application/xhtml+xml"))
    browser.tap("inner")
    assert browser.event()["on"] == "link"
    assert browser.referral()["referrer"] == "spring"
