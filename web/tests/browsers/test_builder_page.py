"""The builder's panel that makes landing pages, in browsers: its file against the built command's, what it shows, and bad input."""

import base64
import json
import os
import random
import re
import struct
import subprocess
import zlib

from axe_core_python.selenium import Axe

from browser import TOOL
from builder import APP, fill, fragment, go_to, in_chromium, in_one_browser, saved, text, visit
from display import PATIENCE, until
from server import WEB

pytestmark = in_one_browser

ICON = WEB / "example-icon.svg"
OWN = {"text.de.button": "Hol dir {name}", "text.ar.tagline": "جسور"}
CAMPAIGN = f"app={APP}&storefront=us&slug=trestle&pt=9&ct=spring&referrer=anna+%26%20%3Cb%3E&param.pack=gold&referrer-item=from"
PAGE = "title=Tr%C3%AAstle%27s&tagline=Bridges&languages=en,de,ar&image=https://example.com/a.png&everybody=yes&banner=yes"
SENTENCES = "&".join(f"{name}={text}" for name, text in OWN.items())


def command(*options):
    return subprocess.run([TOOL, "page", "--app-id", APP, *options], capture_output=True, check=True, timeout=PATIENCE).stdout


def choose(browser, name, path):
    browser.driver.find_element("id", name).send_keys(str(path))


def ready(browser):
    until(lambda: browser.run("return !document.getElementById('page-file').hidden"), "the page to be made")


def test_the_file_has_the_same_bytes_as_the_commands(browser, tmp_path):
    visit(browser, f"#{CAMPAIGN}&{PAGE}&{SENTENCES}&show=page")
    choose(browser, "icon", ICON)
    until(lambda: "--icon" in text(browser, "out-command"), "the icon to be read")
    ready(browser)
    name, content = saved(browser, "save-page")
    assert name == "get.html"
    expected = command("--storefront", "us", "--slug", "trestle", "--pt", "9", "--ct", "spring", "--referrer", "anna+& <b>", "--referrer-item", "from",
                       "--param", "pack=gold", "--name", "Trêstle's", "--tagline", "Bridges", "--icon", str(ICON), "--language", "en,de,ar",
                       "--image", "https://example.com/a.png", "--banner", "--text", "de.button=Hol dir {name}",
                       "--text", "ar.tagline=جسور")
    assert content.decode().split("\n") == expected.decode().split("\n")
    # The command that is shown makes it too.
    (tmp_path / ICON.name).write_bytes(ICON.read_bytes())
    answer = subprocess.run(["sh", "-c", text(browser, "out-command")], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE,
                            env={**os.environ, "PATH": f"{TOOL.parent}:{os.environ['PATH']}"})
    assert (answer.stderr, answer.stdout) == ("", "")
    assert (tmp_path / "get.html").read_bytes() == content
    assert browser.console() == []


def test_google_play_items_and_an_app_clip_are_in_the_file(browser, tmp_path):
    visit(browser, "#app=1300230302&referrer=anna&everybody=yes&title=Trestle&items=open+pack&play=com.example.trestle&clip=com.example.trestle.Clip&show=page"
          .replace("+", "%20"))
    ready(browser)
    _, content = saved(browser, "save-page")
    options = ["--item", "open", "--item", "pack", "--play", "com.example.trestle", "--clip", "com.example.trestle.Clip"]
    assert content.decode().split("\n") == command("--referrer", "anna", "--name", "Trestle", *options).decode().split("\n")
    shown = text(browser, "out-command")
    assert all(f"--{option}" in shown for option in ["item=open", "item=pack", "play=com.example.trestle", "clip=com.example.trestle.Clip"])


def test_the_campaign_is_nobody_s_referrer_unless_the_box_is_checked(browser):
    visit(browser, f"#app={APP}&referrer=spring&title=Trestle&show=page")
    ready(browser)
    assert saved(browser, "save-page")[1] == command("--name", "Trestle")
    assert "spring" not in text(browser, "out-command")
    assert text(browser, "page-status") == "Only visitors whose address names a referrer copy a link, as with ?via=anna."
    browser.run("document.getElementById('everybody').click()")
    until(lambda: "--referrer=spring" in text(browser, "out-command"), "the command")
    assert text(browser, "page-status") == ""
    assert saved(browser, "save-page")[1] == command("--name", "Trestle", "--referrer", "spring")
    fill(browser, referrer="")
    until(lambda: text(browser, "page-status").endswith(" For the others, enter a referrer under “Make”."), "the status")


