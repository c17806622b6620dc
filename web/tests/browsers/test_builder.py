"""The builder's pages to make links and tables, in browsers: their outputs against the built command's, and bad input."""

import base64
import csv
import io
import json
import os
import re
import subprocess
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from axe_core_python.selenium import Axe
from selenium.webdriver.common.keys import Keys

from browser import TOOL, decode
from builder import APP, AT, PAGE, fill, fragment, go_to, in_chromium, in_each_browser, in_one_browser, saved, text, tool, visit
from display import PATIENCE, until
from server import WEB
from sessions import long

pytestmark = in_one_browser

INJECTIONS = ['</script><b>&"', "<img src=x onerror=window.injected=1>", "\" onfocus=\"window.injected=1\" autofocus x=\"", "<!--",
              "'><script>window.injected=1</script>", "javascript:window.injected=1", "{{7*7}}${7*7}", "__proto__", "\u202e\u2028<svg/onload=window.injected=1>"]
CAMPAIGN = {"app": APP, "storefront": "us", "slug": "trestle", "pt": "9", "ct": "spring & <sale>", "referrer": "anna \"é\" <b>"}


def add_parameter(browser, name, value):
    browser.run("""
        document.getElementById('add').click();
        const [first, second] = document.querySelector('#parameters li:last-child').querySelectorAll('input');
        for (const [field, text] of [[first, arguments[0]], [second, arguments[1]]]) {
          field.value = text;
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }""", name, value)


@pytest.mark.parametrize("others", [{"landing": "x"}, {"items": "via"}, {"pt": "x y"}, {"landing": "https://example.com/get", "items": "via"}])
@pytest.mark.parametrize("parameter", [None, "timestamp"])
def test_a_missing_app_id_beside_another_error_leaves_no_old_result(browser, others, parameter):
    visit(browser, f"#app={APP}&referrer=anna")
    assert "ed=" in text(browser, "out-link")
    fill(browser, **others)
    if parameter:
        add_parameter(browser, parameter, "1")
    fill(browser, app="", referrer="ben")
    assert text(browser, "out-link") in ("Enter an app.", "Correct the marked field first.")
    assert browser.run("return document.getElementById('copy-link').hidden")
    assert "anna" not in browser.run("return document.body.innerText")


OWN = "return location.pathname + location.search"


def values(browser):
    return browser.run("return Object.fromEntries(Array.from(document.querySelectorAll('#make input'), field => [field.id, field.value]))")


def see(browser, name):
    """Scrolls an element into the window, which a driver's pointer doesn't do."""
    browser.run("document.getElementById(arguments[0]).scrollIntoView({ block: 'center' })", name)


def read_code(picture):
    """The text of the QR code in a picture, or an empty string."""
    return subprocess.run(["zbarimg", "--quiet", "--nodbus", "--raw", picture], capture_output=True, text=True).stdout.strip()


# Text from outside

# Marks that turn a sentence around, a line separator, a control, and more than a sentence holds.
HOSTILE = "a\u2069\u202e\u200f\u061c\u2028\u0085b" + "x" * 3000
# Fields show what was entered, and outputs are for copying, so both stay as they are.
UNSHOWN = """
    const copy = document.body.cloneNode(true);
    for (const exact of copy.querySelectorAll('script, input, textarea, [id^=out-]')) exact.remove();
    const texts = [copy.textContent, document.title, ...Array.from(copy.querySelectorAll('*')).flatMap(({ attributes }) =>
      Array.from(attributes).filter(({ name }) => /^(aria-label|title|alt|placeholder)$/.test(name)).map(({ value }) => value))];
    return texts.join('\\n').match(/(?!\\n)[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}].{0,40}|.{80}x{1000}/gsu) ?? [];"""



def test_no_text_from_outside_turns_a_sentence_around_or_fills_it(browser):
    visit(browser)
    names = browser.run("return Array.from(document.querySelectorAll('input:not([type]), textarea'), ({ id }) => id).filter(Boolean)")
    assert len(names) > 25
    good = {"app": APP, "referrer": "anna", "title": "Trestle", "landing": "https://example.com/get"}
    payload = base64.urlsafe_b64encode(json.dumps({"timestamp": AT, "referrer": HOSTILE, "p" + HOSTILE: HOSTILE[:2000]}).encode()).decode()
    table = "referrer,note,param.p,x" + HOSTILE + "\n" + f"{HOSTILE},1,{HOSTILE},2\n{HOSTILE},{HOSTILE}\n"
    # The page is made later than the field is filled in.
    browser.run("document.getElementById('tab-page').click(); fill(arguments[0])", {**good, "referrer": "", "referrer-item": HOSTILE})
    browser.wait_for("document.getElementById('page-status').textContent.includes('as with ?a')", "the page's status")
    assert browser.run(UNSHOWN) == []
    browser.run("fill({ 'referrer-item': '' })")
    for tab in ("make", "page", "many", "read"):
        browser.run("document.getElementById(arguments[0]).click()", f"tab-{tab}")
        for name in names:
            browser.run("fill(arguments[0])", {**good, name: HOSTILE})
            assert browser.run(UNSHOWN) == [], (tab, name)
            browser.run("fill(arguments[0])", {name: good.get(name, "")})
        for parameter in ((HOSTILE, "x"), ("timestamp", HOSTILE), ("a" + HOSTILE, "x")):
            add_parameter(browser, *parameter)
            assert browser.run(UNSHOWN) == [], (tab, parameter)
            browser.run("document.getElementById('parameters').replaceChildren(); fill({ title: 'Trestle' })")
        for given in ({"table": table}, {"table": f"{HOSTILE},{HOSTILE}\n1,2"}, {"table": f"referrer,link\n{HOSTILE},https://example.com/{HOSTILE[:100]}"},
                      {"referrer-column": HOSTILE, "table": table}, {"app": f"https://apps.apple.com/app/id1?{HOSTILE}=1&y={HOSTILE}#{HOSTILE}"},
                      {"strings": f"{HOSTILE}\nhttps://apps.apple.com/app/id{APP}?ed={payload}\nhttps://apps.apple.com/app/id1?ed={payload[:60]}"}):
            browser.run("fill(arguments[0])", given)
            assert browser.run(UNSHOWN) == [], (tab, given)
            browser.run("document.getElementById('make-sheet').click()")
            assert browser.run(UNSHOWN) == [], (tab, given)
            browser.run("fill(arguments[0])", dict.fromkeys(given, ""))


