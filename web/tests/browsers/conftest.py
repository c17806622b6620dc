"""The snippet in real browsers: Chromium, Firefox and WebKit, each as it is or as an iPhone.

    python -m pytest web/tests/browsers           each rule where it matters; REFERRAL_TOOL names the command
    python -m pytest web/tests/browsers --long    each rule in each browser, with more samples

Every tap is a WebDriver's, every copy is read from the clipboard of the browser's own X display, and the
built command decodes it. WebKitGTK stands for WebKit; an iPhone is its user agent.
"""

import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[3] / "Tests"))

from browser import TOOL, Browser
from built import modules, objects
from server import Server
from sessions import ALL, DEVICES, IPHONE


def pytest_addoption(parser):
    with suppress(ValueError):  # the tests in `web/tests/qr` have it too
        parser.addoption("--long", action="store_true", help="run each rule in each browser, with more samples")


def pytest_configure(config):
    config.addinivalue_line("markers", "runs_in(short, long): the sessions of a test")
    config.addinivalue_line("markers", "long: only with --long")


def pytest_generate_tests(metafunc):
    if "session" in metafunc.fixturenames:
        named = metafunc.definition.get_closest_marker("runs_in")
        kwargs = named.kwargs if named else {"short": [IPHONE], "long": ALL}
        sessions = kwargs["long" if metafunc.config.getoption("--long") else "short"]
        metafunc.parametrize("session", sessions, indirect=True, scope="session")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--long"):
        further = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=further)
        items[:] = [item for item in items if item not in further]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """A failure names the browser's version, since none is pinned."""
    report = yield
    browser = item.funcargs.get("session")
    if browser and report.failed:
        report.sections.append((f"in {browser.name} {browser.version}", ""))
    return report


def pytest_terminal_summary(terminalreporter):
    failed = [report for outcome in ("failed", "error") for report in terminalreporter.stats.get(outcome, [])]
    for browser, count in sorted(Counter(title for report in failed for title, _ in report.sections if title.startswith("in ")).items()):
        terminalreporter.write_line(f"{count} failed {browser}")


@pytest.fixture(scope="session")
def server():
    server = Server()
    yield server
    server.close()


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def app(tmp_path_factory):
    """A program that uses the library as an app does at its launch."""
    program = tmp_path_factory.mktemp("app") / "app"
    built = TOOL.parent
    # Objects of a static build link to nothing else, and others do too.
    library = objects(built, "ReferralFoundation", "ReferralBasics", "ReferralAppSupport", "ReferralInviteCodes", "ReferralBridge", "ReferralClip")
    subprocess.run(
        ["swiftc", "-swift-version", "6", "-static-stdlib", "-I", modules(built), Path(__file__).parent / "app/main.swift", *library, "-o", program],
        check=True,
    )
    return program
