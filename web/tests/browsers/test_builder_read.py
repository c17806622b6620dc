"""The builder's page that reads copied strings, in browsers, by the vectors and the built command."""

import base64
import json
import os
import re
from pathlib import Path

from builder import APP, AT, fill, fragment, in_each_browser, in_one_browser, text, tool, visit
from display import until
from server import WEB, Server, plain_host

pytestmark = in_one_browser

VECTORS, SIGNING = (json.loads(Path(os.environ.get("REFERRAL_VECTORS") or WEB.parent / "Tests/Vectors", f"{name}.json").read_text())
                    for name in ("decode", "signing"))
VECTORS = VECTORS["cases"]
SIGNERS = [key["public"] for key in SIGNING["keys"]]


def spelled(case):
    """A case with the names of the reader's options, and durations in seconds."""
    return {**case, "window": case.get("windowMilliseconds", 300_000) / 1000, "hosts": case.get("additionalHosts", []),
            "reported": case.get("reportedTimestamp")}


# Each engine has its own addresses, dates and signatures.
@in_each_browser
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
  const status = document.getElementById('verdict-status');
  const observer = new MutationObserver(() => isOver() && (observer.disconnect(), done()));
  observer.observe(status, { childList: true, characterData: true, subtree: true });
  if (isOver()) done();
});
"""


def run_async(browser, script, *arguments):
    """What a script with `await` in it returns."""
    given, fault = browser.driver.execute_async_script(
        "const done = Array.prototype.pop.call(arguments);"
        f"(async (...arguments) => {{ {script} }})(...arguments).then(given => done([given, null]), error => done([null, String(error)]))",
        *arguments)
    assert fault is None
    return given


@in_each_browser
def test_signatures_are_judged_by_the_reader_and_on_the_page(browser):
    visit(browser, "#show=read")
    cases = [spelled(case) for case in SIGNING["judge"]]
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
        ["2. Wrong signature", "It passes if one of the signers made it for this app, and it is unchanged. A signer may be missing."],
        ["3. Campaign over", "A tap before 2026-11-21 01:32:29.690 UTC passes."],
        ["4. Found", "It passes until 2026-11-21 01:37:29.690 UTC."]]
    assert text(browser, "verdict-status") == "4 strings: sent by anna."
    # A signature is for one app, which this address doesn't name.
    fill(browser, strings=re.sub(r"^[^?]*", "https://example.com/get", signed("signed")), hosts="example.com")
    browser.wait_for("document.querySelector('.wrongSignature')", "the verdict")
    assert browser.run(cards)[0][1] == "To pass, it needs the app id under “More”: this address names none, and a signature is for one app."
    fill(browser, read_app=APP)
    browser.wait_for("document.querySelector('.found')", "the verdict")
    for wrong in (SIGNERS[0][:-1], SIGNERS[0] + SIGNERS[1], "x"):
        fill(browser, signers=wrong)
        assert text(browser, "signers-error") == "Enter public keys as referral-tool key prints them, 44 characters each, separated by spaces, commas or lines."
        assert (text(browser, "verdict-status"), browser.run(cards)) == ("Correct this field first: Signers.", [])
    assert SIGNERS[0] not in fragment(browser)


def test_nothing_is_found_before_its_signature_is_judged(browser):
    visit(browser, "#show=read")
    browser.run("""
        const { verify } = SubtleCrypto.prototype;
        window.held = [];
        SubtleCrypto.prototype.verify = function (...given) {
          return new Promise(done => held.push(async () => done(await verify.apply(this, given))));
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
    browser.run("return Promise.all(held.splice(0, 2).map(judge => judge()))")
    browser.run("return new Promise(done => setTimeout(() => setTimeout(done)))")  # it has had its turns to say something
    assert browser.run("return found()") == [1, 0, 0]
    browser.run("held.pop()()")
    browser.wait_for("document.querySelector('.wrongSignature')", "the verdict")
    fill(browser, strings=signed("signed"))
    assert browser.run("return found()") == [0, 0, 1], "it was judged for this signer meanwhile"
    fill(browser, signers=SIGNERS[0])
    browser.wait_for("held.length == 1", "the first signer again")
    browser.run("held.pop()()")
    browser.wait_for("document.querySelector('.found')", "the verdict")


@in_each_browser
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
        visit(browser, "#show=read", plain.origin)
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
    fill(browser, window="1m", read_app="42")
    assert "The address is that of another app." in text(browser, "verdicts")
    assert browser.run("return document.querySelector('#read summary').textContent") == "More 42, 1m"
    fill(browser, window="x", tolerance="-1", now="now", hosts="https://example.com")
    assert text(browser, "verdict-status") == "Correct this field first: Additional hosts."
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
        window.times = new Map();
        const {{ components }} = StorePage;
        StorePage.components = (string, ...given) => (times.set(string, (times.get(string) ?? 0) + 1), components(string, ...given));
        window.lines = log(10000, {AT} + 60000);
        fill({{ now: '{AT}', strings: lines.join('\\n') }});""")

    def read_again():
        """How many of the strings without a card were read more than once: those with one are read for it, and once a second."""
        return browser.run("return lines.slice(200).filter(line => times.get(line) != 1).length")
    until(lambda: "sent by" in text(browser, "verdict-status"), "the verdict")
    assert text(browser, "verdict-status") == "10,000 strings: sent by r3000. Only the first 200 are shown."
    assert browser.run("return document.querySelectorAll('#verdicts .fromTheFuture').length") == 200
    # The newest tap that passes is looked for in halves.
    assert read_again() < 20
    browser.run("fill({ now: '' })")
    until(lambda: "no referral found" in text(browser, "verdict-status"), "another moment")
    assert read_again() < 40
    before = browser.run("return times.get(lines[0])")
    browser.wait_for(f"times.get(lines[0]) > {before}", "the next second")
    assert read_again() < 40


def test_signatures_are_judged_once_each_and_between_the_keys(browser):
    visit(browser, "#show=read")
    # The time isn't signed, so one signature serves all.
    verified = run_async(browser, LOG + WHEN_JUDGED + """
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
        await waiting;
        window.setTimeout = setTimeout;
        lines.pop();
        lines[0] += 'x';
        fill({ strings: lines.join('\\n') });
        await judged(`${count - 1} strings: `);
        return verified;""", signed("signed"), AT, SIGNERS[0], 500)
    assert text(browser, "verdict-status") == "499 strings: sent by anna. Only the first 200 are shown."
    assert browser.run("return document.querySelectorAll('#verdicts .wrongSignature').length") == 199
    assert sum(verified) == 500, "each once"
    # A slow machine needs more turns, but in none of them more than a hundred.
    assert max(verified) <= 100, "a turn for each hundred, so that a key comes between them"


def test_a_key_in_five_thousand_links_is_handled_at_once(browser):
    visit(browser, "#show=read")
    # The event of a key reads at most what the page shows. The rest is read later, in slices.
    browser.run(LOG + f"window.lines = log(5000, {AT}); window.field = document.getElementById('strings'); fill({{ now: '{AT}' }});" + """
        const { components } = StorePage;
        let strings = 0;
        StorePage.components = (...given) => (strings += 1, components(...given));
        const counted = (task, work) => {
          const before = strings;
          task();
          work.push(strings - before);
        };
        window.keys = [];
        window.slices = [];
        window.enter = lines => {
          field.value = lines.join('\\n');
          counted(() => field.dispatchEvent(new Event('input', { bubbles: true })), keys);
        };
        const { setTimeout } = window;
        window.setTimeout = (task, delay) => setTimeout(() => counted(task, slices), delay);
        enter(lines);""")
    until(lambda: text(browser, "verdict-status").startswith("5,000 strings: sent by r0."), "all to be read")
    for line in (0, 1, 100, 199, 200, 4999) * 2:
        browser.run("lines[arguments[0]] += 'x'; enter(lines);", line)
    until(lambda: text(browser, "verdict-status").startswith("5,000 strings: sent by r2."), "all to be read again")
    keys, slices = browser.run("return [keys, slices]")
    assert max(keys) <= 200 and len(slices) > 2
    browser.run("window.card = document.querySelector('#verdicts :nth-child(50)'); lines.splice(60, 1); enter(lines);")
    until(lambda: text(browser, "verdict-status").startswith("4,999 strings"), "a line less")
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


def test_the_address_of_a_landing_page_says_what_to_do(browser):
    visit(browser, "#landing=https://example.com/get&referrer-item=by&show=read")
    hint = "This is the address of a landing page. Open it, tap its button, and paste the copied link; or name the page under “Make”."
    fill(browser, strings="https://example.com/get\nhttps://example.org/x?by=anna#y\nhttps://example.org/x?via=anna\nhello")
    remedies = browser.run("return Array.from(document.querySelectorAll('.remedy'), element => element.textContent)")
    assert remedies[0] == "Open it, tap its button, and paste the copied link."
    assert [remedy == hint for remedy in remedies] == [False, True, False, False]


def test_the_address_of_the_landing_page_is_read_as_the_app_reads_what_is_pasted(browser):
    visit(browser, "#landing=https://example.com/get&items=open&show=read")
    texts = ["Look: https://example.com/g%65t?open=%2Fb&via=anna.", "https://example.com/get?via=zoë", "example.com/get?via=ben", "https://example.com/get",
             "https://example.com/get?via=" + "a" * 9000]
    fill(browser, now=str(AT), strings="\n".join(texts))
    cards = "return Array.from(document.querySelectorAll('.verdict'), card => ['h3', '.reason', '.remedy'].map(name => card.querySelector(name).textContent))"
    shown = browser.run(cards)
    assert [title for title, *_ in shown] == ["1. Found", "2. Malformed payload", "3. Superseded", "4. No payload", "5. Too long"]
    assert shown[0][1:] == ["The address of the landing page names the referrer.", "It counts if it opens the app, or if somebody pastes it there."]
    assert shown[1][1:] == ["The address was cut, or something was added to it. Copy the whole address.", ""]
    assert shown[3][1] == "The address is the landing page’s, but it names no referrer."
    assert text(browser, "verdict-status") == "5 strings: sent by anna."
    assert "open/b" in browser.run("return document.querySelector('.found table').textContent")
    # With signers, the address needs a signature.
    fill(browser, signers=SIGNERS[0])
    browser.wait_for("document.querySelectorAll('.notSigned').length == 2", "the verdicts")
    fill(browser, signers="", landing="https://example.com/for/*")
    fill(browser, strings="https://example.com/for/anna。")
    assert text(browser, "verdict-status") == "1 string: sent by anna."
    # An address may go on in the next line.
    fill(browser, landing="https://example.com/get", strings="https://example.com/get?via=friends-of-\nthe-board\nhttps://example.com/get?via=3Danna")
    (first, *_), _, (*_, last) = browser.run(cards)
    assert first == "1. Malformed payload"
    assert last == "It contains =3D, as in the source of a mail: write = in its place."
    fill(browser, strings="https://example.com/get?via=friends-of-\n\n")
    assert text(browser, "verdict-status") == "2 strings: sent by friends-of-."
    fill(browser, strings="https://example.com/get?via=friends-of-\nthe")
    assert browser.run(cards)[0][0] == "1. Malformed payload"


def test_on_a_phone_the_verdict_comes_before_the_expert_fields(browser):
    visit(browser, "#show=read")
    places = "return ['strings', 'verdicts', 'read-app'].map(id => document.getElementById(id).getBoundingClientRect().top)"
    order = browser.run("return document.getElementById('verdicts').compareDocumentPosition(document.getElementById('read-app'))")
    assert order & 4, "and so it is for a screen reader"
    size = browser.driver.get_window_size()
    browser.driver.set_window_size(500, 800)
    try:
        # Asked once, since the layout may follow the window while it is looked at.
        tops = browser.run(places)
        assert tops == sorted(tops)
    finally:
        browser.driver.set_window_size(size["width"], size["height"])


def test_nothing_is_judged_by_a_field_that_is_wrong(browser):
    visit(browser, "#show=read")
    fill(browser, strings="https://example.com/get?via=anna")
    for field, value, label in [
        ("read_app", "abc", "App id"), ("window", "5 min", "Attribution window"), ("now", "yesterday", "Current time"), ("hosts", "https://x", "Additional hosts"),
    ]:
        fill(browser, **{field: value})
        assert text(browser, "verdict-status") == f"Correct this field first: {label}."
        assert browser.run("return document.getElementById('verdicts').children.length") == 0, field
        fill(browser, **{field: ""})
        assert browser.run("return document.getElementById('verdicts').children.length") == 1, field


def test_text_around_a_link_and_latin_1_are_named(browser):
    visit(browser, "#show=read")
    payload = '{"timestamp":1795224749690,"referrer":"André"}'
    link, latin = (f"https://apps.apple.com/app/id{APP}?ed={base64.b64encode(payload.encode(encoding)).decode()}" for encoding in ("utf-8", "latin-1"))
    fill(browser, now="1795224750690", strings="\n".join([f"Check this out: {link}", f"\u200b{link}", "ftp://apps.apple.com/x", "look: https://example.com/x", "https://a@example.com/x?via=y",
                                                                f"{link} see you", f"{link}。", f"{link}%E3%80%82", f"{link}.", latin, link, "hello", latin[:-5],
                                                                f"https://apps.apple.com/app/id{APP}?mt=8&amp;ed=x", f"https://apps.apple.com/app/id{APP}?ed=3Dx"]))
    remedies = browser.run("return Array.from(document.querySelectorAll('.remedy'), element => element.textContent)")
    other = "To pass, the link must arrive as the snippet wrote it. This one was cut off, changed, or written by hand."
    assert remedies == [
        "The string contains a link; pass the link alone.", "The string contains a link; pass the link alone.",
        "To pass, the string must be a whole address that begins with https://.", "The address in it has another host.",
        "To pass, the address must not have a user name and an @ before its host.",
        *["Text follows the link; pass the link alone."] * 3,
        "Text follows the link; pass the link alone.", "The payload is Latin-1, as btoa writes it; encode its text as UTF-8 first.",
        "It passes until 2026-11-21 01:37:29.690 UTC.", "To pass, the string must be a whole address that begins with https://.", other,
        "It contains &amp;, as in the source of a page: write & in its place.", "It contains =3D, as in the source of a mail: write = in its place."]
