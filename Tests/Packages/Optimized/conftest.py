"""The process that the tests of the shop run."""

import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def probe():
    """The built process; SHOP_PROBE names one that is there already."""
    if "SHOP_PROBE" in os.environ:
        return Path(os.environ["SHOP_PROBE"])
    build = ["swift", "build", "-c", "release", "--package-path", HERE, "--product", "probe"]
    subprocess.run([*build, "--quiet"], check=True)
    return Path(subprocess.check_output([*build, "--show-bin-path"], text=True).strip()) / "probe"
