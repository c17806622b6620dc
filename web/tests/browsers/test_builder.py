"""The builder, `web/index.html`, in browsers: its outputs against the built command's, and bad input."""

import csv
import io
import json
import os
import re
import subprocess
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from axe_core_python.selenium import Axe
from selenium.webdriver.common.keys import Keys

from browser import KINDS, TOOL, decode
from display import until
from server import WEB, Server, plain_host

# The builder doesn't ask which device it is on, so each browser is enough once.
pytestmark = pytest.mark.parametrize("session", [f"{kind}-as-it-is" for kind in KINDS], indirect=True, scope="session")

APP = "1300230302"
AT = 1795224750690
PAGE = "/index.html"
VECTORS, SIGNING = (json.loads(Path(os.environ.get("REFERRAL_VECTORS") or WEB.parent / "Tests/Vectors", f"{name}.json").read_text())
                    for name in ("decode", "signing"))
VECTORS = VECTORS["cases"]
SIGNERS = [key["public"] for key in SIGNING["keys"]]
INJECTIONS = ['</script><b>&"', "<img src=x onerror=window.injected=1>", "\" onfocus=\"window.injected=1\" autofocus x=\"", "<!--",
              "'><script>window.injected=1</script>", "javascript:window.injected=1", "{{7*7}}${7*7}", "__proto__", "\u202e\u2028<svg/onload=window.injected=1>"]
CAMPAIGN = {"app": APP, "storefront": "us", "slug": "trestle", "pt": "9", "ct": "spring & <sale>", "referrer": "anna \"é\" <b>"}

HELP = """
window.fill = values => {
  for (const [name, value] of Object.entries(values)) {
    const field = document.getElementById(name);
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
};
window.injected = null;
"""


def visit(browser, fragment="", address=None):
    browser.console()
    browser.driver.get("about:blank")
    if address:
        browser.driver.get(address + fragment)
    else:
        browser.visit(PAGE + fragment)
    browser.run(HELP)


def fill(browser, **values):
    browser.run("fill(arguments[0])", {name.replace("_", "-"): value for name, value in values.items()})


def add_parameter(browser, name, value):
    browser.run("""
        document.getElementById('add').click();
        const [first, second] = document.querySelector('#parameters li:last-child').querySelectorAll('input');
        for (const [field, text] of [[first, arguments[0]], [second, arguments[1]]]) {
          field.value = text;
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }""", name, value)


def text(browser, name):
    return browser.run("return document.getElementById(arguments[0]).textContent", name)


def values(browser):
    return browser.run("return Object.fromEntries(Array.from(document.querySelectorAll('#make input'), field => [field.id, field.value]))")


def tool(*arguments, table=None):
    answer = subprocess.run([TOOL, *arguments], input=table, capture_output=True, timeout=20)
    assert answer.returncode in (0, 65), answer.stderr
    return answer.stdout


def fragment(browser):
    """The page's fragment."""
    return browser.run("return location.hash")


def see(browser, name):
    """Scrolls an element into the window, which a driver's pointer doesn't do."""
    browser.run("document.getElementById(arguments[0]).scrollIntoView({ block: 'center' })", name)


def saved(browser, button):
    """The name and the content of a downloaded file."""
    browser.driver.set_script_timeout(15)
    name, content = browser.driver.execute_async_script("""
        const [button, done] = arguments;
        const make = URL.createObjectURL;
        const click = HTMLAnchorElement.prototype.click;
        let blob;
        URL.createObjectURL = given => { blob = given; return 'blob:test'; };
        HTMLAnchorElement.prototype.click = async function () {
          URL.createObjectURL = make;
          HTMLAnchorElement.prototype.click = click;
          const bytes = new Uint8Array(await blob.arrayBuffer());
          done([this.download, Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')]);
        };
        document.getElementById(button).click();""", button)
    return name, bytes.fromhex(content)


def read_code(picture):
    """The text of the QR code in a picture, or an empty string."""
    return subprocess.run(["zbarimg", "--quiet", "--nodbus", "--raw", picture], capture_output=True, text=True).stdout.strip()


# Make

