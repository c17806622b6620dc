"""An X display of one browser's own, and the clipboard on it.

Browsers that shared a display would share its clipboard, and overwrite each other's copies.
"""

import os
import subprocess
import time

PATIENCE = 5  # seconds


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
        self._owner = subprocess.Popen(["xclip", "-quiet", "-selection", "clipboard"], env=self.environment,
                                       stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self._owner.stdin.write(text.encode())
        self._owner.stdin.close()
        until(lambda: self.read() == text, f"the clipboard to hold {text!r}")
        if previous:
            previous.wait()  # it ends by itself when it has lost the clipboard

    # Of text/plain Firefox gives a version in ASCII.
    def read(self, kind="UTF8_STRING"):
        """What the clipboard holds of a kind, or None."""
        for _ in range(PATIENCE):
            try:
                answer = subprocess.run(["xclip", "-out", "-selection", "clipboard", "-target", kind],
                                        env=self.environment, capture_output=True, timeout=1)
                return answer.stdout.decode() if answer.returncode == 0 else None
            except subprocess.TimeoutExpired:  # asked an owner that was just going away
                pass
        raise AssertionError(f"the clipboard has not answered for {PATIENCE} s")


def until(condition, what, patience=PATIENCE):
    """Waits for a condition to hold, and answers what it gave."""
    end = time.monotonic() + patience
    while True:
        answer = condition()
        if answer:
            return answer
        assert time.monotonic() < end, f"waited {patience} s for {what}"
        time.sleep(0.02)
