"""What the other tests rely on: where a tap hits, what is told of a copy, and what a failure says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from browser import BEFORE
from display import Display, until
from sessions import EACH_KIND, runs_in

pytestmark = runs_in(*EACH_KIND)

# A button somewhere on a page that is scrolled, which remembers where it was hit.
TARGET = """<style>#tall { height: 3000px } #target { display: block; margin: 1400px 0 0 33px; width: 90px; height: 30px }</style>
<div id="tall"><button id="target"></button></div>
<script>
target.onclick = ({ clientX, clientY }) => {
  const { left, top, width, height } = target.getBoundingClientRect();
  window.missed = [clientX - left - width / 2, clientY - top - height / 2];
};
</script>"""


def assert_tap_hits_the_middle(browser):
    # Not by the page itself: a frame of another site may get its height after its scripts have run.
    browser.run("target.scrollIntoView({ block: 'center' })")
    browser.tap("target")
    across, down = browser.wait_for("window.missed", "the tap")
    assert abs(across) <= 1 and abs(down) <= 1
    assert browser.run("return scrollY") > 0, "the page is scrolled"


def test_a_tap_hits_the_middle_of_an_element(browser):
    browser.open(TARGET, head="")
    assert_tap_hits_the_middle(browser)


@pytest.mark.parametrize("other", [False, True], ids=["own site", "other site"])
def test_a_tap_hits_the_middle_of_an_element_in_a_frame(browser, other):
    origin = browser.server.other_origin if other else browser.server.origin
    browser.open(f'<div style="height: 500px"></div><iframe id="frame" style="margin-left: 77px" src="{origin}{browser.page(TARGET + browser.link())}"></iframe>'
                 "<div style='height: 3000px'></div><script>onload = () => scrollTo(0, 300)</script>", head="")
    browser.wait_for("scrollY == 300", "the page to be scrolled")
    browser.inside()
    assert_tap_hits_the_middle(browser)
    browser.driver.switch_to.default_content()


def test_a_tap_hits_a_link_in_a_drawing(browser):
    browser.open("<svg width=300 height=99>" + browser.link("<rect x=50 y=20 width=90 height=30 />")
                 + "</svg><script>addEventListener('click', event => { event.preventDefault(); window.at = [event.clientX, event.clientY]; })</script>")
    left, top, width, height = browser.run("const { left, top, width, height } = document.querySelector('rect').getBoundingClientRect(); return [left, top, width, height]")
    browser.tap()
    x, y = browser.wait_for("window.at", "the tap")
    assert abs(x - left - width / 2) <= 1 and abs(y - top - height / 2) <= 1


def test_a_copy_is_told_from_none(browser):
    browser.open(browser.link())
    browser.assert_nothing_copied()
    browser.tap()
    assert browser.copied() == browser.display.read() != BEFORE
    with pytest.raises(AssertionError):
        browser.assert_nothing_copied()
    browser.forget()
    browser.assert_nothing_copied()


def test_a_failure_names_the_browser_with_its_version(tmp_path):
    (tmp_path / "test_of_this.py").write_text("""
import types, pytest
@pytest.fixture
def session(request): return types.SimpleNamespace(name=request.param, version="1.2.3")
@pytest.mark.runs_in(short=["webkit"])
def test_it(session): assert False
""")
    outcome = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "conftest", tmp_path], capture_output=True, text=True,
                             cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)})
    lines = outcome.stdout.splitlines()
    assert any(line.strip("- ") == "in webkit 1.2.3" for line in lines), outcome.stdout + outcome.stderr
    assert "1 failed in webkit 1.2.3" in lines


def test_a_copy_that_comes_late_does_not_keep_a_text_off_the_clipboard(monkeypatch):
    display = Display()
    read = display.read

    def read_after_a_late_copy():
        monkeypatch.setattr(display, "read", read)
        until(lambda: read() == BEFORE, "the text, before which a copy isn't late")
        subprocess.run(["xclip", "-selection", "clipboard"], input=b"late", env=display.environment, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        display.wait_for_copy()
        return read()

    try:
        monkeypatch.setattr(display, "read", read_after_a_late_copy)
        display.put(BEFORE)
        assert display.read() == BEFORE
    finally:
        display.close()