def test_the_outputs_equal_the_commands(browser):
    visit(browser)
    fill(browser, **CAMPAIGN, landing="https://example.com/get?x#y")
    add_parameter(browser, "levelSet", "a\"b")
    page = ["--app-id", APP, "--storefront", "us", "--slug", "trestle", "--pt", "9", "--ct", CAMPAIGN["ct"]]
    row = json.dumps({"referrer": CAMPAIGN["referrer"], "parameters": {"levelSet": "a\"b"}}).encode()
    assert text(browser, "out-element") + "\n" == tool("links", "--from", "jsonl", "--to", "html", *page, table=row).decode()
    assert text(browser, "out-address") + "\n" == \
        tool("links", "--from", "jsonl", "--to", "txt", "--landing", "https://example.com/get?x#y", table=row).decode()
    link = text(browser, "out-link")
    found = decode(link)
    assert link + "\n" == tool("link", *page, "--referrer", CAMPAIGN["referrer"], "--param", "levelSet=a\"b",
                               "--at", str(found["timestamp"])).decode()
    assert (found["referrer"], found["parameters"]) == (CAMPAIGN["referrer"], {"levelSet": "a\"b"})
    assert text(browser, "out-inline") == tool("snippet", "--format", "html", "--min").decode()


def test_the_commands_that_sign_can_be_pasted_into_a_shell(browser, tmp_path):
    visit(browser)
    assert text(browser, "out-signed") == "Enter an app id."
    referrer, pack = "anna's \"é\" $(id) `id` \\ \\n !!", "--x=' %s"
    fill(browser, **{**CAMPAIGN, "referrer": referrer, "slug": "it's"})
    add_parameter(browser, "levelSet", pack)

    def pasted(name="signed"):
        answer = subprocess.run(["sh", "-c", text(browser, f"out-{name}")], cwd=tmp_path, capture_output=True, text=True, timeout=20,
                                env={**os.environ, "PATH": f"{TOOL.parent}:{os.environ['PATH']}"})
        assert answer.stderr == ""
        return answer.stdout.strip()
    assert re.fullmatch("[A-Za-z0-9+/]{43}=", pasted("key"))
    element = pasted()
    assert re.sub(' data-referral-(sig|until)="[^"]*"', "", element) == text(browser, "out-element")
    assert element.count(" data-referral-sig=") == element.count(" data-referral-until=") == 1
    fill(browser, landing="https://example.com/get?it's#x", ref="--to")
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
        *(("ref", control + "touch x #", "A command can’t hold a control character.") for control in "\x15\x1b\x7f\x9b\u202e"),
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
        visit(browser, f"#app={APP}&referrer=anna&param.{name}=x")
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
    fill(browser, paste=f" https://itunes.apple.com/de/app/trestle%20x/id{APP}?l=fr&pt=9&ct=sp%20ring&mt=8&ppid=45812c9b-c296-43d3-c6a0-c5a02f74bf6e#top ")
    assert {name: value for name, value in values(browser).items() if value and name != "paste"} == {
        "app": APP, "storefront": "de", "slug": "trestle x", "pt": "9", "ct": "sp ring", "ppid": "45812c9b-c296-43d3-c6a0-c5a02f74bf6e"}
    assert text(browser, "paste-note") == "The fields below are filled in. Left out: l=fr, #top"
    fill(browser, paste="https://example.com/id42")
    assert text(browser, "paste-error") == "The host is not the App Store's, apps.apple.com or itunes.apple.com."
    assert values(browser)["app"] == APP


@pytest.mark.parametrize("field, value, message", [
    ("app", "12a", "The app id is “12a”; it must be 1 to 19 digits."),
    ("storefront", "usa", "The storefront is “usa”; it must be a country code of two letters, such as us."),
    ("slug", "..", "The slug is “..”; it must be a name such as trestle-the-new-sudoku."),
    ("ct", "é" * 21, "The campaign token ct has 42 bytes; it must have 1 to 40."),
    ("ct", "", "The token ct is missing. The App Store counts pt and ct only together."),
    ("pt", "", "The token pt is missing. The App Store counts pt and ct only together."),
    ("ppid", "x", "The product page ppid is “x”; it must be a UUID."),
    ("referrer", "x" * 8190, "The referrer and the parameters are too long: a payload holds at most 8,192 bytes."),
    ("landing", "example.com", "Enter an address that begins with https:// or http:// and a host, without spaces."),
])
def test_an_invalid_field_has_a_message_beside_it(browser, field, value, message):
    visit(browser)
    fill(browser, **CAMPAIGN)
    assert browser.run("return document.querySelectorAll('[aria-invalid]').length") == 0
    fill(browser, **{field: value})
    wrong, said = browser.run("""
        const wrong = document.querySelectorAll('[aria-invalid]');
        return [Array.from(wrong, field => field.id), Array.from(wrong, field =>
          field.getAttribute('aria-describedby').split(' ').map(id => document.getElementById(id).textContent).join('|'))];""")
    assert wrong == [field]
    assert said[0].endswith("|" + message)
    if field != "landing":
        assert not text(browser, "out-link").startswith("http")
    fill(browser, **{field: CAMPAIGN.get(field, "")})
    assert browser.run("return document.querySelectorAll('[aria-invalid]').length") == 0
    assert text(browser, "out-link").startswith("https://")