# Codes to print

@in_chromium
def test_a_sheet_has_a_code_for_each_row(browser, tmp_path):
    visit(browser, "#landing=https://example.com/get&show=many")
    fill(browser, table="Referrer;Note\nanna & <b>;1\n;2\nbob;3\n" + "x" * 4000 + ";4")
    assert text(browser, "rows-ignored") == "This column has no effect on the links: “Note”."
    browser.run("document.getElementById('make-sheet').click()")
    assert text(browser, "sheet-status") == "2 codes. The address in line 5 is too long for a QR code. No code for 1 rejected row."
    assert browser.run("return Array.from(document.querySelectorAll('#sheet figcaption'), element => element.textContent)") == ["anna & <b>", "bob"]
    width = "return document.querySelector('#sheet svg').getBoundingClientRect().width * 25.4 / 96"
    assert abs(browser.run(width) - 30) < 0.5
    browser.run("const menu = document.getElementById('side'); menu.value = '50'; menu.dispatchEvent(new Event('change', { bubbles: true }));")
    assert abs(browser.run(width) - 50) < 0.5
    see(browser, "sheet")
    picture = tmp_path / "page.png"

    def codes():
        picture.write_bytes(browser.driver.get_screenshot_as_png())
        return sorted(read_code(picture).split())
    until(lambda: codes() == ["https://example.com/get?via=anna%20%26%20%3Cb%3E", "https://example.com/get?via=bob"], "both codes to be seen")
    browser.run("document.querySelector('#sheet figure:last-child .small').id = 'one'")
    name, content = saved(browser, "one")
    assert name == "qr-bob.svg" and content.startswith(b"<svg ")
    # Printed, the codes are all that is there.
    if browser.name == "chromium":
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        shown = browser.run("return document.body.innerText")
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        assert shown.split() == ["anna", "&", "<b>", "bob"]
    fill(browser, table="referrer\ncarol")
    assert browser.run("return document.getElementById('sheet').children.length") == 0


def test_a_sheet_has_the_names_of_the_table(browser):
    visit(browser, "#landing=https://example.com/get&show=many")
    fill(browser, table="Referrer,Name\nanna,Anna B.\nbob,")
    browser.run("document.getElementById('make-sheet').click()")
    assert browser.run("return Array.from(document.querySelectorAll('#sheet figcaption'), element => element.textContent)") == ["Anna B. (anna)", "bob"]


def test_a_code_that_would_expire_isn_t_printed(browser):
    visit(browser, f"#app={APP}&show=many")
    fill(browser, table="referrer\nanna")
    browser.run("document.getElementById('make-sheet').click()")
    assert "Under “Make”, enter the address of a landing page" in text(browser, "sheet-status")
    assert browser.run("return document.getElementById('print').hidden")


def test_the_table_says_why_a_parameter_needs_a_signature(browser):
    visit(browser, "#landing=https://example.com/get&show=many")
    fill(browser, table="referrer,param.pack\nanna,gold")
    assert text(browser, "rows-unsigned").startswith("Only a signed address of a landing page can contain any parameters")
    browser.run("document.getElementById('make-sheet').click()")
    assert text(browser, "sheet-status") == "No row has a link. The reasons are in the table above."
    fill(browser, table="referrer,param.pack\nanna,")
    assert text(browser, "rows-unsigned") == ""


def test_the_app_store_is_no_landing_page(browser):
    visit(browser, f"#app={APP}&referrer=anna")
    for address in (f"https://apps.apple.com/app/id{APP}", "HTTPS://itunes.apple.com"):
        fill(browser, landing=address)
        assert text(browser, "landing-error") == "Enter the address of a page of your own. This one is the App Store’s, where a referrer is lost."
    fill(browser, landing="https://apps.apple.com.example.com/get")
    assert text(browser, "landing-error") == ""


def test_links_that_the_command_has_made_are_printed(browser):
    visit(browser, "#show=many")
    table = tool("links", "--landing", "https://example.com/get", table=b"Referrer;Name\nanna;\"An\r\nna\"\nbob;Bob\n").decode()
    assert table.startswith("Referrer;Name;link\n")
    fill(browser, table=table + "x;X;nothing\nold;Old;https://apps.apple.com/app/id1?ed=x\n")
    assert text(browser, "table-error") == ""
    assert text(browser, "rows-status").startswith("4 rows: 2 links, 2 rejected. The table has them already")
    browser.run("document.getElementById('make-sheet').click()")
    assert text(browser, "sheet-status") == "2 codes. No code for 2 rejected rows."
    assert browser.run("return Array.from(document.querySelectorAll('#sheet figcaption'), element => element.textContent)") == ["An na (anna)", "Bob (bob)"]


