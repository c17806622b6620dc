"""The processes that the tests end."""

from pathlib import Path

import pytest

from built import program

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def handoff_probe():
    return program(HERE, "handoff-probe")


@pytest.fixture(scope="session")
def shop_probe():
    return program(HERE, "shop-probe")


@pytest.fixture(scope="session")
def invites_probe():
    return program(HERE, "invites-probe")