def test_a_referrer_too_long_for_a_tap_gets_no_landing_address(browser):
    visit(browser)
    add_parameter(browser, "pack", "x" * 5000)
    fill(browser, referrer="a" * 4000, landing="https://example.com/get")
    too_long = "The referrer and the parameters are too long: a payload holds at most 8,192 bytes."
    assert text(browser, "out-address") == text(browser, "referrer-error") == too_long
    fill(browser, referrer="a" * 3000)
    assert text(browser, "out-address").startswith("https://example.com/get?ref=aaa")
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


def test_each_copy_button_copies_and_says_so(browser):
    visit(browser)
    fill(browser, **CAMPAIGN, landing="https://example.com/get")
    browser.run("for (const details of document.querySelectorAll('details')) details.open = true")
    for name in ("element", "address", "inline", "policy", "source", "key", "signed"):
        see(browser, f"copy-{name}")
        browser.tap(f"document.getElementById('copy-{name}')")
        until(lambda: browser.display.read() == text(browser, f"out-{name}"), f"{name} on the clipboard")
        assert text(browser, f"copy-{name}") == "Copied"
        browser.wait_for("document.getElementById('announcement').textContent == 'Copied.'", "the page to say so")
    before = browser.run("return Date.now()")
    see(browser, "copy-link")
    browser.tap("document.getElementById('copy-link')")
    until(lambda: "ed=" in (browser.display.read() or ""), "the link on the clipboard")
    assert browser.display.read() == text(browser, "out-link")
    assert browser.referral()["timestamp"] >= before - 1, "stamped when it was copied"
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
    fill(browser, **CAMPAIGN, landing="https://example.com/get?a=b&c#d", ref="von wem")
    add_parameter(browser, "pa&ck=", "gold + 100% #1")
    browser.wait_for("location.hash.includes('param.')", "the fragment")
    before = values(browser)
    outputs = [text(browser, f"out-{name}") for name in ("element", "address")]
    kept = fragment(browser)
    assert "app=1300230302&storefront=us&slug=trestle&" in kept and "landing=https://example.com/get" in kept
    visit(browser, kept)
    assert list(values(browser).values()) == list(before.values())
    assert [text(browser, f"out-{name}") for name in ("element", "address")] == outputs
    assert browser.server.requests() == [PAGE]
    browser.run("location.hash = 'app=42&show=read'")
    browser.wait_for("!document.getElementById('read').hidden", "the part")
    assert {name: value for name, value in values(browser).items() if value} == {"app": "42"}


@pytest.mark.parametrize("tampered", [
    "app=12a", "app=42&app=43", "app=42&evil=1", "app=42&", "app", "app=%E0%A4%A", "referrer=%ff", "app=42&show=all", "referrer=", "ct=" + "x" * 41,
    "landing=javascript:alert(1)", "app=42&param.referrer=x", "referrer=a%0Ab", "ppid=<img>", "app=42&param.=x", "app= 42", "referrer=" + "x" * 70000,
    "__proto__=x", "constructor=x", "app=42#app=43",
], ids=lambda fragment: fragment[:20])
def test_a_changed_fragment_fills_in_nothing_and_the_page_says_so(browser, tampered):
    visit(browser, "#" + tampered)
    assert text(browser, "notice") == "The address of this page was changed or cut off. Nothing was filled in from it."
    assert not any(values(browser).values())
    assert browser.run("return document.querySelectorAll('#parameters li').length") == 0
    fill(browser, app="42")
    assert text(browser, "out-link") == "Enter a referrer."


# Table

TABLE = ("\ufeffnote,referrer,ct,page,param.pack\r\nx,anna,,,gold\r\n\"a\n\"\"b\",\"bob, jr\",su mmer,,é\r\n\r\nx,,,,\r\ny,carla," + "c" * 41
         + ",,\r\nz,dora,,https://apps.apple.com/app/id7?l=fr#top,\r\n\"o\"x,e,,,\r\nx,short\r\n")


