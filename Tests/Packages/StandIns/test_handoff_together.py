"""Several processes work at the same time: in one shared folder, or in one storage folder, as an app and its extension do."""

import json
import hashlib
import os
import signal
import subprocess
import threading

import pytest

from test_handoff_killed import Apps, apps, content, nothing_left, state  # noqa: F401


def start(apps, *arguments):
    return subprocess.Popen([apps.handoff_probe, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def end(process):
    output = process.communicate(timeout=60)[0].strip()
    return process.returncode, output


def packages(apps):
    return [path.parent for path in apps.group.glob("Handoff/*/manifest.json") if path.parent.suffix != ".unfinished"]


def assert_whole(package):
    files = json.loads((package / "manifest.json").read_text())["files"]
    assert {file["name"] for file in files} == {"boards.sqlite", "notes.txt", "pictures/large/1.bin"}
    for file in files:
        assert hashlib.sha256((package / "files" / file["name"]).read_bytes()).hexdigest() == file["sha256"]


def test_senders_at_once_all_succeed(apps):
    for _ in range(3):
        processes = [start(apps, "send", apps.lite, apps.group, apps.folder / f"sender-{i}") for i in range(8)]
        assert [end(process) for process in processes] == [(0, "")] * 8
    assert len(packages(apps)) == 24
    for package in packages(apps):
        assert_whole(package)


def test_senders_with_one_storage_forget_nothing(apps):
    processes = [start(apps, "send", apps.lite, apps.group, apps.folder / "sender") for _ in range(8)]
    assert [end(process) for process in processes] == [(0, "")] * 8
    sent = {package.name for package in packages(apps)}
    remembered = json.loads((apps.folder / "sender/DataHandoff/sender.json").read_text())
    assert len(sent) == 8 and {package["transfer"] for package in remembered} == sent
    # The newest one supersedes the others, unless they were made in the same millisecond.
    for _ in range(8):
        assert apps.install_from_group() == (0, "")
    assert apps.sent() and set(apps.sent()) <= sent
    assert content(apps.group) == {"Handoff": None}


def test_a_package_that_is_taken_away_while_it_is_made_is_an_error(apps):
    """As if another app took it for one that was given up."""
    is_done, taken = threading.Event(), []

    def take():
        while not is_done.is_set():
            for package in apps.group.glob("Handoff/*.unfinished"):
                try:
                    package.rename(apps.folder / f"taken-{len(taken)}")
                    taken.append(package)
                except OSError:
                    pass

    thread = threading.Thread(target=take)
    thread.start()
    try:
        results = [apps.send() for _ in range(40)]
    finally:
        is_done.set()
        thread.join()
    assert any(status for status, _ in results) and taken
    assert len(packages(apps)) == sum(status == 0 for status, _ in results)
    for package in packages(apps):
        assert_whole(package)


def merge_until_it_stops(apps):
    """A process that stops in the middle of a merge, until it gets a signal."""
    process = start(apps, "merge-and-stop", apps.package, apps.documents, apps.storage)
    assert os.WIFSTOPPED(os.waitpid(process.pid, os.WUNTRACED)[1])
    return process


def test_a_recovery_leaves_what_another_process_is_merging(apps):
    process = merge_until_it_stops(apps)
    apps.recover()
    process.send_signal(signal.SIGCONT)
    assert end(process) == (0, "")
    assert (apps.documents / "merged-boards.sqlite").read_bytes() == (apps.lite / "boards.sqlite").read_bytes()
    nothing_left(apps)


def test_a_recovery_removes_what_a_process_was_merging_when_it_was_killed(apps):
    process = merge_until_it_stops(apps)
    process.send_signal(signal.SIGKILL)
    assert end(process)[0] == -signal.SIGKILL
    apps.recover()
    nothing_left(apps)


@pytest.mark.parametrize("at", range(45, 70, 8))
def test_a_recovery_waits_for_an_installation(apps, at):
    """Otherwise it would complete or undo what the other process is still working at."""
    environment = os.environ | {"LD_PRELOAD": str(apps.killer), "KILL_AT": str(at), "STOP": "1"}
    process = subprocess.Popen([apps.handoff_probe, "install", apps.package, apps.documents, apps.storage], env=environment,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert os.WIFSTOPPED(os.waitpid(process.pid, os.WUNTRACED)[1])
    recovery = start(apps, "recover", apps.documents, apps.storage)
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            recovery.wait(0.5)
    finally:
        process.send_signal(signal.SIGCONT)
    assert end(process) == (0, "")
    assert end(recovery) == (0, "")
    assert state(apps) == "new"
    nothing_left(apps)


def test_requests_at_once_are_all_remembered(apps):
    processes = [start(apps, "request", apps.storage, apps.folder / f"address-{i}") for i in range(16)]
    assert [end(process) for process in processes] == [(0, "")] * 16
    record = json.loads((apps.storage / "DataHandoff/receiver.json").read_text())
    assert len(record["requests"]) == 16


def test_an_answer_counts_once_whoever_opens_it(apps):
    address = apps.folder / "address"
    for step in [("request", apps.storage, address), ("answer", apps.lite, apps.folder / "sender", address)]:
        assert apps.run(*step) == (0, "")
    processes = [start(apps, "install-link", address, apps.documents, apps.storage) for _ in range(4)]
    results = [end(process) for process in processes]
    assert sorted(status for status, _ in results) == [0, 1, 1, 1], results
    apps.recover()
    assert state(apps) == "new"
