"""Which of its calls a process is ended at."""

import os

# Each call with LONG_TESTS, and otherwise every fifth one.
STEP = 1 if os.environ.get("LONG_TESTS") else 5


def calls():
    """The numbers of the calls, for a loop that ends when the process makes no more."""
    yield from range(1, 1_000, STEP)
    raise AssertionError("a process without an end")
