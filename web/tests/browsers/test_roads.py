"""One landing page for everybody who taps: iPhones, Android and desktops, in browsers, up to the app."""

import base64
import hashlib
import subprocess
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from browser import TOOL, WITNESS, tool
from display import until
from sessions import DESKTOP, DESKTOPS, IPHONE, runs_in
from test_landing import STORE, is_shown, make, text

PACKAGE = "com.example.trestle"
PLAY = f"https://play.google.com/store/apps/details?id={PACKAGE}"
ANDROID = "Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36"
OPTIONS = ("--item", "open", "--item", "pack", "--play", PACKAGE)


def visit(browser, *options, query="", is_android=False, stays=False):
    """Opens a landing page whose links lead to the server's stores or nowhere, perhaps as a visitor with Android."""
    page, script = make(*OPTIONS, *options), ""
    if is_android:
        script += f"Object.defineProperty(navigator, 'userAgent', {{ value: {ANDROID!r} }});"
    if stays:
        script += "addEventListener('click', event => event.preventDefault());"
    else:
        page = page.replace(f'"{STORE}"', f'"{browser.store()}"').replace(f'"{PLAY}"', f'"{browser.store(query=f"?id={PACKAGE}")}"')
    if script:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        page = page.replace("script-src ", f"script-src 'sha256-{digest}' ").replace("<script>", f"<script>{script}</script><script>", 1)
    browser.console()
    browser.visit(browser.server.add(page) + query)
    browser.run(WITNESS)


def decoded(referrer):
    """What the command says of the text that Google Play passes to the app."""
    return subprocess.run([TOOL, "decode", "--play", "--json", referrer], capture_output=True, text=True, timeout=10).stdout


@runs_in(DESKTOP, long=DESKTOPS)
def test_android_gets_google_play_with_the_referral_and_copies_nothing(browser):
    visit(browser, "--referrer", "spring", query="?via=anna%20%26&open=%2Fboards%2F42&other=x", is_android=True)
    assert [is_shown(browser, name) for name in ["store", "play", "copying", "play-note", "phone"]] == [False, True, False, True, False]
    note = text(browser, "play-note")
    assert "anna &" in note and "open=/boards/42" in note and "other" not in note
    browser.tap("play")
    [asked] = browser.server.wait_for_store()
    query = asked.partition("?")[2]
    items = dict(item.split("=", 1) for item in query.split("&"))
    assert set(items) == {"id", "referrer"} and items["id"] == PACKAGE
    verdict = decoded(unquote(items["referrer"]))
    assert '"referrer":"anna &"' in verdict and '"open":"/boards/42"' in verdict and '"verdict":"found"' in verdict
    browser.assert_nothing_copied()
    assert browser.console() == []


@runs_in(DESKTOP, long=DESKTOPS)
def test_without_a_referrer_google_play_is_an_ordinary_link(browser):
    visit(browser, is_android=True)
    assert not is_shown(browser, "play-note")
    browser.tap("play")
    assert browser.server.wait_for_store() == [f"/stays/app/id1300230302?id={PACKAGE}"]


@runs_in(IPHONE, DESKTOP)
def test_other_devices_get_the_app_store_or_both(browser):
    visit(browser, "--referrer", "spring")
    assert is_shown(browser, "store")
    assert is_shown(browser, "play") is not browser.is_iphone
    assert is_shown(browser, "phone") is not browser.is_iphone
    assert is_shown(browser, "note") and not is_shown(browser, "play-note")
    assert browser.console() == []


@pytest.mark.parametrize("query, parameters", [
    ("?via=anna&open=%2Fboards%2F42", {"open": "/boards/42", "pack": "silver"}),
    ("?open=&open=/a&via=anna&open=/b&pack=gold", {"open": "/a", "pack": "gold"}),
    ("?via=anna&theme=dark", {"pack": "silver"}),
    ("?via=anna&sig=x&until=1&open=/a+b", {"open": "/a b", "pack": "silver"}),
])
def test_the_page_s_items_replace_its_parameters(browser, query, parameters):
    visit(browser, "--referrer", "spring", "--param", "pack=silver", query=query)
    shown = browser.run("return Array.from(document.querySelectorAll('#note code'), code => code.textContent)")
    assert sorted(shown) == sorted(["anna", *(f"{name}={value}" for name, value in parameters.items())])
    if browser.is_iphone:
        browser.tap("store")
        assert browser.referral()["parameters"] == parameters


