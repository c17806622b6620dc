"""A process that sends or receives is ended before each call that changes a file system, and each such call fails once.

Whatever happens, the destination is as before or as after, once the next launch has recovered; no data is lost, nothing is
left behind, and a second try works.
"""

import errno
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
from functools import partial
from pathlib import Path

import pytest

from sampling import STEP, calls

ROWS = {"old": 37, "new": 501}


class Apps:
    """The folders of two apps, and the steps they take."""

    def __init__(self, folder, handoff_probe, killer):
        self.folder, self.handoff_probe, self.killer = folder, handoff_probe, killer
        self.lite, self.documents, self.storage = folder / "lite", folder / "documents", folder / "storage"
        self.group, self.package = folder / "group", folder / "package"
        self.environment = {}

    def run(self, *arguments, at=None, error=None, then=None):
        environment = os.environ | self.environment
        if at:
            environment |= {"LD_PRELOAD": str(self.killer), "KILL_AT": str(at)}
        if error:
            environment["FAIL_WITH"] = str(error)
        if then:
            environment["THEN_KILL"] = str(then)
        done = subprocess.run([self.handoff_probe, *arguments], env=environment, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout.strip() + done.stderr.strip()

    def install(self, **how):
        return self.run("install", self.package, self.documents, self.storage, **how)

    def install_from_group(self, **how):
        return self.run("install-group", self.group, self.documents, self.storage, **how)

    def install_from_link(self, **how):
        """Only the last step, in which the data arrives, is ended. An answer is good once, so each try asks anew."""
        address = self.folder / "address"
        for step in [("request", self.storage, address), ("answer", self.lite, self.folder / "sender", address)]:
            assert self.run(*step) == (0, "")
        return self.run("install-link", address, self.documents, self.storage, **how)

    def merge(self, **how):
        return self.run("merge", self.package, self.documents, self.storage, **how)

    def send(self, **how):
        return self.run("send", self.lite, self.group, self.folder / "sender", **how)

    def sent(self):
        """The transfers that have arrived."""
        status, output = self.run("sent", self.group, self.folder / "sender")
        assert status == 0, output
        return output.split()

    def recover_group(self):
        status, output = self.run("recover", self.documents, self.storage, self.group)
        assert status == 0, output

    def recover(self):
        status, output = self.run("recover", self.documents, self.storage)
        assert status == 0, output


def database(path, rows):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE board (id INTEGER PRIMARY KEY, name TEXT)")
        connection.executemany("INSERT INTO board (name) VALUES (?)", [(f"board {i}",) for i in range(rows)])
    connection.close()


def database_in_use(path, rows):
    """A database in WAL mode whose process has crashed: all but one of its rows are in the log."""
    work = path.parent / "work.sqlite"
    connection = sqlite3.connect(work, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE board (id INTEGER PRIMARY KEY, name TEXT)")
    connection.execute("INSERT INTO board (name) VALUES ('first')")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.execute("PRAGMA wal_autocheckpoint=0")
    connection.executemany("INSERT INTO board (name) VALUES (?)", [(f"old {i}",) for i in range(rows - 1)])
    for suffix in ["", "-wal", "-shm"]:
        shutil.copy(f"{work}{suffix}", f"{path}{suffix}")
    connection.close()
    for left in path.parent.glob("work.sqlite*"):
        left.unlink()


@pytest.fixture
def apps(memory, handoff_probe, killer):
    apps = Apps(memory / "apps", handoff_probe, killer)
    for folder in [apps.lite / "pictures/large", apps.documents / "kept", apps.storage, apps.group]:
        folder.mkdir(parents=True)
    database(apps.lite / "boards.sqlite", ROWS["new"])
    (apps.lite / "notes.txt").write_text("new notes")
    (apps.lite / "pictures/large/1.bin").write_bytes(bytes(range(256)) * 300)
    database_in_use(apps.documents / "boards.sqlite", ROWS["old"])
    (apps.documents / "notes.txt").write_text("old notes")
    (apps.documents / "notes.txt").chmod(0o640)
    (apps.documents / "kept/mine.txt").write_text("mine")
    assert apps.run("pack", apps.lite, apps.package) == (0, "")
    return apps


@pytest.fixture
def other_volume(memory, tmp_path):
    if memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is only one volume")
    return tmp_path


def content(folder):
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
            for path in sorted(folder.rglob("*"))}


def state(apps):
    """`old` or `new`, if the destination is wholly one of them."""
    there = content(apps.documents)
    assert (apps.documents / "notes.txt").stat().st_mode & 0o777 == 0o640
    # SQLite changes the files that it opens.
    copy = apps.folder / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(apps.documents, copy)
    connection = sqlite3.connect(copy / "boards.sqlite")
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    rows = connection.execute("SELECT count(*) FROM board").fetchone()[0]
    connection.close()
    found = {value: key for key, value in ROWS.items()}[rows]
    names = {"boards.sqlite", "kept", "kept/mine.txt", "notes.txt"}
    names |= {"boards.sqlite-wal", "boards.sqlite-shm"} if found == "old" \
        else {"pictures", "pictures/large", "pictures/large/1.bin"}
    assert set(there) == names
    assert there["notes.txt"] == f"{found} notes".encode() and there["kept/mine.txt"] == b"mine"
    if found == "new":
        assert there["pictures/large/1.bin"] == (apps.lite / "pictures/large/1.bin").read_bytes()
        assert there["boards.sqlite"] == (apps.lite / "boards.sqlite").read_bytes()
    return found


def again(apps):
    """Puts all folders back as they were at the first call."""
    before = apps.folder.parent / f"{apps.folder.name}-before"
    if before.exists():
        shutil.rmtree(apps.folder)
    else:
        shutil.copytree(apps.folder, before, symlinks=True)
        shutil.rmtree(apps.folder)
    shutil.copytree(before, apps.folder, symlinks=True)


def every_call(apps, step, check):
    """Ends a step at each of its calls, in fresh folders each time, and then lets it finish. With samples, each stands for several."""
    seen = []
    for at in calls():
        again(apps)
        status, output = step(at=at)
        if status == 0:
            check(None)
            return seen * STEP
        assert status == -signal.SIGKILL, output
        seen.append(check(at))


def every_failure(apps, step, error):
    """Lets each call of a step fail, in fresh folders each time, and yields its number, and the step's status and output."""
    for at in calls():
        again(apps)
        if step(at=at)[0] == 0:
            break
        again(apps)
        yield at, *step(at=at, error=error)


def nothing_left(apps):
    assert not list(apps.folder.rglob(".handoff*"))
    for name in ["staged", "installations", "damaged"]:
        assert not list(apps.storage.glob(f"DataHandoff/{name}/*")), name


@pytest.mark.parametrize("carrier", ["file", "group", "link", "volume", "copies"])
def test_an_installation_that_is_killed_is_done_or_undone(apps, carrier, other_volume):
    step = apps.install
    if carrier == "group":
        assert apps.send() == (0, "")
        step = apps.install_from_group
    if carrier == "link":
        step = apps.install_from_link
    if carrier == "volume":
        # What is staged can't be linked into the destination.
        apps.storage = other_volume
    if carrier == "copies":
        # Nothing can be linked.
        apps.environment = {"LD_PRELOAD": str(apps.killer), "LINKS_FAIL_WITH": str(errno.EPERM)}

    def check(at):
        apps.recover()
        found = state(apps)
        nothing_left(apps)
        if at:
            assert step() == (0, ""), at
            assert state(apps) == "new"
            nothing_left(apps)
        else:
            assert found == "new"
        return found

    seen = every_call(apps, step, check)
    assert set(seen) == {"old", "new"} and len(seen) > 40
    print(len(seen), "calls")


def put_defaults(apps):
    """Packs user defaults too, and returns those of the receiver before and after."""
    sent, mine = apps.folder / "sent-defaults", apps.folder / "defaults"
    before = {"order": "old", "theme": "old", "other": "mine"}
    after = {"order": "new", "theme": "new", "zoom": "new", "other": "mine"}
    for folder, values in [(sent, {key: "new" for key in ["order", "theme", "zoom"]}), (mine, before)]:
        folder.mkdir()
        for key, value in values.items():
            (folder / key).write_text(value)
    apps.environment = {"DEFAULTS": str(mine), "SENT_DEFAULTS": str(sent)}
    apps.package.unlink()
    assert apps.run("pack", apps.lite, apps.package) == (0, "")
    return before, after


def defaults(apps):
    folder = apps.folder / "defaults"
    return {key: (folder / key).read_text() for key in ["order", "theme", "zoom", "other"] if (folder / key).exists()}


@pytest.mark.parametrize("command", ["install", "merge"])
def test_user_defaults_of_a_step_that_is_killed_are_set_with_its_files_or_not_at_all(apps, command):
    before, after = put_defaults(apps)
    step = getattr(apps, command)

    def check(at):
        apps.recover()
        found = defaults(apps)
        assert found in [before, after], at
        if command == "install":
            assert (found == after) == (state(apps) == "new"), at
        nothing_left(apps)
        if at:
            assert step() == (0, ""), at
        assert defaults(apps) == after
        nothing_left(apps)
        return found == after

    assert set(every_call(apps, step, check)) == {False, True}


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO], ids=errno.errorcode.get)
def test_user_defaults_of_an_installation_that_fails_are_as_before(apps, code):
    before, after = put_defaults(apps)
    failed = 0
    for at, status, output in every_failure(apps, apps.install, code):
        found = defaults(apps)
        assert (found, state(apps)) == ((before, "old") if status == 1 else (after, "new")), (at, status, output)
        failed += status == 1
        apps.recover()
        assert defaults(apps) == found, at
    assert failed * STEP > 20


