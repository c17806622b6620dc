"""The program that attacks handoffs: that it notices what it looks for, and sees every file call of the sources."""

import os
import re
import subprocess
import threading

import pytest

from built import objects

# What libc has to look at files and to change them, apart from `close`, which never fails here.
FILE_CALLS = """access faccessat open open64 openat openat64 creat read pread pread64 readv write pwrite pwrite64 writev stat stat64
lstat lstat64 fstat fstat64 fstatat fstatat64 statx opendir fdopendir readdir readdir64 scandir scandir64 fts_open nftw ftw glob
rename renameat renameat2 link linkat symlink symlinkat unlink unlinkat remove rmdir mkdir mkdirat mkfifo mknod mkstemp mkdtemp
tmpfile fopen fopen64 fdopen freopen chmod fchmod fchmodat chown lchown fchown utimes utimensat futimens fsync fdatasync sync
syncfs truncate truncate64 ftruncate ftruncate64 fallocate posix_fallocate flock lockf readlink readlinkat realpath
copy_file_range sendfile sendfile64 setxattr fsetxattr removexattr mmap mmap64""".split()


def run(attack, *arguments):
    return subprocess.run([attack, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def while_attacking(attack, memory, change, *arguments):
    """Does something to the files while the program runs."""
    ended = threading.Event()

    def change_often():
        while not ended.wait(0.01):
            for folder in memory.glob("attack-*"):
                try:
                    change(folder)
                except OSError:
                    pass  # The program is putting it back.

    thread = threading.Thread(target=change_often)
    thread.start()
    try:
        return run(attack, *arguments, "--folder", memory)
    finally:
        ended.set()
        thread.join()


@pytest.mark.parametrize("path, said", [
    ("neighbor.txt", "outside, neighbor.txt changed"),
    ("Library/keys.db", "outside, Library/keys.db changed"),
    ("Lite/notes.txt", "outside, Lite/notes.txt changed"),
    ("Documents/kept/mine.txt", "kept/mine.txt"),
])
def test_a_change_where_nothing_may_change_is_noticed(attack, memory, path, said):
    done = while_attacking(attack, memory, lambda folder: (folder / path).write_text("changed"), "packages", "--count", 20_000)
    assert done.returncode == 1 and said in done.stdout, done
    assert re.search(r"^seed \d+: ", done.stdout, re.MULTILINE)


def test_a_link_that_appears_is_noticed(attack, memory):
    done = while_attacking(attack, memory, lambda folder: (folder / "Outside/link").symlink_to(".."), "packages", "--count", 20_000)
    assert done.returncode == 1 and "outside, Outside/link changed" in done.stdout, done


@pytest.mark.parametrize("command", ["faults", "power"])
def test_lost_data_is_noticed(attack, memory, command):
    def lose(folder):
        (folder / "Documents/kept/mine.txt").unlink()

    done = while_attacking(attack, memory, lose, command)
    assert done.returncode == 1 and ("kept/mine.txt" in done.stdout or "crashes" in done.stdout), done


def test_a_process_that_hangs_is_ended(attack, memory):
    def stop(folder):
        os.kill(int(folder.name.removeprefix("attack-")), 19)

    done = while_attacking(attack, memory, stop, "packages", "--patience", 1)
    assert done.returncode == 1 and "it hangs" in done.stdout, done


@pytest.mark.parametrize("arguments", [[], ["nothing"], ["packages", "--nothing"], ["packages", "--count", "many"]])
def test_bad_arguments_are_an_error(attack, arguments):
    done = run(attack, *arguments)
    assert done.returncode == 64 and done.stderr.startswith("attack: ") and not done.stdout


def symbols(path, *options):
    lines = subprocess.check_output(["nm", *options, path], text=True).splitlines()
    return {line.split()[-1].partition("@")[0] for line in lines if line.split()}


def test_every_file_call_of_the_sources_is_counted(attack):
    library = objects(attack.parent, "DataHandoff", "ReferralAppSupport")
    assert library
    undefined = set().union(*(symbols(path, "--undefined-only") for path in library))
    # Swift has functions of its own for these two, since they take any number of arguments.
    overlaid = {name for name in ["open", "openat"] if any(f"5Glibc{len(name)}{name}" in symbol for symbol in undefined)}
    used = undefined & set(FILE_CALLS) | overlaid
    assert {"open", "lstat", "rename", "link", "fsync"} <= used
    assert sorted(used - symbols(attack, "--defined-only")) == []