@pytest.mark.parametrize("landing", [(), ("--landing", "https://example.com/get?x#y", "--ref", "von wem")], ids=["page", "landing"])
def test_a_table_gets_the_same_links_as_from_the_command(browser, tmp_path, landing):
    visit(browser)
    fill(browser, app=APP, storefront="us", slug="trestle", pt="9", ct="std", at=str(AT))
    if landing:
        fill(browser, landing=landing[1], ref=landing[3])
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
    fill(browser, table="name;referrer\na;b\n")
    assert text(browser, "table-error") == \
        "CSV: there is no column 'referrer', only 'name;referrer'; its cells seem to be separated by ';', and csv is expected"
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
    assert text(browser, "rows-status") == "Under “Make”, correct this field first: Campaign token ct."
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
        window.start = performance.now();
        table.dispatchEvent(new Event('input'));
        new MutationObserver(() => { window.took ??= performance.now() - start; }).observe(document.getElementById('rows'), { childList: true });""")
    took = browser.wait_for("window.took", "the rows")
    print(f"{browser.name}: 10,000 rows in {took:.0f} ms")
    assert text(browser, "rows-status") == "10,000 rows: 9,999 links, 1 rejected. Only the first 300 and the rejected rows are shown. The download has all of them."
    assert browser.run("return document.querySelectorAll('#rows tr').length") == 301
    assert browser.run("return document.querySelector('#rows tr:last-child').textContent") == "9002x1 cell, but 4 columns"


# Read

def spelled(case):
    """A case with the names of the reader's options, and durations in seconds."""
    return {**case, "window": case.get("windowMilliseconds", 300_000) / 1000, "hosts": case.get("additionalHosts", []),
            "reported": case.get("reportedTimestamp")}


def test_the_reader_judges_every_vector_correctly(browser):
    visit(browser, "#show=read")
    failed = browser.run("""
        return arguments[0].filter(({ strings, verdicts, ...options }) =>
          ReferralReader.scan(strings, options).judgments.map(({ verdict }) => verdict).join() != verdicts.join()
        ).map(({ name }) => name);""", [spelled(case) for case in VECTORS])
    assert failed == []


def test_the_page_judges_pasted_vectors_correctly(browser):
    visit(browser, "#show=read")
    cases = [case for case in map(spelled, VECTORS) if case["reported"] is None
             and not any("\n" in text or "\r" in text or len(text) > 5000 for text in case["strings"]) and "".join(case["strings"]).strip()]
    assert len(cases) > len(VECTORS) / 2
    failed = browser.run("""
        return arguments[0].map(({ name, appID, now, window, hosts, strings, verdicts }) => {
          fill({ 'read-app': appID ?? '', now: `${now}`, window: `${window}`, hosts: hosts.join(', '), strings: strings.join('\\n') + '\\n' });
          const given = Array.from(document.querySelectorAll('#verdicts .verdict'), card => card.className.replace('card verdict ', ''));
          return given.join() == verdicts.join() ? null : [name, given, verdicts];
        }).filter(Boolean);""", cases)
    assert failed == []


WHEN_JUDGED = """
window.judged = text => new Promise(done => {
  const isOver = () => document.getElementById('verdict-status').textContent.includes(text ?? ': ') && !document.getElementById('verdict-status').textContent.includes('% read');
  const { setTimeout } = window;
  const wait = () => isOver() ? done() : setTimeout(wait);
  wait();
});
"""


def run_async(browser, script, *arguments):
    """What a script with `await` in it returns."""
    browser.driver.set_script_timeout(15)
    given, fault = browser.driver.execute_async_script(
        "const done = Array.prototype.pop.call(arguments);"
        f"(async (...arguments) => {{ {script} }})(...arguments).then(given => done([given, null]), error => done([null, String(error)]))",
        *arguments)
    assert fault is None
    return given


def test_signatures_are_judged_by_the_reader_and_on_the_page(browser):
    visit(browser, "#show=read")
    cases = [spelled({**case, "reported": case.get("reportedTimestamp")}) for case in SIGNING["judge"]]
    shown = [case for case in cases if case["reported"] is None]
    assert len(shown) > 40
    failed = run_async(browser, WHEN_JUDGED + """
        const [cases, shown] = arguments;
        const failed = [];
        for (const { strings, verdicts, ...options } of cases) {
          const { judgments } = await ReferralReader.scanSigned(strings, options);
          if (judgments.map(({ verdict }) => verdict).join() != verdicts.join()) failed.push(options.name);
        }
        for (const { name, appID, now, hosts, signers, strings, verdicts } of shown) {
          fill({ 'read-app': appID, now: `${now}`, hosts: hosts.join(), signers: signers.join(' ,\\n'), strings: strings.join('\\n') });
          await judged();
          const given = Array.from(document.querySelectorAll('#verdicts .verdict'), card => card.className.replace('card verdict ', ''));
          if (given.join() != verdicts.join()) failed.push([name, given, verdicts]);
        }
        return failed;""", cases, shown)
    assert failed == []


def signed(name):
    """The one string of a case."""
    [string] = next(case["strings"] for case in SIGNING["judge"] if case["name"] == name)
    return string


