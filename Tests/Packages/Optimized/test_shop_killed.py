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


def checksum(line):
    value = 0xCBF29CE484222325
    for byte in line:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return b"%016x " % value


class App:
    def __init__(self, folder, shop_probe, killer, is_old=False):
        """With `is_old`, the app has a journal that the version before has written."""
        self.folder, self.store = folder / "app", folder / "store"
        self.shop_probe, self.killer, self.is_old = shop_probe, killer, is_old
        if is_old:
            self.folder.mkdir(parents=True)
            lines = [b'{"format":1}', b'{"reached":"first-board"}']
            (self.folder / "journal").write_bytes(b"".join(checksum(line) + line + b"\n" for line in lines))

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

    def journal(self):
        """The entries of the lines that are whole, without a look at the checksums."""
        lines = (self.folder / "journal").read_bytes().split(b"\n")[:-1]
        return [json.loads(line[17:]) for line in lines]

    def check_finished(self):
        for number in self.finished():
            last = [entry for entry in self.journal() if entry.get("purchase") == number][-1]
            content = self.folder / "content" / f"purchase-{number}" / "content"
            if number == "3":
                assert last["revoked"] and not content.parent.exists()
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
        assert left == {"content", "journal"}, left
        folders = sorted(path.name for path in (self.folder / "content").iterdir() if path.is_dir())
        assert folders == ["purchase-1", "purchase-2"]
        if self.is_old:
            entries = self.journal()
            assert [entry["format"] for entry in entries if "format" in entry] == [2], f"call {call}"
            assert {"reached": "first-board"} in entries, f"call {call}"
        shutil.rmtree(self.folder.parent)


@pytest.mark.parametrize("is_old", [False, True])
def test_ended_at_each_call(memory, shop_probe, killer, is_old):
    for call in calls():
        app = App(memory / str(call), shop_probe, killer, is_old)
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
        app.launch_again(call, {output.count("spent") + 1})


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