def test_adding_that_is_killed_adds_all_or_nothing(apps):
    add = lambda **how: apps.run("add", apps.package, apps.documents, apps.storage, **how)
    status, output = add()
    assert status == 1 and "already exists" in output and state(apps) == "old"
    for old in [*apps.documents.glob("boards.sqlite*"), apps.documents / "notes.txt"]:
        old.unlink()
    before = content(apps.documents)
    after = {**before, **content(apps.lite)}

    def check(at):
        apps.recover()
        found = content(apps.documents)
        assert found in [before, after], at
        if at and found == before:
            assert add() == (0, "")
        assert content(apps.documents) == after
        nothing_left(apps)
        return found == after

    assert set(every_call(apps, add, check)) == {False, True}


def test_what_the_person_adds_after_a_crash_stays(apps):
    add = lambda **how: apps.run("add", apps.package, apps.documents, apps.storage, **how)
    for old in [*apps.documents.glob("boards.sqlite*"), apps.documents / "notes.txt"]:
        old.unlink()
    before = content(apps.documents)
    after = {**before, **content(apps.lite)}

    def check(at):
        mine = not (apps.documents / "notes.txt").exists()
        if mine:
            (apps.documents / "notes.txt").write_text("mine")
        apps.recover()
        assert content(apps.documents) in ([{**before, "notes.txt": b"mine"}] if mine else [before, after]), at
        nothing_left(apps)
        return mine

    assert set(every_call(apps, add, check)) == {True, False}


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT], ids=errno.errorcode.get)
def test_what_fails_to_write_a_package_leaves_nothing(apps, code):
    step = ["file", apps.lite, apps.folder / "new"]
    before, failed = content(apps.folder), 0
    for at, status, output in every_failure(apps, partial(apps.run, *step), code):
        assert (status, output) == (1, "There is no space left on this device."), at
        left = set(content(apps.folder)) - set(before)
        assert left <= {"new", "new/DataHandoff"}, (at, left)
        failed += 1
    assert failed * STEP > 2