def test_a_table_in_windows_1252_is_read(browser, tmp_path):
    visit(browser, "#landing=https://example.com/get&show=many")
    status = "1 row: 1 link."
    for encoding, said in [("cp1252", ", which isn’t UTF-8, as Windows-1252. Check its letters. The downloads are UTF-8."), ("utf-8", ".")]:
        (tmp_path / f"{encoding}.csv").write_bytes("referrer;Straße\njürgen;“Höhe” 1 €\n".encode(encoding))
        browser.driver.find_element("id", "file").send_keys(str(tmp_path / f"{encoding}.csv"))
        until(lambda: f"{encoding}.csv" in text(browser, "table-note"), "the file to be read")
        assert text(browser, "table-note").startswith(f"Read from {encoding}.csv{said}"), text(browser, "table-note")
        assert text(browser, "rows-status") == status
        name, content = saved(browser, "save")
        links = "referrer;Straße;link\njürgen;“Höhe” 1 €;https://example.com/get?via=j%C3%BCrgen\n"
        assert content.decode() == ("\ufeff" if encoding == "cp1252" else "") + links
    # Bytes that Windows-1252 doesn't have aren't guessed at, and a spreadsheet's own file isn't text.
    for name, content, problem in [("other", b"referrer\nj\x81rgen\n", ""), ("xlsx", b"PK\x03\x04\xff", "CSV: it is a spreadsheet file; save it as CSV")]:
        (tmp_path / f"{name}.csv").write_bytes(content)
        browser.driver.find_element("id", "file").send_keys(str(tmp_path / f"{name}.csv"))
        until(lambda: f"{name}.csv" in text(browser, "table-note"), "the file to be read")
        until(lambda: text(browser, "table-error") == problem, "the problem")
        assert "Windows-1252" not in text(browser, "table-note")
    # Typed text has no encoding.
    fill(browser, table="referrer\njürgen")
    assert text(browser, "rows-status") == status


def test_another_column_has_the_referrers_and_white_space_around_them_is_noted(browser):
    visit(browser, "#landing=https://example.com/get&show=many")
    fill(browser, table="Code,name\nanna,A\n Anna,B\nanna,C\n,\n")
    assert text(browser, "table-error").startswith("CSV: there is no column 'referrer'")
    fill(browser, referrer_column="code")
    assert text(browser, "table-error") == ""
    assert text(browser, "rows-status") == "3 rows: 3 links."
    assert text(browser, "rows-notes") == "White space around a referrer isn’t a part of it: 1 row."
    fill(browser, table="code\nanna\nbob")
    assert text(browser, "rows-notes") == ""


# Make

def test_the_outputs_equal_the_commands(browser):
    visit(browser)
    fill(browser, **CAMPAIGN)
    add_parameter(browser, "levelSet", "a\"b")
    page = ["--app-id", APP, "--storefront", "us", "--slug", "trestle", "--pt", "9", "--ct", CAMPAIGN["ct"]]
    row = json.dumps({"referrer": CAMPAIGN["referrer"], "param.levelSet": "a\"b"}).encode()
    assert text(browser, "out-element") + "\n" == tool("links", "--from", "jsonl", "--to", "html", *page, table=row).decode()
    fill(browser, landing="https://example.com/get?x#y", title="Trestle", **{"referrer-item": "by"})
    # The address of a landing page names the referrer. Nobody else's visitors count for the campaign that was typed last.
    assert ' data-referrer-from="by" data-referral-level-set="a&quot;b">Get Trestle</a>' in text(browser, "out-element")
    assert CAMPAIGN["referrer"] not in text(browser, "out-element")
    row = json.dumps({"referrer": CAMPAIGN["referrer"]}).encode()
    assert text(browser, "out-address") + "\n" == tool("links", "--from", "jsonl", "--to", "txt", "--landing", "https://example.com/get?x#y",
                                                       "--referrer-item", "by", table=row).decode()
    # Without a signature, the address contains the parameters that the page passes on.
    fill(browser, items="levelSet open")
    row = json.dumps({"referrer": CAMPAIGN["referrer"], "param.levelSet": "a\"b"}).encode()
    assert text(browser, "out-address") + "\n" == tool("links", "--from", "jsonl", "--to", "txt", "--landing", "https://example.com/get?x#y",
                                                       "--referrer-item", "by", "--item", "open", "--item", "levelSet", table=row).decode()
    fill(browser, items="open by")
    assert text(browser, "items-error") == "by is the item that names the referrer."
    fill(browser, items="")
    link = text(browser, "out-link")
    found = decode(link)
    assert link + "\n" == tool("link", *page, "--referrer", CAMPAIGN["referrer"], "--param", "levelSet=a\"b",
                               "--at", str(found["timestamp"])).decode()
    assert (found["referrer"], found["parameters"]) == (CAMPAIGN["referrer"], {"levelSet": "a\"b"})
    assert text(browser, "out-inline") == tool("snippet", "--format", "html", "--min").decode()


