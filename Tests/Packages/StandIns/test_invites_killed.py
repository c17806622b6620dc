"""An invited person's app and that of the person who invited them are ended before each call that changes a file system, and each
such call fails once, between the arrival, the event, the signature and the thanks.

Whatever happens, after the next launches there is one record, it is counted once, and a finished step wasn't needed again.
"""

import errno
import os
import shutil
import signal
import subprocess

import pytest

from sampling import calls

STEPS = ["arrival", "event", "signing", "thanks"]


class Apps:
    def __init__(self, folder, invites_probe, killer):
        self.folder, self.invites_probe, self.killer = folder, invites_probe, killer
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()

    def run(self, steps, at=None, error=None):
        environment = dict(os.environ)
        if at:
            environment |= {"LD_PRELOAD": str(self.killer), "KILL_AT": str(at)}
        if error:
            environment["FAIL_WITH"] = str(error)
        done = subprocess.run(
            [self.invites_probe, self.folder, *steps], env=environment, capture_output=True, text=True, timeout=60
        )
        return done.returncode, done.stdout.splitlines()

    def launch_again(self, call, lines, may_ask_again=False):
        """What the apps were told is done isn't done again, except that each of their launches tries to sign, and reads."""
        done = [step for step in STEPS[:2] if step in lines]
        status, later = self.run([step for step in STEPS if step not in done])
        assert status == 0
        assert not [line for line in later if line.startswith("failed")], f"call {call}: {lines} {later}"
        assert later[-2:] == ["1 counted", "thanks"], f"call {call}: {lines} {later}"
        if "signing" in lines and not may_ask_again:
            assert "asked again" not in later, f"call {call}: {lines} {later}"
        records = [path for path in (self.folder / "guestbook").iterdir() if path.name.startswith("arrival-")]
        assert len(records) == 1
        for user in ["guest", "host"]:
            left = {path.name for path in (self.folder / user).iterdir()} - {"invites.json.new"}
            assert left == {"invites.json", "invites.lock"}
        # And once more: nothing is asked again, and nothing is counted again.
        assert self.run(["signing", "thanks"]) == (0, ["signing", "1 counted", "thanks"])
        shutil.rmtree(self.folder)


def test_ended_at_each_call(memory, invites_probe, killer):
    for call in calls():
        apps = Apps(memory / str(call), invites_probe, killer)
        status, lines = apps.run(STEPS, at=call)
        if status == 0:
            break
        assert status == -signal.SIGKILL, lines
        apps.launch_again(call, lines)
    assert lines == ["arrival", "event", "signing", "1 counted", "thanks"]
    print(f"ended at calls up to {call}")
    assert call > 30


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EACCES], ids=errno.errorcode.get)
def test_each_call_fails_once(memory, invites_probe, killer, error):
    for call in calls():
        if Apps(memory / "count", invites_probe, killer).run(STEPS, at=call)[0] == 0:
            break
        apps = Apps(memory / str(call), invites_probe, killer)
        status, lines = apps.run(STEPS, at=call, error=error)
        assert status == 0
        # If the answer couldn't be saved, the guestbook is asked once more.
        apps.launch_again(call, lines, may_ask_again=True)