def test_the_page_says_what_would_pass_a_signature(browser):
    visit(browser, "#show=read")
    strings = [signed(name) for name in ("no sig", "another referrer", "until at the tap", "signed")]
    cards = "return Array.from(document.querySelectorAll('.verdict'), card => ['h3', '.remedy'].map(name => card.querySelector(name).textContent))"
    fill(browser, strings="\n".join(strings), now=str(AT))
    assert [title for title, _ in browser.run(cards)] == ["1. Found", "2. Superseded", "3. Superseded", "4. Superseded"]
    run_async(browser, WHEN_JUDGED + "fill({ signers: arguments[0] }); await judged();", SIGNERS[0])
    assert browser.run(cards) == [
        ["1. Not signed", "To pass, the link must come from an address or a page that referral-tool made with --sign."],
        ["2. Wrong signature", "It passes if one of the signers made it for this app, and nothing was changed since. A signer may be missing."],
        ["3. Campaign over", "A tap before 2026-11-21 01:32:29.690 UTC passes."],
        ["4. Found", "It passes until 2026-11-21 01:37:29.690 UTC."]]
    assert text(browser, "verdict-status") == "4 strings: sent by anna."
    # A signature is for one app, which this address doesn't name.
    fill(browser, strings=re.sub(r"^[^?]*", "https://example.com/get", signed("signed")), hosts="example.com")
    browser.wait_for("document.querySelector('.wrongSignature')", "the verdict")
    assert browser.run(cards)[0][1] == "To pass, it needs the app id under “App”: this address names none, and a signature is for one app."
    fill(browser, read_app=APP)
    browser.wait_for("document.querySelector('.found')", "the verdict")
    for wrong in (SIGNERS[0][:-1], SIGNERS[0] + SIGNERS[1], "x"):
        fill(browser, signers=wrong)
        assert text(browser, "signers-error") == "Enter public keys of 44 characters, separated by spaces, commas or lines."
        assert (text(browser, "verdict-status"), browser.run(cards)) == ("Correct the signers first.", [])
    assert SIGNERS[0] not in fragment(browser)


def test_nothing_is_found_before_its_signature_is_judged(browser):
    visit(browser, "#show=read")
    browser.run("""
        const { verify } = SubtleCrypto.prototype;
        window.held = [];
        SubtleCrypto.prototype.verify = function (...given) {
          return new Promise(done => held.push(() => done(verify.apply(this, given))));
        };
        window.found = () => [held.length, document.querySelectorAll('.found').length, document.querySelectorAll('#verdicts .verdict').length];""")
    fill(browser, strings=signed("signed"), now=str(AT))
    assert browser.run("return found()") == [0, 1, 1]
    fill(browser, signers=SIGNERS[0])
    browser.wait_for("held.length == 1", "the signature to be judged")
    assert browser.run("return found()") == [1, 0, 0]
    # What is judged late says nothing for other signers, nor of other strings.
    fill(browser, signers=SIGNERS[1])
    browser.wait_for("held.length == 2", "the other signer")
    fill(browser, strings=signed("another referrer"))
    browser.wait_for("held.length == 3", "the other string")
    browser.run("held.splice(0, 2).forEach(judge => judge())")
    browser.run("return new Promise(later => setTimeout(later, 200))")
    assert browser.run("return found()") == [1, 0, 0]
    browser.run("held.pop()()")
    browser.wait_for("document.querySelector('.wrongSignature')", "the verdict")
    fill(browser, strings=signed("signed"))
    assert browser.run("return found()") == [0, 0, 1], "it was judged for this signer meanwhile"
    fill(browser, signers=SIGNERS[0])
    browser.wait_for("held.length == 1", "the first signer again")
    browser.run("held.pop()()")
    browser.wait_for("document.querySelector('.found')", "the verdict")


def test_signatures_are_checked_as_rfc_8032_and_wycheproof_have_them(browser):
    visit(browser)
    cases = json.loads((WEB.parent / "Tests/SigningTests/ed25519.json").read_text())["cases"]
    wrong = run_async(browser, """
        const bytes = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));
        const wrong = [];
        for (const { name, publicKey, message, signature, valid } of arguments[0]) {
          const signer = btoa(String.fromCharCode(...bytes(publicKey)));
          if (await ReferralReader.isSignature(bytes(signature), bytes(message), [signer]) != valid) wrong.push(name);
        }
        return wrong;""", cases)
    assert wrong == [] and len(cases) > 150


def assert_no_signature_is_judged(browser):
    fill(browser, strings=signed("signed"), now=str(AT))
    assert text(browser, "verdict-status") == "1 string: sent by anna."
    fill(browser, signers=SIGNERS[0])
    browser.wait_for("document.getElementById('verdict-status').textContent.startsWith('No signature')", "the reason")
    assert text(browser, "verdict-status") == (
        "No signature can be judged here, because the platform has no Ed25519 in crypto.subtle, or the page is not on https. "
        "In a terminal, referral-tool decode --signer judges signatures.")
    assert text(browser, "verdicts") == ""
    fill(browser, signers="")
    assert text(browser, "verdict-status") == "1 string: sent by anna."


