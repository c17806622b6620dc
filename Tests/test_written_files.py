"""What the command writes is there as a whole or not at all, whenever it is ended and whatever fails."""

import errno
import os
import resource
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

TOOL = os.environ["REFERRAL_TOOL"]
# More calls than writing a file makes.
CALLS = range(1, 16)


@pytest.fixture
def run(tmp_path, killer):
    """Runs the command in an empty folder, with what happens to it at one of its calls."""

    def run_tool(*arguments, **happens):
        environment = {**os.environ, "LD_PRELOAD": str(killer), **{name: str(value) for name, value in happens.items()}}
        # A signal that the tests ignore would be ignored by the command too.
        restore = lambda: [signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
        return subprocess.run([TOOL, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, preexec_fn=restore)

    return run_tool


PAGE = ["page", "--app-id", "42", "--name", "T", "--referrer", "x"]
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.mark.parametrize("ends", [None, *SIGNALS])
def test_a_key_is_whole_whenever_the_command_is_ended(tmp_path, run, ends):
    endings = set()
    for call in CALLS:
        happens = {"KILL_AT": call} | ({"SEND": int(ends)} if ends else {})
        outcome = run("key", "--out", "key.pem", **happens)
        endings.add(outcome.returncode)
        if not (tmp_path / "key.pem").exists():
            assert run("key", "--out", "key.pem").returncode == 0, call
        assert run("key", "--public", "key.pem").returncode == 0, call
        left = [path.name for path in tmp_path.iterdir() if path.name != "key.pem"]
        # No process can do anything about SIGKILL.
        assert left == [] or ends is None and len(left) == 1, call
        for path in tmp_path.iterdir():
            path.unlink()
    assert endings == {0, -(ends or signal.SIGKILL)}


@pytest.mark.parametrize("ends", [None, *SIGNALS])
@pytest.mark.parametrize("old", [None, "old"])
def test_a_page_is_the_old_one_or_the_new_one_whenever_the_command_is_ended(tmp_path, run, old, ends):
    new = run(*PAGE).stdout
    file = tmp_path / "page.html"
    endings = set()
    for call in CALLS:
        if old:
            file.write_text(old)
        happens = {"KILL_AT": call} | ({"SEND": int(ends)} if ends else {})
        endings.add(run(*PAGE, "--out", "page.html", **happens).returncode)
        assert (file.read_text() if file.exists() else None) in (old, new), call
        left = [path.name for path in tmp_path.iterdir() if path.name != "page.html"]
        assert left == [] or ends is None and len(left) == 1, call
        for path in tmp_path.iterdir():
            path.unlink()
    assert endings == {0, -(ends or signal.SIGKILL)}


@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC])
def test_a_page_is_the_old_one_or_the_new_one_whichever_call_fails(tmp_path, run, code):
    new = run(*PAGE).stdout
    file = tmp_path / "page.html"
    failed = 0
    for call in CALLS:
        file.write_text("old")
        outcome = run(*PAGE, "--out", "page.html", KILL_AT=call, FAIL_WITH=code)
        failed += outcome.returncode != 0
        assert file.read_text() == (new if outcome.returncode == 0 else "old"), call
    assert failed > 1


@pytest.mark.parametrize("old", ["old", "x" * 100_000])
def test_in_a_folder_that_allows_no_new_files_a_full_disk_keeps_the_page(old):
    """The limit of a file's size stands for a full disk: either lets a file grow no further."""
    with tempfile.TemporaryDirectory() as name:
        folder, file = Path(name), Path(name) / "page.html"
        new = subprocess.check_output([TOOL, *PAGE], text=True)
        file.write_text(old)
        file.chmod(0o666)
        # Another user may not get to where it was built.
        tool = shutil.copy(TOOL, folder)
        folder.chmod(0o555)

        def prepare():
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(old) + 10, len(old) + 10))
            # The rights of a folder don't hold for the superuser.
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)

        outcome = subprocess.run([tool, *PAGE, "--out", file], capture_output=True, text=True, preexec_fn=prepare)
        if len(old) < len(new):
            assert outcome.returncode == 74 and "File too large" in outcome.stderr
            assert file.read_text() == old
        else:
            assert outcome.returncode == 0, outcome.stderr
            assert file.read_text() == new
        folder.chmod(0o755)


@pytest.mark.parametrize("name", ["icon.svg", "./icon.svg", "link", "hard", "/dev/stdout"])
def test_no_output_is_an_input(tmp_path, name):
    icon = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    file = tmp_path / "icon.svg"
    file.write_text(icon)
    (tmp_path / "link").symlink_to("icon.svg")
    (tmp_path / "hard").hardlink_to(file)
    with open(file, "ab") as output:
        outcome = subprocess.run([TOOL, *PAGE, "--icon", "icon.svg", "--out", name], cwd=tmp_path, stdout=output, stderr=-1, text=True)
    assert (outcome.returncode, file.read_text()) == (64, icon)
    assert "name another file" in outcome.stderr


LOG = '192.0.2.1 - - [01/Oct/2026:09:30:00 +0000] "GET /get?via=anna HTTP/1.1" 200 5 "-" "Mozilla/5.0 (iPhone)"\n'


@pytest.mark.parametrize("arguments", [
    ["--html", "r", "--csv", "./r"], ["--html", "r", "--csv", "to-r"], ["--html", "to-old", "--csv", "old"], ["--html", "hard", "--csv", "old"],
    ["--html", "-", "--csv", "-"], ["--html", "output", "--csv", "-"], ["./A.log"], ["--html", "A.log"],
])
def test_the_files_of_a_run_are_different_files(tmp_path, arguments):
    (tmp_path / "A.log").write_text(LOG)
    (tmp_path / "old").write_text("old")
    (tmp_path / "to-r").symlink_to("r")
    (tmp_path / "to-old").symlink_to("old")
    (tmp_path / "hard").hardlink_to(tmp_path / "old")
    with open(tmp_path / "output", "w") as output:
        outcome = subprocess.run([TOOL, "report", "A.log", *arguments], cwd=tmp_path, stdout=output, stderr=-1, text=True)
    assert outcome.returncode == 64 and outcome.stderr.endswith(" too; name another file\n")
    # Nothing was written.
    assert {path.name: path.read_text() for path in tmp_path.iterdir() if path.name not in ("hard", "to-old", "to-r")} == {
        "A.log": LOG, "old": "old", "output": ""}


def test_a_report_goes_into_a_pipe_that_somebody_reads(tmp_path):
    (tmp_path / "A.log").write_text(LOG)
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen([TOOL, "report", "A.log", "--html", "pipe"], cwd=tmp_path, stderr=-1) as tool:
        with open(tmp_path / "pipe", "rb") as pipe:
            assert pipe.read().startswith(b"<!doctype html>")
        assert tool.wait() == 0