def test_a_merge_that_is_killed_can_be_tried_again(apps):
    before = content(apps.documents)

    def check(at):
        apps.recover()
        nothing_left(apps)
        if at:
            assert apps.merge() == (0, "")
        now = content(apps.documents)
        assert {name: now[name] for name in before} == before
        assert (apps.documents / "merged-boards.sqlite").read_bytes() == (apps.lite / "boards.sqlite").read_bytes()

    assert len(every_call(apps, apps.merge, check)) > 20


def test_a_sender_that_is_killed_leaves_a_whole_package_or_none(apps):
    before = content(apps.lite)

    def check(at):
        assert content(apps.lite) == before
        # The receiver takes what is whole, and mentions nothing else.
        assert apps.install_from_group() == (0, "")
        found = state(apps)
        if at:
            assert apps.send() == (0, "")
        assert apps.install_from_group() == (0, "")
        assert state(apps) == "new"
        assert len(apps.sent()) >= 1
        # What wasn't finished is removed when it is a day old.
        for left in apps.group.glob("Handoff/*.unfinished"):
            os.utime(left, (0, 0))
        apps.recover_group()
        assert not list(apps.group.rglob("*.unfinished")) and not list(apps.group.rglob("*.removed"))
        return found

    assert set(every_call(apps, apps.send, check)) == {"old", "new"}


