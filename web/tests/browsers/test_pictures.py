"""Pictures opened by themselves, as people may open a page's icon: none that the rules accept runs a script."""

import base64
import json

from server import WEB
from sessions import EACH_KIND, runs_in

# A user agent changes nothing here.
pytestmark = runs_in(*EACH_KIND, long=EACH_KIND)

CASES = json.loads((WEB.parent / "Tests/Vectors/pictures.json").read_text())["cases"]


def those_that_run(browser, cases):
    """The names of the pictures that run a script when they are opened and everything in them is clicked."""
    frames = []
    for case in cases:
        body = case["svg"].encode() if "svg" in case else base64.b64decode(case["base64"])
        # The picture itself says what its encoding is.
        picture = browser.server.add(body, Content_Type="image/svg+xml")
        # A picture's script sets parent.ran, so each has a page of its own.
        frames.append(f'<iframe src="{browser.server.add(f"<!doctype html><iframe src={picture}></iframe>")}"></iframe>')
    browser.open("".join(frames), head="")
    ran = browser.run("""
        const frame = () => new Promise(requestAnimationFrame);
        const turn = async () => {
          // Until what is animated has begun, and what is short has ended.
          for (let count = 0; count < 5; count += 1) await frame();
          await new Promise(done => setTimeout(done));
        };
        const pages = Array.from(frames);
        return (async () => {
          await turn();
          for (const { document: picture } of pages.map(page => page[0])) {
            for (const element of picture.querySelectorAll('a, rect')) element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
            picture.querySelector('[tabindex]')?.focus();
          }
          await turn();
          return pages.map(({ ran }) => !!ran);
        })();""")
    return [case["name"] for case, has_run in zip(cases, ran, strict=True) if has_run]


def test_no_accepted_picture_runs_a_script(browser):
    accepted = [case for case in CASES if case["verdict"] == "accepted" and "svg" in case]
    assert len(accepted) > 20
    assert those_that_run(browser, accepted) == []


def test_the_hostile_pictures_run_scripts(browser):
    # Otherwise the test above couldn't fail.
    hostile = [case for case in CASES if browser.name in case.get("runs", [])]
    assert len(hostile) > 20
    assert all(case["verdict"] == "refused" for case in hostile)
    assert those_that_run(browser, hostile) == [case["name"] for case in hostile]