def test_the_commands_that_sign_can_be_pasted_into_a_shell(browser, tmp_path):
    visit(browser)
    assert text(browser, "out-signed") == "Enter an app."
    referrer, pack = "anna's \"é\" $(id) `id` \\ \\n !!", "--x=' %s"
    fill(browser, **{**CAMPAIGN, "referrer": referrer, "slug": "it's"})
    add_parameter(browser, "levelSet", pack)

    def pasted(name="signed"):
        answer = subprocess.run(["sh", "-c", text(browser, f"out-{name}")], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE,
                                env={**os.environ, "PATH": f"{TOOL.parent}:{os.environ['PATH']}"})
        assert answer.stderr == ""
        return answer.stdout.strip()
    assert re.fullmatch("[A-Za-z0-9+/]{43}=", pasted("key"))
    element = pasted()
    assert re.sub(' data-referral-(sig|until)="[^"]*"', "", element) == text(browser, "out-element")
    assert element.count(" data-referral-sig=") == element.count(" data-referral-until=") == 1
    fill(browser, landing="https://example.com/get?it's#x", **{"referrer-item": "--to"})
    items = parse_qsl(urlsplit(pasted()).query, keep_blank_values=True)
    assert items[:3] == [("it's", ""), ("--to", referrer), ("levelSet", pack)]
    assert [name for name, _ in items[3:]] == ["until", "sig"]
    # Keys of a terminal, and characters that show a command as another one, are written as JSON's escapes.
    browser.run(r"fill({ referrer: '\x7f\x9b\u202e\u2028\ud800\x15' })")
    assert re.findall("[\x7f-\x9f\u202e\u2028\ufffd]", text(browser, "out-signed")) == ["\ufffd"]
    assert parse_qsl(urlsplit(pasted()).query, keep_blank_values=True)[1] == ("--to", "\x7f\x9b\u202e\u2028\ufffd\x15")


def test_a_command_that_would_fail_is_not_shown(browser):
    visit(browser, f"#app={APP}&referrer=anna&landing=https://example.com/get")
    assert text(browser, "out-signed").startswith("printf")
    for field, value, reason in [
        *(("referrer-item", control + "touch x #", "A command can’t hold a control character.") for control in "\x15\x1b\x7f\x9b\u202e"),
        ("landing", "x", "Correct the marked field first."),
        ("referrer", "\0", "HTML can’t contain the character U+0000."),
        ("referrer", "x" * 8100, "The referrer and the parameters are too long: a payload holds at most 8,192 bytes."),
    ]:
        kept = values(browser)[field]
        fill(browser, **{field: value})
        assert text(browser, "out-signed") == reason
        assert browser.run("return document.getElementById('copy-signed').hidden") is True
        fill(browser, **{field: kept})
    fill(browser, landing="", slug="a\x15b")
    assert text(browser, "out-signed") == "A command can’t hold a control character."
    for name, reason in [("on", "An HTML attribute can’t hold a parameter named on."), ("sig", "A signature writes the parameter sig itself."),
                         ("until", "A signature writes the parameter until itself.")]:
        go_to(browser, f"#app={APP}&referrer=anna&param.{name}=x")
        assert text(browser, "out-signed") == reason


def test_the_snippet_runs_with_its_hash_and_its_integrity(browser):
    visit(browser)
    inline, policy, source = (text(browser, f"out-{name}") for name in ("inline", "policy", "source"))
    for script, allowed in ((inline, policy), (source.replace("referral-bridge", "/referral-bridge"), "script-src 'self'")):
        path = browser.server.add(f"<!doctype html><title>x</title>{script}", Content_Security_Policy=allowed)
        browser.driver.get(browser.server.origin + path)
        assert browser.wait_for("typeof ReferralBridge == 'object'", "the snippet")


def test_a_store_address_fills_in_the_fields_and_lists_its_other_items(browser):
    visit(browser)
    fill(browser, app=f" https://itunes.apple.com/de/app/trestle%20x/id{APP}?l=fr&pt=9&ct=sp%20ring&mt=8&ppid=45812c9b-c296-43d3-c6a0-c5a02f74bf6e#top ")
    assert {name: value for name, value in values(browser).items() if value} == {
        "app": APP, "storefront": "de", "slug": "trestle x", "pt": "9", "ct": "sp ring", "ppid": "45812c9b-c296-43d3-c6a0-c5a02f74bf6e"}
    assert text(browser, "app-note") == "The parts of the address are in their fields. Left out: l=fr, #top"
    assert browser.run("return document.querySelector('#more summary').textContent") == "More 9, sp ring, 45812c9b-c296-43d3-c…, de, trestle x"
    fill(browser, app="https://example.com/id42")
    assert text(browser, "app-error") == "The host is not the App Store's, apps.apple.com or itunes.apple.com."
    assert text(browser, "out-element") == "Correct the marked field first."
    fill(browser, app="apps.apple.com/app/id42")
    assert (values(browser)["app"], values(browser)["slug"], text(browser, "app-error")) == ("42", "", "")


def test_what_is_needed_comes_first_and_an_error_opens_the_rest(browser):
    visit(browser)
    assert browser.run("return Array.from(document.querySelectorAll('#make [aria-required]'), ({ id }) => id)") == ["app", "referrer", "landing"]
    opened = "return document.getElementById('more').open"
    fill(browser, app=APP, referrer="anna", landing="https://example.com/get", storefront="us")
    assert not browser.run(opened)
    fill(browser, ct="spring")
    assert browser.run(opened), "since pt is missing"


