"""The processes that the tests run."""

import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def built(product):
    """A built process; OPTIMIZED names the folder in which all of them are, if they are built already."""
    if "OPTIMIZED" in os.environ:
        return Path(os.environ["OPTIMIZED"]).resolve() / product
    build = ["swift", "build", "-c", "release", "--package-path", HERE, "--product", product]
    subprocess.run([*build, "--quiet"], check=True)
    return Path(subprocess.check_output([*build, "--show-bin-path"], text=True).strip()) / product


@pytest.fixture(scope="session")
def attack():
    return built("attack")


@pytest.fixture(scope="session")
def handoff_probe():
    return built("handoff-probe")


@pytest.fixture(scope="session")
def shop_probe():
    return built("shop-probe")


@pytest.fixture(scope="session")
def invites_probe():
    return built("invites-probe")