def test_a_sender_that_fails_leaves_nothing_and_can_try_again(apps):
    failed = 0
    for at, status, output in every_failure(apps, apps.send, errno.EIO):
        left = content(apps.group)
        if status:
            assert set(left) <= {"Handoff"}, (at, output, left)
            assert apps.send() == (0, ""), at
            failed += 1
        assert len(list(apps.group.glob("Handoff/*/manifest.json"))) == 1
        assert apps.install_from_group() == (0, "") and len(apps.sent()) == 1, at
    assert failed * STEP > 15


def test_a_package_that_has_arrived_leaves_the_shared_folder_whenever_the_process_is_killed(apps):
    assert apps.send() == (0, "")
    before = content(apps.lite)

    def check(at):
        apps.recover_group()
        apps.recover_group()
        found = state(apps)
        if found == "old":
            assert apps.install_from_group() == (0, "")
        assert content(apps.lite) == before
        assert not list(apps.group.rglob("files")) and not list(apps.group.rglob("*.removed"))
        assert len(apps.sent()) == 1 and apps.sent() == []
        assert content(apps.group) == {"Handoff": None}
        return found

    assert set(every_call(apps, apps.install_from_group, check)) == {"old", "new"}


def test_a_receipt_that_the_sender_cannot_forget_now_is_told_again(apps):
    for _ in range(2):
        assert apps.send() == (0, "") and apps.install_from_group() == (0, "")
    sent, failed = ["sent", apps.group, apps.folder / "sender"], 0
    for at, status, output in every_failure(apps, partial(apps.run, *sent), errno.ENOSPC):
        told = output.split() if status == 0 else []
        assert len({*told, *apps.sent()}) == 2, (at, output)
        failed += 1
    assert failed * STEP > 10


def test_a_package_that_is_given_up_is_removed_or_that_is_an_error(apps):
    step = ["remove-unfinished", apps.group]
    left, failed = apps.group / "Handoff/left.unfinished", 0
    (left / "files").mkdir(parents=True)
    (left / "files/notes.txt").write_text("half of it")
    os.utime(left, (0, 0))
    for at, status, output in every_failure(apps, partial(apps.run, *step), errno.EIO):
        assert status == 1 or not list(apps.group.glob("Handoff/*")), (at, output)
        failed += status
    assert failed * STEP > 2


def test_a_confirmed_package_is_gone_even_if_the_sender_was_killed(apps):
    assert apps.send() == (0, "") and apps.install_from_group() == (0, "")

    def check(at):
        apps.sent()
        assert apps.sent() == []
        apps.recover_group()
        assert not list(apps.group.rglob("files")) and not list(apps.group.rglob("*.removed"))

    assert len(every_call(apps, lambda **how: apps.run("sent", apps.group, apps.folder / "sender", **how), check)) > 3


def test_a_database_travels_on_a_sealed_link(apps):
    lite = apps.folder / "lite"
    (lite / "pictures/large/1.bin").unlink()
    (lite / "notes.txt").unlink()
    status, output = apps.run("link", lite, apps.documents, apps.storage)
    print(output)
    assert status == 0 and int(output.split()[0]) < (lite / "boards.sqlite").stat().st_size, output
    assert (apps.documents / "boards.sqlite").read_bytes() == (lite / "boards.sqlite").read_bytes()
    nothing_left(apps)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES], ids=errno.errorcode.get)
