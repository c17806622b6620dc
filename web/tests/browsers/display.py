"""An X display of one browser's own, and the clipboard on it.

Browsers that shared a display would share its clipboard, and overwrite each other's copies.
"""

import os
import subprocess

from selenium.common.exceptions import TimeoutException
from selenium.webdriver.support.wait import WebDriverWait

PATIENCE = 30  # seconds, which only a failure takes


class Display:
    def __init__(self):
        reading, writing = os.pipe()
        self._server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
            pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as number:
            self.environment = {**os.environ, "DISPLAY": ":" + number.readline().strip()}
        self._owner = None

    def close(self):
        for process in (self._owner, self._server):
            if process and process.poll() is None:
                process.terminate()
                process.wait()

    def put(self, text):
        """Puts a text on the clipboard, as another program would have."""
        previous = self._owner
        self._owner = self._offer(text)

        def holds():
            # A copy that the browser was still making takes the clipboard away, and ends the program that had it.
            if self._owner.poll() is not None:
                self._owner = self._offer(text)
            return self.read() == text

        until(holds, f"the clipboard to hold {text!r}")
        if previous:
            previous.wait()

    def _offer(self, text):
        owner = subprocess.Popen(["xclip", "-quiet", "-selection", "clipboard"], env=self.environment,
                                 stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        owner.stdin.write(text.encode())
        owner.stdin.close()
        return owner

    def wait_for_copy(self):
        """Waits until another program has put something on the clipboard, since the last `put`. The one that held the text ends then."""
        try:
            self._owner.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"nothing was copied in {PATIENCE} s") from None

    # Of text/plain Firefox gives a version in ASCII.
    def read(self, kind="UTF8_STRING"):
        """What the clipboard holds of a kind, or None."""
        def answer():
            try:
                return subprocess.run(["xclip", "-out", "-selection", "clipboard", "-target", kind],
                                      env=self.environment, capture_output=True, timeout=1)
            except subprocess.TimeoutExpired:  # asked an owner that was just going away
                return None
        given = until(answer, "the clipboard to answer")
        return given.stdout.decode() if given.returncode == 0 else None


def until(condition, what, patience=PATIENCE):
    """Waits for a condition to hold, and answers what it gave."""
    try:
        return WebDriverWait(None, patience, poll_frequency=0.02).until(lambda _: condition())
    except TimeoutException:
        raise AssertionError(f"waited {patience} s for {what}") from None