def test_a_browser_without_ed25519_says_so(browser):
    visit(browser, "#show=read")
    browser.run("SubtleCrypto.prototype.importKey = async () => { throw new DOMException('', 'NotSupportedError'); };")
    assert_no_signature_is_judged(browser)


def test_a_page_on_plain_http_says_that_it_judges_no_signature(browser):
    plain = Server(plain_host())
    try:
        visit(browser, "#show=read", address=plain.origin + PAGE)
        assert browser.run("return crypto.subtle === undefined"), "as in every browser on plain http"
        assert_no_signature_is_judged(browser)
    finally:
        visit(browser)
        plain.close()


def test_the_age_of_a_tap_is_updated_and_the_page_says_what_would_pass(browser):
    visit(browser, "#show=read")
    link = tool("link", "--app-id", APP, "--referrer", "spring", "--param", "pack=gold").decode().strip()
    fill(browser, strings=f"see you at eight\n{link}")
    rows = "Object.fromEntries(Array.from(document.querySelectorAll('.found tr'), row => [row.cells[0].textContent, row.cells[1].textContent]))"
    shown = browser.run("return " + rows)
    assert (shown["app id"], shown["referrer"], shown["pack"]) == (APP, "spring", "gold")
    assert text(browser, "verdict-status") == "2 strings: sent by spring."
    browser.wait_for(f"{rows}.age != {json.dumps(shown['age'])}", "the age to tick")
    remedies = browser.run("return Array.from(document.querySelectorAll('.remedy'), remedy => remedy.textContent)")
    assert remedies[0] == "To pass, the string must be a whole address that begins with https://."
    assert remedies[1].startswith("It passes until 20")
    fill(browser, window="1ms")
    assert "Expired" in text(browser, "verdicts")
    fill(browser, window="x", read_app="42", tolerance="-1", now="now", hosts="https://example.com")
    assert "The address is that of another app." in text(browser, "verdicts")
    for name in ("window", "tolerance", "now", "hosts"):
        assert text(browser, f"{name}-error"), name


# The field is hidden, since laying out a long text takes seconds.
LOG = """
document.getElementById('strings').style.display = 'none';
window.log = (count, now) => Array.from({ length: count }, (_, row) =>
  ReferralBridge.link('https://apps.apple.com/us/app/trestle/id1300230302?mt=8', ReferralBridge.payload({ timestamp: now - row * 10, referrer: `r${row}` })));
"""


def test_each_string_of_a_long_log_is_read_once(browser):
    visit(browser, "#show=read")
    browser.run(LOG + f"""
        const read = window.read = {{ strings: 0 }};
        const {{ components }} = StorePage;
        StorePage.components = (...given) => (read.strings += 1, components(...given));
        fill({{ now: '{AT}', strings: log(10000, {AT} + 60000).join('\\n') }});""")
    until(lambda: "sent by" in text(browser, "verdict-status"), "the verdict", patience=60)
    assert text(browser, "verdict-status") == "10,000 strings: sent by r3000. Only the first 200 are shown."
    assert browser.run("return document.querySelectorAll('#verdicts .fromTheFuture').length") == 200
    # The strings with cards are read a few times more: once for the card, and once a second.
    count = browser.run("return read.strings")
    browser.run("fill({ now: '' })")
    until(lambda: "no referral found" in text(browser, "verdict-status"), "another moment", patience=60)
    seen = browser.run("return read.strings")
    assert count < 12000 and seen - count < 2000, (count, seen)
    browser.run("setTimeout(() => { window.later = performance.now(); }, 2500)")
    browser.wait_for("window.later", "two seconds more")
    assert browser.run("return read.strings") - seen < 2000


