"""The cases that `check` judges, too: which policies, types and places of scripts let the snippet run."""

import base64
import hashlib
import html
import json

from server import WEB
from sessions import EACH_KIND, runs_in

CASES = json.loads((WEB.parent / "Tests/Vectors/policies.json").read_text())
SNIPPET = (WEB / "referral-bridge.min.js").read_text()
RAN = "Array.from({ length: frames.length }, (_, index) => !!frames[index].ReferralBridge?.payload)"


def digest(text, algorithm="sha256"):
    return base64.b64encode(hashlib.new(algorithm, text.encode()).digest()).decode()


def filled(text, server):
    values = {
        "SNIPPET": SNIPPET, "DIGEST": digest(SNIPPET), "BARE": digest(SNIPPET).rstrip("="),
        "URLSAFE": digest(SNIPPET).replace("+", "-").replace("/", "_"), "SHA384": digest(SNIPPET, "sha384"),
        "ENTRY": digest(CASES["files"]["/lib/entry.js"]),
        "OTHER": server.other_origin, "ORIGIN": server.origin, "PORT": str(server.port),
    }
    for name, value in values.items():
        text = text.replace(name, value)
    return text


def page(case, server):
    """Serves the page of a case, and answers its path."""
    policy = filled(case.get("policy", ""), server)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}"/>' if "policy" in case else ""
    content = f"<head><title>page</title>{meta}{filled(case['head'], server)}</head><body></body></html>"
    if case.get("isXHTML"):
        return server.add('<html xmlns="http://www.w3.org/1999/xhtml">' + content, "application/xhtml+xml")
    return server.add("<!doctype html><html>" + content)


@runs_in(*EACH_KIND, long=EACH_KIND)
def test_what_runs(browser):
    server = browser.server
    for path, text in CASES["files"].items():
        for escaped in (path, path.replace("L", "%4C"), path.replace("-", "%2D")):
            server.add(filled(text, server), "text/javascript", path=escaped)
    wrong = []
    for start in range(0, len(CASES["cases"]), 24):
        wrong += misjudged(browser, CASES["cases"][start:start + 24])
    assert wrong == [], "\n".join(map(str, wrong))


def misjudged(browser, cases):
    """The cases in which the snippet ran, or didn't, against what they say."""
    # A page in a frame has a policy of its own.
    frames = "".join(f'<iframe src="{page(case, browser.server)}"></iframe>' for case in cases)
    expected = [browser.name in case["runs"] for case in cases]
    browser.open(frames, head="")
    try:
        browser.wait_for(f"{json.dumps(expected)}.every((runs, index) => !runs || {RAN}[index])", "the snippets")
    except AssertionError:
        pass  # reported below, for each case
    ran = browser.run(f"return {RAN}")
    return [(case.get("policy"), case["head"]) for case, expected, ran in zip(cases, expected, ran) if expected != ran]
