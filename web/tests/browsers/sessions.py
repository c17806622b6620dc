"""Which browsers a test runs in.

With `--long` it runs in each, as it is and as an iPhone. Otherwise it runs in WebKit as an iPhone, which is the cheapest; or in
those that it names: in each kind if its rule is about what the browser itself does, such as a copy.
"""

import pytest

BROWSERS = ["firefox", "webkit", "chromium"]
DEVICES = {"as-it-is": False, "iphone": True}

DESKTOP = "chromium-as-it-is"
IPHONE = "webkit-iphone"
EACH_KIND = ["firefox-as-it-is", IPHONE, DESKTOP]

ALL = [f"{kind}-{device}" for kind in BROWSERS for device in DEVICES]
IPHONES = [session for session in ALL if session.endswith("-iphone")]
DESKTOPS = [session for session in ALL if session not in IPHONES]


def runs_in(*short, long=ALL):
    """The sessions of a test, or of all tests in a file."""
    return pytest.mark.runs_in(short=short, long=long)


# A sample that only --long takes.
long = pytest.mark.long