def test_a_page_that_counts_is_the_command_s(browser):
    visit(browser, f"#app={APP}&pt=9&ct=web&title=Trestle&languages=en,de&count-to=/count&ct-from-referrer=yes&show=page")
    ready(browser)
    assert saved(browser, "save-page")[1] == command("--pt", "9", "--ct", "web", "--name", "Trestle", "--language", "en,de",
                                                     "--count-to", "/count", "--ct-from-referrer")
    assert "--count-to=/count" in text(browser, "out-command") and "--ct-from-referrer" in text(browser, "out-command")
    visit(browser, f"#app={APP}&title=Trestle&ct-from-referrer=yes&show=page")
    assert "your account’s number (pt)" in text(browser, "page-status")
    fill(browser, count_to="//other.example")
    assert "Enter a path such as /tap," in text(browser, "count-to-error")


def test_a_page_that_keeps_the_referrer_is_the_command_s(browser):
    visit(browser, f"#app={APP}&title=Trestle&languages=en,de&keep=yes&show=page")
    ready(browser)
    assert saved(browser, "save-page")[1] == command("--name", "Trestle", "--language", "en,de", "--keep")
    assert "--keep" in text(browser, "out-command")
    browser.wait_for("document.getElementById('preview').contentDocument?.getElementById('kept')?.hidden === false", "the sentence")


def test_a_page_for_invitations_is_shown_with_a_code(browser):
    visit(browser, f"#app={APP}&title=Trestle&languages=en,de&show=page")
    ready(browser)
    browser.run("document.getElementById('invitations').click()")
    until(lambda: "invitations=yes" in fragment(browser), "the address")
    visit(browser, fragment(browser))
    ready(browser)
    assert saved(browser, "save-page")[1] == command("--name", "Trestle", "--language", "en,de", "--invitations")
    assert "--invitations" in text(browser, "out-command")
    browser.wait_for("!!document.getElementById('preview').contentDocument?.getElementById('invitation')", "the page")
    shown = until(lambda: browser.run("""
        const page = document.getElementById('preview').contentDocument;
        return ['invited', 'invite-code'].map(name => page.getElementById(name)).map(element => element.getClientRects().length && element.textContent);"""),
                  "the invitation")
    assert shown == ["A friend invited you", "4F7K-9Q2M-XRKQ"]
    assert browser.console() == []


def test_only_a_name_is_needed(browser):
    visit(browser, f"#app={APP}&show=page")
    assert text(browser, "page-status") == "Enter the app’s name."
    fill(browser, title="Trestle")
    ready(browser)
    assert "Only visitors whose address names a referrer copy a link" in text(browser, "page-status")
    assert saved(browser, "save-page")[1] == command("--name", "Trestle")


@in_chromium
def test_the_page_is_shown_as_it_will_be(browser):
    visit(browser, f"#app={APP}&title=Trestle&languages=en,ar&show=page")
    ready(browser)
    browser.wait_for("!!document.getElementById('preview').contentDocument?.getElementById('copying')", "the page")

    def shown():
        return browser.run("""
            const page = document.getElementById('preview').contentDocument;
            const store = page.getElementById('store');
            if (!store) return {};
            const style = page.defaultView.getComputedStyle(store);
            return { text: store.textContent, radius: style.borderRadius, color: style.backgroundColor, dir: page.documentElement.dir,
              note: !!page.getElementById('note').getClientRects().length, referrer: page.getElementById('referrer').textContent };""")
    until(lambda: shown().get("color") == "rgb(11, 97, 87)", "the color")
    assert {**shown(), "radius": shown()["radius"] != "0px"} == {
        "text": "Get Trestle on the App Store", "radius": True, "color": "rgb(11, 97, 87)", "dir": "ltr", "note": True, "referrer": "anna"}
    browser.run("""
        const menu = document.getElementById('shown');
        menu.value = 'ar';
        menu.dispatchEvent(new Event('change', { bubbles: true }));""")
    until(lambda: shown().get("dir") == "rtl", "the Arabic page")
    # A tap in it leads nowhere.
    browser.run("document.getElementById('preview').contentDocument.getElementById('store').click()")
    assert shown()["dir"] == "rtl"
    assert browser.console() == []


def test_a_sentence_of_one_s_own_is_kept_in_the_address(browser):
    visit(browser, f"#app={APP}&title=T&languages=de,sv&show=page")
    until(lambda: "sv" in text(browser, "page-status"), "the missing sentences to be named")
    assert text(browser, "page-status").startswith("The page has no sentences in sv of its own. Choose sv under “Shown in”, and write these: Button; ")
    browser.run("""
        const menu = document.getElementById('shown');
        menu.value = 'sv';
        menu.dispatchEvent(new Event('change', { bubbles: true }));""")
    assert browser.run("return document.getElementById('text-button').lang") == "sv"
    fill(browser, languages="de")
    fill(browser, text_button="  Hol dir\n{name} ")
    until(lambda: "text.de.button=" in fragment(browser), "the address")
    ready(browser)
    assert saved(browser, "save-page")[1] == command("--name", "T", "--language", "de", "--text", "button=Hol dir {name}")
    visit(browser, fragment(browser))
    assert browser.run("return document.getElementById('text-button').value") == "Hol dir {name}"
    fill(browser, text_note="x")
    until(lambda: "{contents}" in text(browser, "page-status"), "the note to be refused")
    fill(browser, text_note="", text_button="")
    until(lambda: "text." not in fragment(browser), "the address")