def test_an_installation_that_fails_changes_nothing(apps, code):
    failed = 0
    for at, status, output in every_failure(apps, apps.install, code):
        assert status == 0 or re.search("no space left|can't be read or written", output), output
        # An error of the installation changes nothing. After it only the old files are left to be removed.
        assert state(apps) == {0: "new", 1: "old", 2: "new"}[status], (at, output)
        failed += status == 1
        apps.recover()
        assert state(apps) == {0: "new", 1: "old", 2: "new"}[status], (at, output)
        nothing_left(apps)
    assert failed * STEP > 20


@pytest.mark.parametrize("code", [errno.EINVAL, errno.ENOTSUP, errno.EIO], ids=errno.errorcode.get)
def test_folders_that_cannot_be_flushed(apps, code):
    """A file system that doesn't know how is no error, and a broken one is."""
    apps.environment = {"LD_PRELOAD": str(apps.killer), "FOLDERS_FAIL_WITH": str(code)}
    status, output = apps.install()
    assert (status, state(apps)) == ((1, "old") if code == errno.EIO else (0, "new")), output
    apps.environment = {}
    apps.recover()
    nothing_left(apps)


def test_calls_that_a_signal_interrupts_are_made_again(apps):
    apps.environment = {"LD_PRELOAD": str(apps.killer), "INTERRUPT": "1"}
    assert apps.send() == (0, "")
    assert apps.install_from_group() == (0, "") and state(apps) == "new"


def test_an_installation_that_fails_and_is_then_killed_is_done_or_undone(apps):
    """The pairs differ from run to run; SEED=… repeats one."""
    seed = int(os.environ.get("SEED", random.randrange(10**6)))
    chance = random.Random(seed)
    for _ in range(60):
        at, then = chance.randrange(40, 75), chance.randrange(1, 30)
        again(apps)
        apps.install(at=at, error=errno.EIO, then=then)
        apps.recover()
        assert state(apps) in ROWS, (seed, at, then)
        nothing_left(apps)
        assert apps.install() == (0, "") and state(apps) == "new", (seed, at, then)


def test_a_folder_that_may_not_be_written_stays_as_it_is(apps):
    if os.geteuid():
        pytest.skip("only root can become somebody who may not write")
    nobody = 65534
    for path in [apps.folder.parent, *apps.folder.parent.rglob("*")]:
        if path.is_dir() or path == apps.package:
            path.chmod(0o755)
    for path in [apps.storage, *apps.storage.rglob("*")]:
        os.chown(path, nobody, nobody)
    before = content(apps.documents)
    try:
        done = subprocess.run([apps.handoff_probe, "install", apps.package, apps.documents, apps.storage], user=nobody,
                              group=nobody, extra_groups=[], capture_output=True, text=True, timeout=60)
    except PermissionError:
        pytest.skip("the process is where nobody else may run it")
    assert done.returncode == 1 and "Permission denied" in done.stdout, done
    assert content(apps.documents) == before
    assert apps.install() == (0, "") and state(apps) == "new"


def test_a_full_disk_changes_nothing(apps, tmp_path):
    """With a file system of every size from too small to large enough."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o"]
    if subprocess.run([*mount, "size=64k", "none", disk], capture_output=True).returncode:
        pytest.skip("mounting needs root")
    subprocess.run(["umount", disk], check=True)
    documents, seen = apps.documents, set()
    for size in range(64, 512, 32):
        subprocess.run([*mount, f"size={size}k", "none", disk], check=True)
        try:
            apps.documents, apps.storage = disk / "documents", disk / "storage"
            try:
                shutil.copytree(documents, apps.documents)
            except (OSError, shutil.Error):
                continue
            status, output = apps.install()
            assert (status, output) in [(0, ""), (1, "There is no space left on this device.")]
            apps.recover()
            found = state(apps)
            seen.add(found)
            assert found == {0: "new", 1: "old"}[status]
            nothing_left(apps)
        finally:
            subprocess.run(["umount", disk], check=True)
    assert seen == {"old", "new"}
