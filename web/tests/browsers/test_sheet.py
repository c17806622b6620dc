"""The page of `referral-tool links --sheet` in browsers: its codes against a reader, what prints, and what it saves."""

import subprocess

from axe_core_python.selenium import Axe

from browser import TOOL
from builder import in_each_browser, saved, text
from display import until
from test_builder import read_code

pytestmark = in_each_browser

ROWS = "referrer,name\nanna,Anna & <b>Bob</b>\nbob,\nש,שלום\n" + "x" * 3000 + ",Too long\n"
LINKS = ["https://example.com/get?via=%D7%A9", "https://example.com/get?via=anna", "https://example.com/get?via=bob"]


def visit(browser, tmp_path, rows=ROWS):
    browser.console()
    sheet = tmp_path / "sheet.html"
    subprocess.run([TOOL, "links", "--landing=https://example.com/get", "--sheet", sheet], input=rows.encode(), check=True, capture_output=True,
                   timeout=20)
    browser.visit(browser.server.add(sheet.read_text()))


def test_each_row_has_its_code(browser, tmp_path):
    visit(browser, tmp_path)
    until(lambda: text(browser, "status") == "3 codes. 1 address is too long for a QR code.", "the codes to be drawn")
    assert browser.run("return Array.from(document.querySelectorAll('figcaption'), name => name.textContent)") \
        == ["Anna & <b>Bob</b> (anna)", "bob", "שלום (ש)", f"Too long ({'x' * 80}…)"]
    assert "too long" in browser.run("return document.querySelector('figure:last-child').innerText")
    width = "return document.querySelector('svg').getBoundingClientRect().width * 25.4 / 96"
    assert abs(browser.run(width) - 30) < 0.5
    browser.run("const menu = document.getElementById('side'); menu.value = '50'; menu.dispatchEvent(new Event('change', { bubbles: true }));")
    assert abs(browser.run(width) - 50) < 0.5
    picture = tmp_path / "page.png"

    def codes():
        picture.write_bytes(browser.driver.get_screenshot_as_png())
        return sorted(read_code(picture).split())
    until(lambda: codes() == LINKS, "the codes to be seen")
    browser.run("document.querySelectorAll('.small').forEach((button, index) => { button.id ||= `button-${index}`; })")
    name, content = saved(browser, browser.run("return document.querySelector('figure .small').id"))
    assert name == "qr-anna.svg" and content.startswith(b"<svg ")
    (tmp_path / name).write_bytes(content)
    assert browser.console() == []


def test_only_the_codes_are_printed(browser, tmp_path):
    visit(browser, tmp_path, "referrer,name\n" + "".join(f"r{row},Shop {row}\n" for row in range(60)))
    # Codes that aren't drawn yet are drawn before the page is printed.
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert browser.run("return document.querySelectorAll('figure svg').length") == 60
    assert text(browser, "status") == "60 codes."
    if browser.name == "chromium":
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        shown = browser.run("return document.body.innerText")
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        assert shown.split() == [word for row in range(60) for word in ("Shop", str(row), f"(r{row})")]


def test_axe_finds_no_accessibility_violations(browser, tmp_path):
    visit(browser, tmp_path)
    until(lambda: text(browser, "status").startswith("3 codes."), "the codes to be drawn")
    browser.run("document.body.style.backgroundImage = 'none'")
    found = Axe().run(browser.driver)
    assert [(rule["id"], node["html"]) for rule in found["violations"] for node in rule["nodes"]] == []
