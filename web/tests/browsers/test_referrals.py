"""The app reads what the attributes contain."""

import json

import pytest

from browser import decode

TEXTS = {
    "ASCII": "spring-newsletter",
    "quotes": "\"double\" 'single' `back` \\ / \\u0041",
    "emoji": "🎉 👩‍👩‍👧 🇨🇿",
    "right to left": "שלום عالم",
    "composed and decomposed": "é e\u0301",
    "controls": "\u0001\u0008\t\u001f\u007f\u0085\u2028\ufeff",
    "all of both alphabets": "~~~???>>>ûûû\u00ff\u00fe",
    "one byte past": "a",
    "two bytes past": "ab",
    "no bytes past": "abc",
    "markup": "</script><script>alert(1)</script><!--]]>&amp;",
    "code": "'); alert(1); ('${alert(1)}",
    "an address's letters": "a&ed=AAAA&b#c?d%20+e",
}


def test_a_text_reads_back(browser):
    browser.open(browser.link())
    for name in ["quotes", "emoji", "right to left", "controls", "all of both alphabets", "an address's letters"]:
        text = TEXTS[name]
        browser.forget()
        browser.run("Object.assign(document.getElementById('link').dataset, { referrer: arguments[0], referralKey: arguments[0] })", text)
        browser.tap()
        referral = browser.referral()
        assert (referral["referrer"], referral["parameters"]) == (text, {"key": text}), name


def test_a_text_in_the_markup_reads_back(browser):
    browser.open(browser.link(data_referrer=TEXTS["markup"], data_referral_key=TEXTS["quotes"]))
    browser.tap()
    referral = browser.referral()
    assert (referral["referrer"], referral["parameters"]) == (TEXTS["markup"], {"key": TEXTS["quotes"]})


def test_a_lone_surrogate_becomes_the_replacement_character(browser):
    # WebDriver can't pass such a string, so the page makes it.
    browser.open(browser.link())
    browser.run("Object.assign(document.getElementById('link').dataset, { referrer: 'a\\ud800b', referralKey: '\\udfff' })")
    browser.tap()
    referral = browser.referral()
    assert (referral["referrer"], referral["parameters"]) == ("a\ufffdb", {"key": "\ufffd"})


def test_an_attribute_is_a_parameter_if_a_letter_follows_its_prefix(browser):
    browser.open(browser.link(**{
        "data-referral-pack": "gold", "data-referral-level-set": "3", "DATA-REFERRAL-UPPER": "u", "data-referral-a1.b": "dot",
        "data-referral-empty": "", "data-referral-onward": "o", "data-referral-via": "r",
        "data-referral": "none", "data-referrals": "none", "data-referral-1": "none", "data-referral--x": "none",
        "data-referral-": "none", "data-referral-é": "none", "data-referrer-x": "none", "data-other": "none",
        "data-referral-timestamp": "none", "data-referral-referrer": "none"}))
    browser.tap()
    referral = browser.referral()
    assert referral["parameters"] == {"pack": "gold", "levelSet": "3", "upper": "u", "a1.b": "dot", "empty": "", "onward": "o", "via": "r"}
    assert referral["referrer"] == "spring"
    assert referral["timestamp"] > 1e12, "the time of the tap"


def test_a_parameter_of_an_svg_link_has_no_capital_letters(browser):
    # Only in SVG and XML can an attribute have one, and then it is in no dataset.
    browser.open(f'<svg width="99" height="99">{browser.link("<rect width=99 height=99 />", data_referral_level_set="3")}</svg>')
    browser.run("""
        const link = document.getElementById('link');
        link.setAttribute('data-referral-levelOne', 'none');
        link.setAttribute('data-Referral-one', 'none');""")
    browser.tap("document.querySelector('rect')")
    assert browser.referral()["parameters"] == {"levelSet": "3"}


