"""The React component of the article *The wire format*, in browsers, with Debian's React."""

import re
import subprocess
from pathlib import Path

import pytest

from browser import decode
from server import WEB

ARTICLE = (WEB.parent / "Sources/ReferralBridge/Documentation.docc/TheWireFormat.md").read_text()
REACT = [Path(f"/usr/share/nodejs/{name}/umd/{name}.production.min.js") for name in ("react", "react-dom")]


@pytest.fixture
def component():
    """The article's component as a script."""
    [source] = re.findall(r"```jsx\n(.*?)```", ARTICLE, re.DOTALL)
    assert len(source.splitlines()) <= 6
    return subprocess.run(["esbuild", "--loader=jsx"], input=source, capture_output=True, text=True, check=True).stdout


def test_the_component_is_a_link_of_the_snippet(browser, component):
    paths = [browser.server.add(file.read_bytes(), kind="text/javascript", path=f"/{file.name}") for file in REACT]
    browser.open('<div id="root"></div>', head=browser.script + "".join(f'<script src="{path}"></script>' for path in paths))
    data = {"referrer": "pasteboard-blog-post", "levelSet": "“two” <3>", "board": '{"rows":9}', **({} if browser.is_iphone else {"on": "all"})}
    browser.run(component + """
        const [href, data] = arguments;
        const root = ReactDOM.createRoot(document.getElementById('root'));
        ReactDOM.flushSync(() => root.render(React.createElement(DataLink, { href, data }, 'Get Trestle')));
        ReactDOM.flushSync(() => root.render(React.createElement(DataLink, { href: href + '#reviews', data }, 'Get Trestle')));""",
                browser.store(), data)
    browser.tap("document.querySelector('a')")
    browser.server.wait_for_store()
    referral = browser.referral()
    assert referral["referrer"] == "pasteboard-blog-post"
    assert referral["parameters"] == {"levelSet": "“two” <3>", "board": '{"rows":9}'}
    assert browser.copied().endswith("#reviews")


def test_the_old_component_loses_what_the_article_says(browser):
    """The steps of the post's component: btoa of the JSON, behind the address."""
    browser.open("")
    old = "const [href, data] = arguments; return href + (href.includes('?') ? '&' : '?') + 'ed=' + btoa(JSON.stringify({ timestamp: Date.now(), ...data }));"
    assert decode(browser.run(old, browser.store(), {"referrer": "anna", "level": 7}))["referrer"] == "anna"
    with pytest.raises(AssertionError, match="malformedPayload"):
        decode(browser.run(old, browser.store(), {"referrer": "café"}))
    with pytest.raises(AssertionError, match="noPayload"):
        decode(browser.run(old, browser.store() + "#reviews", {"referrer": "anna"}))
    with pytest.raises(Exception, match="(?i)latin1|invalid|character"):
        browser.run(old, browser.store(), {"referrer": "語"})
