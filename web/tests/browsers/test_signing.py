"""Signed referrals on their whole way: the command signs, a person taps, and the command judges what was copied."""

import json
import re

import pytest

from browser import tool
from sessions import IPHONE, IPHONES, runs_in

APP = "1300230302"
STORE = f"https://apps.apple.com/us/app/trestle/id{APP}"
END = 4102444799999
SIGNED = {"pack": "gold", "levelSet": "a \"b\" & é+", "until": str(END)}


@pytest.fixture(scope="session")
def key(tmp_path_factory):
    """The options that sign, and those that judge."""
    file = tmp_path_factory.mktemp("key") / "signing-key.pem"
    signer = tool("key", "--out", str(file)).strip()
    return ["--sign", str(file), "--until", str(END)], ["--signer", signer]


def row(referrer):
    parameters = {f"param.{name}": text for name, text in SIGNED.items() if name != "until"}
    return json.dumps({"referrer": referrer, **parameters}) + "\n"


def landing_page(browser, *options):
    """The address of a landing page, whose links lead to the server's store."""
    page = tool("page", "--page", STORE, "--name", "Trestle", *options)
    return browser.server.origin + browser.server.add(page.replace(f'"{STORE}"', f'"{browser.store()}"'))


def copied_at(browser, address):
    browser.visit(address.removeprefix(browser.server.origin))
    browser.tap("store")
    return browser.copied()


def judged(strings, signer):
    lines = tool("decode", "--each", "--app-id", APP, "--host", "127.0.0.1", *signer, table="".join(f"{string}\n" for string in strings))
    return [json.loads(line) for line in lines.splitlines()]


@runs_in(IPHONE, long=IPHONES)
def test_a_signed_address_passes_only_as_it_was_signed(browser, key):
    sign, signer = key
    page = landing_page(browser, "--referrer", "spring", "--param", "pack=silver", "--param", "theme=dark")
    address = tool("links", "--from", "jsonl", "--to", "txt", "--app-id", APP, "--landing", page, *sign, table=row("anna")).strip()
    cases = [
        (address, "found"),
        (address.replace("?", "?utm=x&pack=silver&sig=x&") + "&fbclid=9&pack=silver&sig=x", "found"),
        (address.replace("via=anna", "via=anne"), "wrongSignature"),
        (address.replace("pack=gold", "pack=golf"), "wrongSignature"),
        (address.replace(f"until={END}", f"until={END + 1}"), "wrongSignature"),
        (re.sub("sig=(.)", lambda found: f"sig={'B' if found[1] == 'A' else 'A'}", address), "wrongSignature"),
        (re.sub("&sig=[^&]*", "", address), "notSigned"),
    ]
    assert len({address for address, _ in cases}) == len(cases)
    found = judged([copied_at(browser, address) for address, _ in cases], signer)
    assert [judgment["verdict"] for judgment in found] == [verdict for _, verdict in cases]
    for judgment in found[:2]:
        assert judgment["referrer"] == "anna"
        assert {name: text for name, text in judgment["parameters"].items() if name != "sig"} == SIGNED
    assert [found[2]["referrer"], found[3]["parameters"]["pack"]] == ["anne", "golf"]
    # What isn't signed has the page's own parameters.
    assert found[6]["parameters"] == {"pack": "silver", "theme": "dark"}


@runs_in(IPHONE, long=IPHONES)
def test_a_signed_page_is_signed_for_its_own_referrer(browser, key):
    sign, signer = key
    page = landing_page(browser, "--referrer", "spring", "--param", "pack=gold", *sign)
    strings = [copied_at(browser, page), copied_at(browser, page + "?via=anna")]
    assert browser.run("return document.querySelectorAll('#note code').length") == 2
    own, other = judged(strings, signer)
    assert (own["verdict"], own["referrer"], own["parameters"]["pack"]) == ("found", "spring", "gold")
    assert (other["verdict"], other["referrer"], other["parameters"]) == ("notSigned", "anna", {"pack": "gold"})


def test_a_signed_element_passes_on_any_page(browser, key):
    sign, signer = key
    element = tool("links", "--from", "jsonl", "--to", "html", "--page", STORE, *sign, table=row("anna"))
    browser.open(element.replace("<a ", '<a id="link" data-referral-on="all" ')
                 + "<script>addEventListener('click', event => event.preventDefault())</script>")
    browser.tap()
    [found] = judged([browser.copied()], signer)
    assert (found["verdict"], found["referrer"]) == ("found", "anna")
    assert {name: text for name, text in found["parameters"].items() if name != "sig"} == SIGNED
