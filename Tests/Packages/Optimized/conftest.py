"""The program that the tests run."""

from pathlib import Path

import pytest

from built import program


@pytest.fixture(scope="session")
def attack():
    return program(Path(__file__).parent, "attack", "-c", "release")
