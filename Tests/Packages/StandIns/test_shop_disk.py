"""Two processes of an app with a shop open one folder, something removes the journal, and the disk can't be looked at.

Whatever happens, what was bought is there, and what was spent is spent.
"""

import errno
import os
import re
import signal
import subprocess

import pytest


class Shop:
    def __init__(self, folder, shop_probe, killer):
        self.folder, self.store, self.shop_probe, self.killer = folder / "app", folder / "store", shop_probe, killer

    def start(self, seconds=30, **environment):
        environment = {name: str(value) for name, value in environment.items()}
        environment = {**os.environ, "LD_PRELOAD": str(self.killer), **environment}
        command = [self.shop_probe, "run", self.folder, self.store, str(seconds)]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)

    def run(self, seconds=30, **environment):
        process = self.start(seconds, **environment)
        output = process.communicate(timeout=60)[0]
        return process.returncode, output

    def has(self, output):
        """The unlocks, the hints, and what is finished."""
        unlocks, hints, finished = re.search(r"open (.*), hints (\d+), finished (.*)", output).groups()
        return unlocks, int(hints), finished


@pytest.fixture
def shop(memory, shop_probe, killer):
    return Shop(memory, shop_probe, killer)


def wait_until_stopped(process):
    changed = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    assert changed.si_code == os.CLD_STOPPED, changed


def go_on(process):
    process.send_signal(signal.SIGCONT)
    return process.communicate(timeout=60)[0]


def test_one_owner(shop):
    """While one process has the folder, at any point of its work, another one changes nothing in it."""
    call = 1
    while True:
        owner = shop.start(STOP=1, KILL_AT=call)
        try:
            try:
                wait_until_stopped(owner)
            except (AssertionError, FileNotFoundError):
                break
            before = {path: path.read_bytes() for path in shop.folder.rglob("*") if path.is_file()}
            is_locked = (shop.folder / "journal.lock").exists()
            if is_locked:
                status, output = shop.run(seconds=0.05)
                assert status == 0 and "spent" not in output and shop.has(output)[:2] == ("", 0), (call, output)
                assert {path: path.read_bytes() for path in shop.folder.rglob("*") if path.is_file()} == before
            assert shop.has(go_on(owner)) == ("gold", 7, "1 2 3"), call
        finally:
            owner.kill()
            owner.wait()
        subprocess.run(["rm", "-r", shop.folder, shop.store], check=True)
        call += 3
    print(f"another process came at {call // 3} calls")
    assert call > 20


@pytest.mark.parametrize("is_empty", [False, True], ids=["removed", "emptied"])
def test_journal_removed_while_the_app_runs(shop, is_empty):
    """Before each call, something removes the journal, or puts an empty one there. Nothing is lost while the app runs."""
    call = 1
    while True:
        owner = shop.start(STOP=1, KILL_AT=call)
        try:
            try:
                wait_until_stopped(owner)
            except (AssertionError, FileNotFoundError):
                break
            journal = shop.folder / "journal"
            journal.unlink(missing_ok=True)
            if is_empty and shop.folder.exists():
                journal.write_bytes(b"")
            unlocks, hints, finished = shop.has(go_on(owner))
            assert (unlocks, hints, finished) == ("gold", 7, "1 2 3"), (call, unlocks, hints, finished)
        finally:
            owner.kill()
            owner.wait()
        # Gold is in the store's list. The hints are only in the journal, unless it went with the last call of all.
        unlocks, hints, _ = shop.has(shop.run()[1])
        assert unlocks == "gold" and hints in {0, 4}, (call, unlocks, hints)
        subprocess.run(["rm", "-r", shop.folder, shop.store], check=True)
        call += 3
    assert call > 20


def test_unknown_whether_a_folder_is_complete(shop):
    """A folder whose old mark can't be looked at isn't delivered into: half of its content would count as all."""
    content = shop.folder / "content"
    mark = content / "purchase-1.json"
    call = 1
    while True:
        assert shop.has(shop.run()[1])[0] == "gold"
        # As after a restore from a backup that has the mark without the folder.
        subprocess.run(["rm", "-r", content / "purchase-1"], check=True)
        assert mark.exists()
        status, _ = shop.run(seconds=0.3, BLIND_FOR="purchase-1.json", KILL_AT=call)
        if mark.exists() and (content / "purchase-1").exists():
            assert (content / "purchase-1" / "content").read_text() == "content", call
        if status == 0:
            break
        call += 1
        subprocess.run(["rm", "-r", shop.folder, shop.store], check=True)
    assert call > 3


def test_opened_on_a_full_disk(shop):
    """After a restore from a backup, which the content isn't in, what is paid is open even if there is no room for a folder."""
    assert shop.has(shop.run()[1])[1] == 7
    journal, content, full = shop.folder / "journal", shop.folder / "content", shop.folder.parent / "full"
    subprocess.run(["rm", "-r", content], check=True)
    before = journal.read_bytes()
    full.touch()
    assert shop.has(shop.run(seconds=0.3, FULL_WHILE=full)[1]) == ("gold", 7, "1 2 3")
    assert journal.read_bytes() == before
    # The app is open when there is room again.
    process = shop.start(FULL_WHILE=full)
    assert any("problem" in line for line in process.stdout)
    full.unlink()
    assert shop.has(process.communicate(timeout=60)[0]) == ("gold", 4, "1 2 3")
    assert (content / "purchase-1" / "content").read_text() == "content"


@pytest.mark.parametrize("is_damaged", [False, True])
def test_interrupted_calls(shop, is_damaged):
    """A signal interrupts each call of the storage that may wait, once, and then it is made again."""
    if is_damaged:
        shop.run()
        journal = shop.folder / "journal"
        journal.write_bytes(b"0 {}\n" + journal.read_bytes())
    status, output = shop.run(INTERRUPT=1)
    assert shop.has(output) == ("gold", 4 if is_damaged else 7, "1 2 3")
    problems = [line for line in output.splitlines() if "problem" in line]
    assert [line for line in problems if "are damaged" not in line] == []
    assert len(problems) == is_damaged