def test_signatures_are_judged_once_each_and_between_the_keys(browser):
    visit(browser, "#show=read")
    # The time isn't signed, so one signature serves all.
    result = run_async(browser, LOG + WHEN_JUDGED + """
        const [string, now, signers, count] = arguments;
        const { timestamp, referrer, parameters } = ReferralReader.judge(string, { now });
        const lines = Array.from({ length: count }, (_, row) => ReferralBridge.link('https://apps.apple.com/app/id1300230302',
          ReferralBridge.payload({ timestamp: timestamp - row, referrer: row < count / 2 ? 'eve' : referrer, ...parameters })));
        const { verify } = SubtleCrypto.prototype;
        let turn = 0;
        const verified = [0];
        SubtleCrypto.prototype.verify = function (...given) { verified[turn] += 1; return verify.apply(this, given); };
        const waiting = judged(`${count} strings: `);
        const { setTimeout } = window;
        window.setTimeout = (...given) => (verified[turn += 1] = 0, setTimeout(...given));
        fill({ now: `${now}`, signers, strings: lines.join('\\n') });
        const start = performance.now();
        await waiting;
        const took = performance.now() - start;
        window.setTimeout = setTimeout;
        lines.pop();
        lines[0] += 'x';
        fill({ strings: lines.join('\\n') });
        await judged(`${count - 1} strings: `);
        return { took, verified };""", signed("signed"), AT, SIGNERS[0], 500)
    print(f"{browser.name}: 500 signatures in {result['took']:.0f} ms")
    assert text(browser, "verdict-status") == "499 strings: sent by anna. Only the first 200 are shown."
    assert browser.run("return document.querySelectorAll('#verdicts .wrongSignature').length") == 199
    assert sum(result["verified"]) == 500, "each once"
    # A slow machine needs more turns, but in none of them more than a hundred.
    assert max(result["verified"]) <= 100, "a turn for each hundred, so that a key comes between them"


def test_a_key_in_five_thousand_links_is_handled_at_once(browser):
    visit(browser, "#show=read")
    # The event of a key reads at most what the page shows. The rest is read later, in slices.
    browser.run(LOG + f"window.lines = log(5000, {AT}); window.field = document.getElementById('strings'); fill({{ now: '{AT}' }});" + """
        const { components } = StorePage;
        let strings = 0;
        StorePage.components = (...given) => (strings += 1, components(...given));
        const measured = (task, work) => {
          const [start, before] = [performance.now(), strings];
          task();
          work.push({ took: performance.now() - start, strings: strings - before });
        };
        window.keys = [];
        window.slices = [];
        window.enter = lines => {
          field.value = lines.join('\\n');
          measured(() => field.dispatchEvent(new Event('input', { bubbles: true })), keys);
        };
        const { setTimeout } = window;
        window.setTimeout = (task, delay) => setTimeout(() => measured(task, slices), delay);
        enter(lines);""")
    until(lambda: text(browser, "verdict-status").startswith("5,000 strings: sent by r0."), "all to be read", patience=60)
    for line in (0, 1, 100, 199, 200, 4999) * 2:
        browser.run("lines[arguments[0]] += 'x'; enter(lines);", line)
    until(lambda: text(browser, "verdict-status").startswith("5,000 strings: sent by r2."), "all to be read again", patience=60)
    keys, slices = browser.run("return [keys, slices]")
    times = [sorted(work["took"] for work in part) for part in (keys[1:], slices)]
    print(f"{browser.name}: pasted in {keys[0]['took']:.1f} ms; "
          + "; ".join(f"then {name} of {part[len(part) // 2]:.1f} ms, at most {part[-1]:.1f} ms"
                      for name, part in zip(("keys", "slices"), times)))
    assert max(work["strings"] for work in keys) <= 200 and len(slices) > 2
    browser.run("window.card = document.querySelector('#verdicts :nth-child(50)'); lines.splice(60, 1); enter(lines);")
    until(lambda: text(browser, "verdict-status").startswith("4,999 strings"), "a line less", patience=60)
    assert browser.run("return card == document.querySelector('#verdicts :nth-child(50)')")


def test_the_page_reads_the_clipboard_or_says_why_not(browser):
    visit(browser, "#show=read")
    browser.run("navigator.clipboard && (navigator.clipboard.readText = async () => { throw new Error('no'); })")
    browser.tap("document.getElementById('paste-button')")
    browser.wait_for("document.getElementById('clipboard-error').textContent.startsWith('The browser doesn’t let')", "words")
    assert browser.run("return document.activeElement.id") == "strings"
    browser.run("""Object.defineProperty(navigator, 'clipboard', { value: { readText: async () => 'see you at eight' }, configurable: true })""")
    browser.tap("document.getElementById('paste-button')")
    browser.wait_for("document.querySelector('.notALink')", "the verdict")
    assert text(browser, "clipboard-error") == ""


# Bad input

