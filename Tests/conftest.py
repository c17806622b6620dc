"""What the tests that end processes share."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def killer(tmp_path_factory):
    """A library that, preloaded, ends a process at one of its calls, or makes that call fail."""
    library = tmp_path_factory.mktemp("killer") / "killer.so"
    source = Path(__file__).with_name("killer.c")
    subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.fixture
def memory(tmp_path):
    """A folder in memory, where flushing takes no time."""
    if not Path("/dev/shm").is_dir():
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(dir="/dev/shm"))
    yield folder
    shutil.rmtree(folder)
