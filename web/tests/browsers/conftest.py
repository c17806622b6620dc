"""The snippet in real browsers: Chromium, Firefox and WebKit, each as it is and as an iPhone.

    python -m pytest web/tests/browsers        (REFERRAL_TOOL names the command, if not .build/debug/referral-tool)

Every click is a WebDriver's, every copy is read from the clipboard of the browser's own X display, and the
built command decodes it. WebKitGTK stands for WebKit; an iPhone is its user agent.
"""

import pytest

from browser import KINDS, Browser
from server import Server

DEVICES = {"as-it-is": False, "iphone": True}


@pytest.fixture(scope="session")
def server():
    server = Server()
    yield server
    server.close()


@pytest.fixture(scope="session", params=[f"{kind}-{device}" for kind in KINDS for device in DEVICES])
def session(request, server):
    kind, device = request.param.split("-", 1)
    browser = Browser(kind, DEVICES[device], server)
    yield browser
    browser.close()


@pytest.fixture
def browser(session):
    """A browser with one window, whose page must have thrown nothing in the end."""
    if not session.is_running:
        session.start()
    yield session
    if session.is_running:
        session.close_other_windows()
        assert session.faults == []