QUERIES = {
    "?via=alice": "alice",
    "?a=1&via=alice&via=bob": "alice",
    "?via=al+ice%21%F0%9F%8E%89": "al ice!🎉",
    "?via=%ff": "\ufffd",
    "?via=": "spring",
    "?via": "spring",
    "?REF=alice&xref=bob&undefined=carol": "spring",
    "?": "spring",
    "?#?via=alice": "spring",
}


def test_the_page_s_own_query_names_the_referrer(browser):
    browser.open(browser.link(data_referrer_from="via"), query="?via=anna")
    browser.tap()
    assert browser.referral()["referrer"] == "anna"
    for query, referrer in QUERIES.items():
        browser.run("history.replaceState(null, '', arguments[0])", query)
        [link] = browser.written("link")
        assert decode(link)["referrer"] == referrer, query


def test_the_query_alone_can_name_a_referrer(browser):
    browser.open(browser.link(data_referrer=None, data_referrer_from="via"), query="?via=alice")
    browser.tap()
    assert browser.referral()["referrer"] == "alice"


def test_without_the_attribute_the_query_names_nobody(browser):
    browser.open(browser.link() + browser.link(name="empty", data_referrer_from=""), query="?undefined=alice&=bob&null=carol")
    for name in ("link", "empty"):
        browser.tap(name)
        browser.server.wait_for_store()
        browser.server.forget()
        assert decode(browser.events[-1]["link"])["referrer"] == "spring"


def test_without_a_referrer_it_is_an_ordinary_link(browser):
    browser.open(browser.link(data_referrer=None) + browser.link(name="empty", data_referrer="")
                 + browser.link(name="from", data_referrer=None, data_referrer_from="via"))
    for name in ("link", "empty", "from"):
        browser.tap(name)
    browser.server.wait_for_store(3)
    assert browser.events == []
    browser.assert_nothing_copied()


def test_a_payload_of_300_kB_leaves_an_ordinary_link(browser):
    browser.open(browser.link())
    browser.run("document.getElementById('link').dataset.referralKey = 'x'.repeat(3e5)")
    browser.tap()
    browser.server.wait_for_store()
    assert browser.events == []
    browser.assert_nothing_copied()


def test_a_page_copies_300_kB_of_its_own(browser):
    browser.open("<button id=button onclick='copied = ReferralBridge.copy(\"é\".repeat(15e4), this)'>copy</button>")
    browser.tap("button")
    assert browser.copied() == "é" * 150_000
    assert browser.run("return copied") is True


def test_a_page_writes_and_copies_a_link_of_its_own(browser):
    browser.open("""<button id="button">copy</button><script>
        document.getElementById('button').onclick = event => {
          const { payload, link, copy } = ReferralBridge;
          window.copied = copy(link('https://apps.apple.com/app/id1300230302?ct=a%20b', payload({ timestamp: Date.now(), referrer: 'own', k: 'v' })), event.target);
        };</script>""")
    browser.tap("button")
    link = browser.copied()
    assert link.startswith("https://apps.apple.com/app/id1300230302?ct=a%20b&ed=")
    referral = decode(link)
    assert (referral["referrer"], referral["parameters"]) == ("own", {"k": "v"})
    assert browser.run("return copied") is True
    assert browser.event() == {"link": link, "copied": True, "on": "button", "composed": True}


def test_what_a_page_writes_reads_back_whatever_it_is(browser):
    # In all three engines, because Node has Chromium's.
    browser.open("")
    samples = [[text, {name: text for name in ("b", "10", "9", "é", text[:1] or "a")}] for text in TEXTS.values()]
    links = browser.run("""
        const { payload, link } = ReferralBridge;
        return arguments[0].map(([referrer, parameters]) => link('https://apps.apple.com/app/id1300230302', payload({ ...parameters, timestamp: Date.now(), referrer })));""", samples)
    for (referrer, parameters), link in zip(samples, links, strict=True):
        referral = decode(link)
        assert (referral["referrer"], referral["parameters"]) == (referrer, parameters), json.dumps(link)