def test_bad_input_says_what_would_be_right(browser, tmp_path):
    visit(browser, f"#app={APP}&title=T&show=page")
    for field, value, message in [
        ("languages", "english", "Enter tags such as de, pt-BR or zh-Hant, with commas between them."),
        ("languages", "de,en,DE", "A language is named twice."),
        ("image", "a.png", "Enter an address that begins with https:// and a host, without spaces."),
    ]:
        fill(browser, **{field: value})
        assert text(browser, f"{field}-error") == message
        until(lambda: text(browser, "page-status").startswith("Correct this field first"), "the page to say so")
        assert browser.run("return document.getElementById('page-file').hidden")
        fill(browser, **{field: ""})
        assert text(browser, f"{field}-error") == ""
    no_namespace = tmp_path / "icon.svg"
    no_namespace.write_text('<svg viewBox="0 0 1 1"/>')
    choose(browser, "icon", no_namespace)
    until(lambda: "xmlns=" in text(browser, "icon-error"), "the icon to be refused")
    assert text(browser, "page-status").startswith("The icon: a browser shows it only with a namespace")
    choose(browser, "icon", ICON)
    until(lambda: not text(browser, "icon-error"), "the icon to be read")
    ready(browser)


def bitmap(width, height, value):
    """A PNG with a function's values as its bytes."""
    rows = b"".join(b"\0" + bytes(value(x) for x in range(3 * width)) for _ in range(height))
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks)


def icon_of(browser):
    """The bytes of the icon in the page that the builder has made."""
    ready(browser)
    address = re.search(r'src="data:image/png;base64,([^"]*)"', saved(browser, "save-page")[1].decode())
    return address and base64.b64decode(address[1])


def test_a_large_bitmap_is_scaled_down_and_one_that_is_not_square_is_noted(browser, tmp_path):
    visit(browser, f"#{CAMPAIGN}&title=T&show=page")
    noise = random.Random(1)
    usual = text(browser, "icon-note")
    square, wide, large = bitmap(20, 20, lambda x: x), bitmap(30, 20, lambda x: x), bitmap(900, 600, lambda x: noise.randrange(256))
    assert len(large) > 1_000_000
    for name, content, note in [
        ("square", square, usual),
        ("wide", wide, "It has 30 by 20 pixels, and the page shows only the square in its middle. "),
        ("large", large, "It has 900 by 600 pixels, and the page shows only the square in its middle. It has more than 256 KiB, so it is scaled down to "),
    ]:
        (tmp_path / f"{name}.png").write_bytes(content)
        choose(browser, "icon", tmp_path / f"{name}.png")
        until(lambda: f"--icon={name}" in text(browser, "out-command"), "the icon to be read")
        assert text(browser, "icon-note").startswith(note)
        assert browser.run("return document.getElementById('save-icon').hidden") == (name != "large")
        icon = icon_of(browser)
        if name != "large":
            assert icon == content
    assert len(icon) <= 262144
    width, height = struct.unpack(">II", icon[16:24])
    assert width in (512, 384, 256, 128) and abs(width * 2 / 3 - height) <= 1
    assert saved(browser, "save-icon") == ("large-small.png", icon)
    assert "--icon=large-small.png" in text(browser, "out-command")
    # The page shows it.
    assert browser.run("return document.getElementById('preview').contentDocument.getElementById('icon').naturalWidth") == width
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    choose(browser, "icon", tmp_path / "broken.png")
    until(lambda: text(browser, "icon-error") == "The icon can’t be read.", "the icon to be refused")
    assert text(browser, "icon-note") == usual


def test_other_fragments_fill_in_nothing(browser):
    visit(browser)
    for wrong in ("banner=no", "invitations=no", "keep=", "everybody=anna", "text.de.button=", "text.de.x-y=1", "languages=e", "title=%01", "text.d%22e.button=x"):
        go_to(browser, f"#app={APP}&title=T&{wrong}&show=page")
        assert "Nothing was filled in" in text(browser, "notice"), wrong


def test_axe_finds_no_accessibility_violations(browser):
    visit(browser, f"#{CAMPAIGN}&{PAGE}&show=page")
    ready(browser)
    browser.run("document.querySelector('#page details').open = true; document.body.style.backgroundImage = 'none'; document.getElementById('preview').remove()")
    found = Axe().run(browser.driver)
    assert [(rule["id"], node["html"]) for rule in found["violations"] for node in rule["nodes"]] == []