def test_a_star_stands_for_the_referrer(browser):
    visit(browser, f"#app={APP}&referrer=zoë&landing=https://example.com/for/*&param.open=/b&items=open")
    assert text(browser, "out-address") == "https://example.com/for/zo%C3%AB?open=%2Fb"
    assert text(browser, "out-element") == "Only a page made under “Page” reads the referrer from its path."
    fill(browser, referrer="..", title="Trestle")
    assert text(browser, "out-address") == text(browser, "referrer-error") == "In a path, . and .. aren’t referrers."
    browser.run("fill({ 'referrer-item': 'by' })")
    assert text(browser, "referrer-item-error") == "The * of the landing page is the referrer’s place, so leave this field empty."
    browser.run("fill({ landing: 'https://example.com/get', 'referrer-item': '/for/*' })")
    assert text(browser, "referrer-item-error") == "Enter a name without /, other than ed."
    browser.run("fill({ landing: 'https://example.com/for/*', 'referrer-item': '', referrer: '' })")
    browser.run("document.getElementById('tab-page').click()")
    until(lambda: "as with /for/anna." in text(browser, "page-status"), "the status")
    assert text(browser, "page-status").endswith("Let your server answer each address that begins with /for/ with this file.")
    made = tool("page", "--app-id", APP, "--name", "Trestle", "--referrer-item", "/for/*", "--item", "open", "--param", "open=/b")
    assert saved(browser, "save-page")[1] == made
    assert "--referrer-item='/for/*'" in text(browser, "out-command")
    browser.run("document.getElementById('keep').click()")
    until(lambda: text(browser, "page-status").startswith("A path names the referrer for its own page only"), "the status")


def test_an_address_isn_t_broken_behind_its_question_mark(browser):
    visit(browser, "#landing=https://example.com/get&referrer=anna")
    assert browser.run("""
        const [, name] = document.getElementById('out-address').childNodes;
        return [name.textContent, getComputedStyle(name).whiteSpace];""") == ["?via=", "nowrap"]
    assert text(browser, "out-address") == "https://example.com/get?via=anna"


INVALID = [
    ("app", "12a", "The app id is “12a”; it must be 1 to 19 digits."),
    ("storefront", "usa", "The storefront is “usa”; it must be a country code of two letters, such as us."),
    ("slug", "..", "The slug is “..”; it must be a name such as trestle-the-new-sudoku."),
    ("ct", "é" * 21, "The campaign token ct has 42 bytes; it must have 1 to 40."),
    ("ct", "", "The token ct is missing. The App Store counts pt and ct only together."),
    ("pt", "", "The token pt is missing. The App Store counts pt and ct only together."),
    ("ppid", "x", "The product page ppid is “x”; it must be a UUID."),
    ("referrer", "x" * 8190, "The referrer and the parameters are too long: a payload holds at most 8,192 bytes."),
    ("landing", "example.com", "Enter an address that begins with https:// or http:// and a host, without spaces."),
]


def test_an_invalid_field_has_a_message_beside_it(browser):
    visit(browser)
    fill(browser, **CAMPAIGN)
    assert browser.run("return document.querySelectorAll('[aria-invalid]').length") == 0
    for field, value, message in INVALID:
        fill(browser, **{field: value})
        wrong, said = browser.run("""
            const wrong = document.querySelectorAll('[aria-invalid]');
            return [Array.from(wrong, field => field.id), Array.from(wrong, field =>
              field.getAttribute('aria-describedby').split(' ').map(id => document.getElementById(id).textContent).join('|'))];""")
        assert wrong == [field]
        assert said[0].endswith("|" + message)
        if field != "landing":
            assert not text(browser, "out-link").startswith("http"), field
        fill(browser, **{field: CAMPAIGN.get(field, "")})
        assert browser.run("return document.querySelectorAll('[aria-invalid]').length") == 0, field
        assert text(browser, "out-link").startswith("https://"), field


def test_a_referrer_too_long_for_a_tap_gets_no_landing_address(browser):
    visit(browser)
    add_parameter(browser, "pack", "x" * 5000)
    fill(browser, referrer="a" * 4000, landing="https://example.com/get")
    too_long = "The referrer and the parameters are too long: a payload holds at most 8,192 bytes."
    assert text(browser, "out-address") == text(browser, "referrer-error") == too_long
    fill(browser, referrer="a" * 3000)
    assert text(browser, "out-address").startswith("https://example.com/get?via=aaa")
    assert text(browser, "referrer-error") == ""
    fill(browser, app=APP, referrer="a" * 4000)
    assert text(browser, "out-address") == text(browser, "out-link") == too_long


def test_the_page_counts_the_bytes_of_a_campaign_token(browser):
    visit(browser)
    fill(browser, ct="é" * 15)
    assert text(browser, "ct-note") == "30 of at most 40 bytes."
    fill(browser, ct="x" * 31)
    assert text(browser, "ct-note") == "31 of at most 40 bytes. App Store Connect’s form accepts 30 characters."


def test_parameters_can_be_added_and_removed(browser):
    visit(browser)
    fill(browser, **CAMPAIGN)
    for name in ("pack", "pack", "timestamp"):
        add_parameter(browser, name, "x")
    assert text(browser, "parameters-error") == "Two parameters are named pack."
    browser.run("document.querySelectorAll('#parameters button')[1].click()")
    assert text(browser, "parameters-error") == "A parameter can’t be named timestamp."
    browser.run("document.querySelectorAll('#parameters button')[1].click()")
    assert text(browser, "parameters-error") == ""
    assert decode(text(browser, "out-link"))["parameters"] == {"pack": "x"}
    assert browser.run("return document.activeElement.id") == "add"
    add_parameter(browser, "on", "x")
    assert text(browser, "out-element") == "An HTML attribute can’t hold a parameter named on."
    assert decode(text(browser, "out-link"))["parameters"] == {"on": "x", "pack": "x"}


