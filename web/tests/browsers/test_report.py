"""The page of `referral-tool report --html` in browsers: its table, names from outside, and what it loads."""

import subprocess
from urllib.parse import quote

from axe_core_python.selenium import Axe

from browser import TOOL
from builder import in_each_browser

pytestmark = in_each_browser

LINE = '203.0.113.{client} - - [{day:02}/Oct/2026:09:30:00 +0000] "GET /get?via={name} HTTP/1.1" 200 512 "-" "Mozilla/5.0 (iPhone)"\n'
# The number of visits of each.
NAMES = {"anna": 12, "Bob": 3, "<img src=x onerror=document.title='run'>": 2, "&amp;<b>": 1, "a\u202eb": 4}


def visit(browser, tmp_path, names=NAMES):
    browser.console()
    log = "".join(LINE.format(client=client, day=1 + client % 20, name=quote(name)) for name, count in names.items() for client in range(count))
    page = tmp_path / "report.html"
    subprocess.run([TOOL, "report", "--log", "-", "--html", page], input=log.encode(), check=True, capture_output=True, timeout=20)
    browser.visit(browser.server.add(page.read_text()))


def column(browser, index):
    cells = f"Array.from(document.querySelectorAll('tbody tr:not([hidden])'), row => row.cells[{index}].textContent)"
    return browser.run(f"return {cells}")


def press(browser, index):
    browser.run(f"document.querySelectorAll('thead th')[{index}].querySelector('button').click()")


def test_the_table_sorts_by_each_column(browser, tmp_path):
    visit(browser, tmp_path)
    assert column(browser, 1) == ["12", "4", "3", "2", "1"]
    press(browser, 1)
    assert column(browser, 1) == ["12", "4", "3", "2", "1"]
    press(browser, 1)
    assert column(browser, 1) == ["1", "2", "3", "4", "12"]
    assert browser.run("return document.querySelectorAll('thead th')[1].getAttribute('aria-sort')") == "ascending"
    press(browser, 0)
    names = column(browser, 0)
    assert names.index("anna") < names.index("Bob")
    assert browser.run("return document.querySelectorAll('[aria-sort]').length") == 1


def test_the_table_is_searched(browser, tmp_path):
    visit(browser, tmp_path)
    search = "const field = document.querySelector('.search input'); field.value = '{}'; field.dispatchEvent(new Event('input'))"
    browser.run(search.format("BOB"))
    assert column(browser, 0) == ["Bob"]
    assert browser.run("return document.querySelector('.search [role=status]').textContent") == "1 of 5"
    browser.run(search.format(""))
    assert len(column(browser, 0)) == 5


def test_a_search_ignores_marks_and_a_narrower_line_is_above_one_that_is_equal(browser, tmp_path):
    lines = "".join(LINE.format(client=day, day=day, name="Zo%C3%AB") + LINE.format(client=day, day=day, name="Zoe%CC%88").replace("/get", "/count")
                    .replace("?", "?event=view&").replace("GET", "POST") for day in (1, 2, 3))
    page = tmp_path / "report.html"
    subprocess.run([TOOL, "report", "--log", "-", "--page", "/get", "--count", "/count", "--html", page], input=lines.encode(), check=True, capture_output=True, timeout=20)
    browser.visit(browser.server.add(page.read_text()))
    first, second = browser.run("return Array.from(document.querySelectorAll('polyline'), line => [line.getAttribute('points'), parseFloat(getComputedStyle(line).strokeWidth)])")
    assert first[0] == second[0] and first[1] > second[1] + 2
    browser.run("const field = document.querySelector('.search input'); field.value = 'ZOE'; field.dispatchEvent(new Event('input'))")
    assert len(column(browser, 0)) == 2


def test_names_from_outside_are_text(browser, tmp_path):
    visit(browser, tmp_path)
    assert browser.run("return document.querySelectorAll('main img, main b b, main td b').length") == 0
    assert browser.run("return document.title") != "run"
    names = column(browser, 0)
    assert "&amp;<b>" in names and "<img src=x onerror=document.title='run'>" in names
    assert not any("\u202e" in name for name in names)
    assert browser.console() == []


def test_a_page_without_numbers_says_what_to_do(browser, tmp_path):
    visit(browser, tmp_path, {})
    assert "What to do first" in browser.run("return document.body.innerText")
    assert browser.console() == []


def test_axe_finds_no_accessibility_violations(browser, tmp_path):
    visit(browser, tmp_path)
    found = Axe().run(browser.driver)
    assert [(rule["id"], node["html"]) for rule in found["violations"] for node in rule["nodes"]] == []
