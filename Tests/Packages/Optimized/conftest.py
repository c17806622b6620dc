"""The processes that the tests run."""

import os
from pathlib import Path

import pytest


def process(product):
    """A built process; OPTIMIZED names the folder in which all of them are."""
    return Path(os.environ["OPTIMIZED"]).resolve() / product


@pytest.fixture(scope="session")
def attack():
    return process("attack")


@pytest.fixture(scope="session")
def handoff_probe():
    return process("handoff-probe")


@pytest.fixture(scope="session")
def shop_probe():
    return process("shop-probe")


@pytest.fixture(scope="session")
def invites_probe():
    return process("invites-probe")