@in_each_browser
def test_each_copy_button_copies_and_says_so(browser):
    visit(browser)
    fill(browser, **CAMPAIGN, landing="https://example.com/get")
    browser.run("for (const details of document.querySelectorAll('details')) details.open = true")
    for name in ("element", "address", "inline", "policy", "source", "key", "signed"):
        browser.forget()
        see(browser, f"copy-{name}")
        browser.tap(f"document.getElementById('copy-{name}')")
        assert browser.copied() == text(browser, f"out-{name}")
        browser.wait_for(f"document.getElementById('copy-{name}').textContent == 'Copied'", "the button to say so")
        browser.wait_for("document.getElementById('announcement').textContent == 'Copied.'", "the page to say so")
    before = browser.run("return Date.now()")
    browser.forget()
    see(browser, "copy-link")
    browser.tap("document.getElementById('copy-link')")
    assert browser.copied() == text(browser, "out-link")
    assert browser.referral()["timestamp"] >= before, "stamped when it was copied"
    if browser.name == "webkit":  # the other browsers don't put this type on the X clipboard
        assert browser.display.read("text/uri-list").strip() == text(browser, "out-link")


@pytest.mark.parametrize("landing", ["https://example.com/get?x=%C3%A9#part", ""])
def test_a_scanner_reads_the_code_on_the_page_and_in_the_downloads(browser, tmp_path, landing):
    visit(browser)
    fill(browser, **{**CAMPAIGN, "referrer": "anna"}, landing=landing)
    see(browser, "code-picture")
    shown = text(browser, "out-address") if landing else tool("link", "--app-id", APP, "--storefront", "us", "--slug", "trestle", "--pt", "9",
                                                           "--ct", CAMPAIGN["ct"], "--referrer", "x").decode().split("&ed=")[0]

    def seen():  # WebKit's driver may take a picture of the page before the change
        (tmp_path / "page.png").write_bytes(browser.driver.get_screenshot_as_png())
        return read_code(tmp_path / "page.png")
    assert until(seen, "the code to be seen") == shown
    for button, kind in (("svg", ".svg"), ("png", ".png")):
        name, content = saved(browser, button)
        assert name == "qr-anna" + kind
        (tmp_path / name).write_bytes(content)
    assert b"<svg" in (tmp_path / "qr-anna.svg").read_bytes()
    assert read_code(tmp_path / "qr-anna.png") == shown


# The fragment

def test_the_fragment_keeps_a_campaign_and_no_server_sees_it(browser):
    visit(browser)
    fill(browser, **CAMPAIGN, landing="https://example.com/get?a=b&c#d", **{"referrer-item": "von wem"})
    add_parameter(browser, "pa&ck=", "gold + 100% #1")
    browser.wait_for("location.hash.includes('param.')", "the fragment")
    before = values(browser)
    outputs = [text(browser, f"out-{name}") for name in ("element", "address")]
    kept = fragment(browser)
    assert "app=1300230302&storefront=us&slug=trestle&" in kept and "landing=https://example.com/get" in kept
    visit(browser, kept)
    assert list(values(browser).values()) == list(before.values())
    assert [text(browser, f"out-{name}") for name in ("element", "address")] == outputs
    assert browser.server.requests() == [browser.run(OWN)]
    browser.run("location.hash = 'app=42&show=read'")
    browser.wait_for("!document.getElementById('read').hidden", "the part")
    assert {name: value for name, value in values(browser).items() if value} == {"app": "42"}


TAMPERED = [
    "app=12a", "app=42&app=43", "app=42&evil=1", "app=42&", "app", "app=%E0%A4%A", "referrer=%ff", "app=42&show=all", "referrer=", "ct=" + "x" * 41,
    "landing=javascript:alert(1)", "app=42&param.referrer=x", "referrer=a%0Ab", "ppid=<img>", "app=42&param.=x", "app= 42", "referrer=" + "x" * 70000,
    "__proto__=x", "constructor=x", "app=42#app=43",
]


def test_a_changed_fragment_fills_in_nothing_and_the_page_says_so(browser):
    visit(browser, "#" + TAMPERED[0])
    for tampered in TAMPERED:
        assert text(browser, "notice") == "The address of this page was changed or cut off. Nothing was filled in from it.", tampered
        assert not any(values(browser).values()), tampered
        assert browser.run("return document.querySelectorAll('#parameters li').length") == 0, tampered
        fill(browser, app="42")
        assert text(browser, "out-link") == "Enter a referrer.", tampered
        go_to(browser, "app=42&referrer=anna&param.pack=gold")
        assert values(browser)["referrer"] == "anna" and text(browser, "notice") == "", "the address as it was"
        go_to(browser, tampered)


# Table

TABLE = ("\ufeffnote,referrer,ct,page,param.pack\r\nx,anna,,,gold\r\n\"a\n\"\"b\",\"bob, jr\",su mmer,,é\r\n\r\nx,,,,\r\ny,carla," + "c" * 41
         + ",,\r\nz,dora,,https://apps.apple.com/app/id7?l=fr#top,\r\n\"o\"x,e,,,\r\nx,short\r\n")


@pytest.mark.parametrize("landing", [(), ("--landing", "https://example.com/get?x#y", "--referrer-item", "von wem")], ids=["page", "landing"])
def test_a_table_gets_the_same_links_as_from_the_command(browser, tmp_path, landing):
    visit(browser)
    fill(browser, app=APP, storefront="us", slug="trestle", pt="9", ct="std", at=str(AT))
    if landing:
        fill(browser, landing=landing[1], **{"referrer-item": landing[3]})
    browser.tap("document.getElementById('tab-many')")
    (tmp_path / "people.csv").write_bytes(TABLE.encode())
    browser.driver.find_element("id", "file").send_keys(str(tmp_path / "people.csv"))
    browser.wait_for("document.querySelectorAll('#rows tr').length", "the rows")
    expected = tool("links", str(tmp_path / "people.csv"), "--app-id", APP, "--storefront", "us", "--slug", "trestle", "--pt", "9", "--ct", "std",
                    "--at", str(AT), "--rejects", str(tmp_path / "rejects.csv"), *landing)
    assert saved(browser, "save") == ("people-links.csv", expected)
    assert saved(browser, "save-rejects") == ("people-rejects.csv", (tmp_path / "rejects.csv").read_bytes())
    rows = browser.run("return Array.from(document.querySelectorAll('#rows tr'), row => Array.from(row.cells, cell => cell.textContent))")
    links = [row["link"] for row in csv.DictReader(io.StringIO(expected.decode("utf-8-sig"), newline=""))]
    reasons = {row[0]: row[2] for row in rows if not row[2].startswith("https")}
    assert [row[2] for row in rows if row[0] not in reasons] == links
    assert reasons["6"] == "referrer: missing"
    assert reasons["9"] == "there is text after a closing quote"
    assert reasons["10"] == "2 cells, but 5 columns"
    assert text(browser, "rows-status") == f"7 rows: {len(links)} links, {len(reasons)} rejected."


