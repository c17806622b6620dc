"""The processes that the tests of the shop and of the invitations run."""

import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def built(product):
    """A built process; SHOP_PROBE names the one of the shop, beside the others, if they are there already."""
    if "SHOP_PROBE" in os.environ:
        return Path(os.environ["SHOP_PROBE"]).with_name(product)
    build = ["swift", "build", "-c", "release", "--package-path", HERE, "--product", product]
    subprocess.run([*build, "--quiet"], check=True)
    return Path(subprocess.check_output([*build, "--show-bin-path"], text=True).strip()) / product


@pytest.fixture(scope="session")
def probe():
    return built("probe")


@pytest.fixture(scope="session")
def invites():
    return built("invites")
