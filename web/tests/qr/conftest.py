from contextlib import suppress


def pytest_addoption(parser):
    with suppress(ValueError):  # the tests in `web/tests/browsers` have it too
        parser.addoption("--long", action="store_true", help="more codes")