def test_a_signed_address_counts_as_a_whole(browser):
    signature = 42 * "A-" + "_w"
    visit(browser, "--referrer", "spring", "--param", "pack=silver", query=f"?via=anna&pack=gold&sig={signature}&open=/a")
    if browser.is_iphone:
        browser.tap("store")
        assert browser.referral()["parameters"] == {"pack": "gold", "sig": signature}


def test_the_banner_of_an_app_clip_gets_the_page_s_address(browser):
    visit(browser, "--clip", "com.example.trestle.Clip", query="?via=anna&x=1,2#part")
    content = browser.run("return document.querySelector('meta[name=apple-itunes-app]').content")
    assert content.startswith("app-id=1300230302, app-clip-bundle-id=com.example.trestle.Clip, app-clip-display=card, app-argument=http://")
    assert content.endswith("?via=anna&x=1%2C2")


@runs_in(IPHONE, DESKTOP)
def test_one_address_leads_five_people_to_one_board(browser, app, tmp_path):
    """Anna shares the address of a board, which the command has made. Five others tap it."""
    browser.console()
    table = tool("links", "--landing", "https://example.com/get", "--item", "open", "--to", "txt", "--from", "csv",
                 table="referrer,param.open\nanna,/boards/42\n")
    shared = table.strip()
    assert shared == "https://example.com/get?via=anna&open=%2Fboards%2F42"
    query = shared.removeprefix("https://example.com/get")

    def launch(name, *options):
        outcome = subprocess.run([app, tmp_path / name, "--landing", "https://example.com/get", *options], env=browser.display.environment,
                                 capture_output=True, text=True, timeout=20, check=True)
        return outcome.stdout.splitlines()

    def opens_the_board_once(name, road, *options):
        """The app keeps the arrival during the onboarding, opens the board after it, and never again."""
        during = launch(name, "--onboarding", *options)
        assert during[-1] == "anna invited you" and not any(line.startswith("sent by") for line in during)
        after = launch(name)
        assert after[:3] == ["sent by anna", "with open=/boards/42", f"to /boards/42, {road}"]
        assert not any(line.startswith("sent by") for line in launch(name))

    # An iPhone without the app: the page copies a link, and the app reads it at its first launch.
    if browser.is_iphone:
        visit(browser, query=query, stays=True)
        browser.tap("store")
        browser.copied()
        opens_the_board_once("without", "pasteboard")
        return

    # An iPhone with the app: the address opens it.
    browser.display.put("nothing for the app")
    opens_the_board_once("with", "opened", "--open", shared)

    # An iPhone with the App Clip: it leaves the address, and the app that replaces it finds it there.
    group = tmp_path / "group"
    group.mkdir()
    subprocess.run([app, "-", "--leave", shared, "--group", group], check=True)
    opens_the_board_once("clip", "appClip", "--group", group)

    # Android: Google Play passes the text on.
    visit(browser, query=query, is_android=True)
    browser.tap("play")
    [asked] = browser.server.wait_for_store()
    [referrer] = parse_qs(urlsplit(asked).query)["referrer"]
    assert '"referrer":"anna"' in decoded(referrer) and '"open":"/boards/42"' in decoded(referrer)

    # A desktop: its code leads a phone to the same page.
    visit(browser, query=query)
    browser.wait_for("document.querySelector('#phone img').complete", "the code")

    def seen():
        (tmp_path / "page.png").write_bytes(browser.driver.get_screenshot_as_png())
        return subprocess.run(["zbarimg", "--quiet", "--nodbus", "--raw", tmp_path / "page.png"], capture_output=True, text=True).stdout.strip()
    assert until(seen, "the code to be seen").endswith(query)