def test_a_pasted_table_with_tabs_and_invalid_tables(browser):
    visit(browser, "#app=42&show=many")
    fill(browser, table="referrer\tname\nanna\tAnna\n", at="2026-11-21T01:32:30.690Z")
    assert saved(browser, "save") == ("referrals-links.tsv", tool("links", "--from", "tsv", "--app-id", "42", "--at", str(AT),
                                                                table=b"referrer\tname\nanna\tAnna\n"))
    fill(browser, table="name;who\na;b\n")
    assert text(browser, "table-error") == "CSV: there is no column 'referrer', only 'name', 'who'"
    assert browser.run("return document.getElementById('table').getAttribute('aria-invalid')") == "true"
    fill(browser, table="", at="yesterday")
    assert text(browser, "rows-status") == "No table yet."
    assert text(browser, "at-error").startswith("Enter Unix milliseconds")


def test_an_invalid_field_makes_no_links(browser):
    visit(browser, "#app=42&show=many")
    fill(browser, table="referrer\nanna\n", at="yesterday")
    assert text(browser, "rows-status") == "Correct the time of the tap first."
    fill(browser, pt="9", ct="x" * 41)
    fill(browser, at="")
    assert text(browser, "rows-status") == "Under “Make”, correct this field first: Campaign’s name (ct)."
    assert browser.run("return document.getElementById('rows-files').hidden")
    fill(browser, ct="x")
    fill(browser, at=str(AT))
    assert text(browser, "rows-status") == "1 row: 1 link."


def test_of_ten_thousand_rows_the_first_and_the_rejected_are_shown(browser):
    visit(browser, "#app=1300230302&pt=9&ct=std&show=many")
    browser.run("""
        const rows = Array.from({ length: 10000 }, (_, row) => `r${row},"Some, one",c${row},gold\\n`);
        rows[9000] = 'x\\n';
        const table = document.getElementById('table');
        table.value = 'referrer,name,ct,param.pack\\n' + rows.join('');
        table.dispatchEvent(new Event('input'));""")
    browser.wait_for("document.querySelector('#rows tr')", "the rows")
    assert text(browser, "rows-status") == "10,000 rows: 9,999 links, 1 rejected. Only the first 300 and the rejected rows are shown. The download has all of them."
    assert browser.run("return document.querySelectorAll('#rows tr').length") == 301
    assert browser.run("return document.querySelector('#rows tr:last-child').textContent") == "9002x1 cell, but 4 columns"


# Bad input

@in_chromium
def test_input_is_never_interpreted_as_html(browser):
    visit(browser, f"#referrer={quote(INJECTIONS[1])}")
    browser.run("for (const details of document.querySelectorAll('details')) details.open = true")
    elements = "return Array.from(document.querySelectorAll('*'), element => element.localName).filter(name => /^(img|script|b|iframe|object|embed|a|style|link)$/.test(name)).sort().join()"
    before = browser.run(elements)
    for injection in INJECTIONS:
        fill(browser, **{field: injection for field in values(browser)})
        fill(browser, **{**CAMPAIGN, "ct": "x", "slug": injection, "referrer": injection}, landing="https://example.com/?" + injection.replace(" ", ""))
        add_parameter(browser, injection, injection)
        assert browser.run(elements) == before
        fill(browser, table=f"referrer,param.{injection.replace(',', '').replace(chr(34), '')}\n\"{injection.replace(chr(34), chr(34) * 2)}\",\n{injection}\n", at=injection)
        fill(browser, strings=f"{injection}\nhttps://apps.apple.com/app/id{APP}?ed={injection}\nhttps://{injection}/\n"
             + tool("link", "--app-id", APP, "--referrer", injection, "--param", f"{injection.replace('=', '')}={injection}").decode(),
             hosts=injection, window=injection, now=injection)
        browser.run("for (const name of ['make', 'page', 'many', 'read']) document.getElementById(`tab-${name}`).click()")
        assert browser.run(elements) == before
        fill(browser, hosts="", window="", now="")
        assert browser.run(elements) == before
        assert injection.replace("\u202e", r"\u{202E}").replace("\u2028", r"\u{2028}") in text(browser, "verdicts")
        for kept in (f"#referrer={quote(injection)}", f"#{quote(injection)}={quote(injection)}", "#" + injection):
            go_to(browser, kept)
            assert browser.run(elements) == before
            if kept.startswith("#referrer=") and "\u2028" not in kept:
                assert values(browser)["referrer"] == injection
    assert browser.run("return window.injected") is None
    assert browser.faults == []
    assert browser.console() == []