def test_input_is_never_interpreted_as_html(browser):
    visit(browser)
    browser.run("for (const details of document.querySelectorAll('details')) details.open = true")
    elements = "return Array.from(document.querySelectorAll('*'), element => element.localName).filter(name => /^(img|script|b|iframe|object|embed|a|style|link)$/.test(name)).sort().join()"
    before = browser.run(elements)
    for injection in INJECTIONS:
        for field in values(browser):
            fill(browser, **{field: injection})
        fill(browser, **{**CAMPAIGN, "ct": "x", "slug": injection, "referrer": injection}, landing="https://example.com/?" + injection.replace(" ", ""))
        add_parameter(browser, injection, injection)
        assert browser.run(elements) == before
        fill(browser, table=f"referrer,param.{injection.replace(',', '').replace(chr(34), '')}\n\"{injection.replace(chr(34), chr(34) * 2)}\",\n{injection}\n", at=injection)
        fill(browser, strings=f"{injection}\nhttps://apps.apple.com/app/id{APP}?ed={injection}\nhttps://{injection}/\n"
             + tool("link", "--app-id", APP, "--referrer", injection, "--param", f"{injection.replace('=', '')}={injection}").decode(),
             hosts=injection, window=injection, now=injection)
        browser.run("for (const name of ['make', 'many', 'read']) document.getElementById(`tab-${name}`).click()")
        assert browser.run(elements) == before
        assert injection in text(browser, "verdicts")
        for kept in (f"#referrer={quote(injection)}", f"#{quote(injection)}={quote(injection)}", "#" + injection):
            visit(browser, kept)
            assert browser.run(elements) == before
            if kept.startswith("#referrer=") and "\u2028" not in kept:
                assert values(browser)["referrer"] == injection
    assert browser.run("return window.injected") is None
    assert browser.faults == []
    assert browser.console() == []


def test_the_page_requests_nothing_else_and_logs_nothing(browser):
    visit(browser)
    browser.run("window.faults = []; addEventListener('error', event => faults.push(event.message))")
    fill(browser, **CAMPAIGN, table=TABLE, strings="x\nhttps://apps.apple.com/app/id1?ed=x")
    for name in ("many", "read", "make"):
        browser.tap(f"document.getElementById('tab-{name}')")
    assert browser.console() == []
    assert browser.server.requests() == [PAGE]


def test_the_page_works_from_a_file(browser):
    visit(browser, address=(WEB / "index.html").as_uri(), fragment="#app=42&referrer=anna")
    assert text(browser, "out-element") == '<a href="https://apps.apple.com/app/id42" data-referrer="anna">anna</a>'
    browser.tap("document.getElementById('copy-element')")
    until(lambda: browser.display.read() == text(browser, "out-element"), "the element on the clipboard")
    fill(browser, referrer="bob")
    browser.wait_for("location.hash == '#app=42&referrer=bob'", "the fragment")
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
          const took = Array.from({ length: 30 }, (_, index) => {
            field.value += 'abcdefghij'[index % 10];
            const start = performance.now();
            field.dispatchEvent(new Event('input', { bubbles: true }));
            document.body.getBoundingClientRect();
            return performance.now() - start;
          }).sort((a, b) => a - b);
          return { codes, median: took[15], most: took[29] };
        };
        return [keys('referrer'), keys('ct')];""")
    for name, keys in zip(("with a code", "without"), drawn):
        print(f"{browser.name}: a key {name} in {keys['median']:.1f} ms, at most {keys['most']:.1f} ms")
    assert [keys["codes"] for keys in drawn] == [30, 30], "the campaign is not in the landing page's address"


def test_the_keyboard_switches_between_the_tabs(browser):
    visit(browser)
    browser.run("document.getElementById('tab-make').focus()")
    state = "return [document.activeElement.id, Array.from(document.querySelectorAll('[role=tabpanel]')).filter(part => !part.hidden).map(part => part.id).join()]"
    for key, name in ((Keys.ARROW_RIGHT, "many"), (Keys.ARROW_RIGHT, "read"), (Keys.ARROW_RIGHT, "make"), (Keys.ARROW_LEFT, "read"), (Keys.HOME, "make"),
                      (Keys.END, "read"), (Keys.HOME, "make")):
        browser.press(key)
        assert browser.run(state) == [f"tab-{name}", name]
    browser.press(Keys.TAB)
    assert browser.run("return document.activeElement.id") == "paste"
    assert browser.run("return getComputedStyle(document.activeElement).outlineWidth") == "3px"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("part", ["make", "many", "read"])
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
        browser.driver.set_script_timeout(30)
        found = Axe().run(browser.driver)
        assert [(rule["id"], node["html"][:200]) for rule in found["violations"] for node in rule["nodes"]] == []
        assert len(found["passes"]) > 20
        assert [(rule["id"], node["html"][:200]) for rule in found["incomplete"] for node in rule["nodes"]] == []
    finally:
        if browser.name == "chromium":
            browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_every_control_is_large_enough_to_tap(browser):
    for part in ("make", "many", "read"):
        visit(browser, f"#app=42&referrer=anna&param.pack=gold&show={part}")
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
        return ['make', 'many', 'read'].map(part => {
          document.getElementById(`tab-${part}`).click();
          const panel = document.getElementById(part);
          panel.style.gridTemplateColumns = 'minmax(0, 1fr)';
          return main.scrollWidth;
        });""") == [320, 320, 320]
