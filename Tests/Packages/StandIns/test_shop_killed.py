"""An app with a shop is ended before each call that changes a file system, and each such call fails once.

Whatever happens, at the next launch the person has what they paid for, once, and nothing was finished too early.
"""

import errno
import json
import os
import re
import shutil
import signal
import subprocess

import pytest

from sampling import calls


class App:
    def __init__(self, folder, shop_probe, killer):
        self.folder, self.store = folder / "app", folder / "store"
        self.shop_probe, self.killer = shop_probe, killer

    def run(self, at=None, error=None, seconds=0.3, folders=None):
        environment = dict(os.environ)
        if at or folders:
            environment["LD_PRELOAD"] = str(self.killer)
        if at:
            environment["KILL_AT"] = str(at)
        if folders:
            environment["FOLDERS_FAIL_WITH"] = str(folders)
        if error:
            environment["FAIL_WITH"] = str(error)
        command = [self.shop_probe, "run", self.folder, self.store, str(seconds)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout

    def finished(self):
        return self.store.read_text().split() if self.store.exists() else []

    def grants(self):
        """The grants in the journal, by purchase."""
        entries = [json.loads(line) for line in (self.folder / "journal").read_bytes().splitlines()]
        grants = [entry["grant"]["_0"] for entry in entries if "grant" in entry]
        return {grant["source"]["purchase"]["_0"]: grant for grant in grants}

    def check_finished(self):
        for number in self.finished():
            last = self.grants()[number]
            content = self.folder / "content" / f"purchase-{number}" / "content"
            if number == "3":
                assert last["transaction"]["isRevoked"] and not content.parent.exists()
            else:
                assert last["stage"] == "delivered" and content.read_text() == "content"

    def launch_again(self, call, spends):
        """The next launch puts everything right. Three hints may have been spent so many times."""
        status, output = self.run(seconds=30)
        assert status == 0
        self.check_finished()
        has, hints, finished = re.search(r"open (.*), hints (\d+), finished (.*)", output).groups()
        assert (has, finished) == ("gold", "1 2 3"), f"call {call}: {output}"
        assert int(hints) in {10 - 3 * count for count in spends}, f"call {call}: {output}"
        # What a new journal was being written into may be left, and is overwritten the next time.
        left = {path.name for path in self.folder.iterdir()} - {"journal.new"}
        assert left == {"content", "journal", "journal.lock"}, left
        folders = sorted(path.name for path in (self.folder / "content").iterdir() if path.is_dir())
        assert folders == ["purchase-1", "purchase-2"]
        shutil.rmtree(self.folder.parent)


def test_ended_at_each_call(memory, shop_probe, killer):
    for call in calls():
        app = App(memory / str(call), shop_probe, killer)
        app.folder.parent.mkdir(exist_ok=True)
        status, output = app.run(at=call)
        if status == 0:
            break
        assert status == -signal.SIGKILL, output
        app.check_finished()
        app.launch_again(call, {(output.count("spent") + 1), 2})
    print(f"ended at calls up to {call}")
    assert call > 20


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EACCES], ids=errno.errorcode.get)
def test_each_call_fails_once(memory, shop_probe, killer, error):
    for call in calls():
        counted = App(memory / "count", shop_probe, killer)
        counted.folder.parent.mkdir()
        status, _ = counted.run(at=call)
        shutil.rmtree(counted.folder.parent)
        if status == 0:
            break
        app = App(memory / str(call), shop_probe, killer)
        app.folder.parent.mkdir()
        _, output = app.run(at=call, error=error)
        app.check_finished()
        # If the folder can't be flushed, the new journal may be on the disk or not.
        app.launch_again(call, {output.count("spent") + 1, output.count("spent") + 2})


@pytest.mark.parametrize("error", [errno.EINVAL, errno.ENOTSUP, errno.EIO])
def test_folders_that_cannot_be_flushed(memory, shop_probe, killer, error):
    """A file system that doesn't know how is no error, and a broken one is."""
    app = App(memory / "folders", shop_probe, killer)
    app.folder.parent.mkdir()
    status, output = app.run(seconds=30 if error != errno.EIO else 0.3, folders=error)
    if error == errno.EIO:
        assert "finished 1 2 3" not in output
        shutil.rmtree(app.folder.parent)
    else:
        assert status == 0 and "finished 1 2 3" in output, output
        app.check_finished()
        app.launch_again("without folders", {2, 1, 3})