@in_chromium
def test_the_page_requests_nothing_else_and_logs_nothing(browser):
    visit(browser)
    browser.run("window.faults = []; addEventListener('error', event => faults.push(event.message))")
    fill(browser, **CAMPAIGN, table=TABLE, strings="x\nhttps://apps.apple.com/app/id1?ed=x")
    for name in ("many", "read", "make"):
        browser.tap(f"document.getElementById('tab-{name}')")
    assert browser.console() == []
    assert browser.server.requests() == [browser.run(OWN)]


@in_each_browser
def test_the_page_works_from_a_file(browser):
    visit(browser, "#app=42&referrer=anna", (WEB / "index.html").as_uri().removesuffix(PAGE))
    assert text(browser, "out-element") == '<a href="https://apps.apple.com/app/id42" data-referrer="anna">Get the app</a>'
    see(browser, "copy-element")
    browser.tap("document.getElementById('copy-element')")
    assert browser.copied() == text(browser, "out-element")
    fill(browser, referrer="bob")
    browser.wait_for("location.hash == '#app=42&referrer=bob'", "the fragment")
    see(browser, "tab-many")
    browser.tap("document.getElementById('tab-many')")
    fill(browser, table="referrer\nanna\n", at=str(AT))
    assert saved(browser, "save")[1] == tool("links", "--app-id", "42", "--at", str(AT), table=b"referrer\nanna\n")
    fill(browser, strings="x")
    browser.tap("document.getElementById('tab-read')")
    assert "Not a link" in text(browser, "verdicts")


# Accessibility and speed

def test_a_key_draws_one_code_and_only_for_another_address(browser):
    visit(browser, "#app=1300230302&storefront=us&slug=trestle&pt=9&ct=spring&landing=https://example.com/get&referrer=a")
    drawn = browser.run("""
        const { encode } = QRCode;
        let codes = 0;
        QRCode.encode = (...given) => (codes += 1, encode(...given));
        window.keys = name => {
          const field = document.getElementById(name);
          for (let key = 0; key < 30; key += 1) {
            field.value += 'abcdefghij'[key % 10];
            field.dispatchEvent(new Event('input', { bubbles: true }));
          }
          return codes;
        };
        return [keys('referrer'), keys('ct')];""")
    assert drawn == [30, 30], "the campaign is not in the landing page's address"


def test_the_keyboard_switches_between_the_tabs(browser):
    visit(browser)
    browser.run("document.getElementById('tab-make').focus()")
    state = "return [document.activeElement.id, Array.from(document.querySelectorAll('[role=tabpanel]')).filter(part => !part.hidden).map(part => part.id).join()]"
    for key, name in ((Keys.ARROW_RIGHT, "page"), (Keys.ARROW_RIGHT, "many"), (Keys.ARROW_RIGHT, "read"), (Keys.ARROW_RIGHT, "make"), (Keys.ARROW_LEFT, "read"), (Keys.HOME, "make"),
                      (Keys.END, "read"), (Keys.HOME, "make")):
        browser.press(key)
        assert browser.run(state) == [f"tab-{name}", name]
    browser.press(Keys.TAB)
    assert browser.run("return document.activeElement.id") == "app"
    assert browser.run("return getComputedStyle(document.activeElement).outlineWidth") == "3px"


@in_chromium
@pytest.mark.parametrize("scheme, part", [
    ("light", "make"), ("dark", "many"), ("light", "read"),
    *(pytest.param(*look, marks=long) for look in (("dark", "make"), ("light", "many"), ("dark", "read")))])
def test_axe_finds_no_accessibility_violations(browser, scheme, part):
    if scheme == "dark" and browser.name != "chromium":
        pytest.skip("its driver has no dark theme")
    if browser.name == "chromium":
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    try:
        visit(browser, f"#app=42&referrer=anna&landing=https://example.com&param.pack=gold&show={part}")
        fill(browser, storefront="usa", table=TABLE, at="x", window="x", strings="see you at eight\n"
             + tool("link", "--app-id", "42", "--referrer", "anna").decode())
        browser.run("""
            document.body.style.backgroundImage = 'none'; /* the arches: no text is in front of them, but axe doesn't know */
            for (const details of document.querySelectorAll('details')) details.open = true;""")
        found = Axe().run(browser.driver)
        assert [(rule["id"], node["html"][:200]) for rule in found["violations"] for node in rule["nodes"]] == []
        assert len(found["passes"]) > 20
        assert [(rule["id"], node["html"][:200]) for rule in found["incomplete"] for node in rule["nodes"]] == []
    finally:
        if browser.name == "chromium":
            browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_every_control_is_large_enough_to_tap(browser):
    visit(browser)
    for part in ("make", "many", "read"):
        go_to(browser, f"#app=42&referrer=anna&param.pack=gold&show={part}")
        fill(browser, table=TABLE)
        for name, height in browser.run("""
                return Array.from(document.querySelectorAll('button, input, textarea, summary'))
                  .filter(element => element.getClientRects().length).map(element => [element.id, element.getBoundingClientRect().height])"""):
            assert height >= 44, name


def test_it_fits_a_narrow_window(browser):
    visit(browser, f"#app=42&referrer={'spring' * 100}&param.pack=gold&landing=https://example.com/{'x' * 300}")
    fill(browser, table=TABLE, strings="x" * 1000)
    assert browser.run("""
        const main = document.querySelector('main');
        document.body.style.width = main.style.width = '320px'; /* the policy allows this */
        return ['make', 'page', 'many', 'read'].map(part => {
          document.getElementById(`tab-${part}`).click();
          const panel = document.getElementById(part);
          panel.style.gridTemplateColumns = 'minmax(0, 1fr)';
          return main.scrollWidth;
        });""") == [320, 320, 320, 320]
