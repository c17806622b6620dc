"""The files of an item are loaded over a line that breaks, by a process that is ended, and onto a full disk.

Whatever happens, the content ends whole, and what is on the disk isn't loaded again.
"""

import errno
import os
import re
import shutil
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

from content_site import Site
from sampling import STEP, calls

MEGABYTE = 1 << 20
# Of a small file, which arrives in several pieces.
LENGTH = 50_000


class App:
    def __init__(self, folder, shop_probe, killer, site):
        folder.mkdir(exist_ok=True)
        self.folder, self.store, self.catalog = folder / "app", folder / "store", folder / "catalog.json"
        self.shop_probe, self.killer, self.site = shop_probe, killer, site
        self.catalog.write_text(site.catalog())

    @property
    def content(self):
        return self.folder / "content" / "purchase-1"

    @property
    def files(self):
        return self.folder / "content" / "purchase-1.files"

    def start(self, seconds=60, **environment):
        environment = {name: str(value) for name, value in environment.items()}
        if environment:
            environment["LD_PRELOAD"] = str(self.killer)
        # Otherwise glibc keeps freed memory for each thread, and more threads run on a busy machine.
        environment["MALLOC_ARENA_MAX"] = "2"
        command = [self.shop_probe, "content", self.folder, self.store, str(seconds), self.catalog, self.site.address]
        return subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True)

    def run(self, seconds=60, **environment):
        process = self.start(seconds, **environment)
        output = process.communicate(timeout=600)[0]
        return process.returncode, output

    def check_content(self, is_done):
        """No file counts that wasn't checked."""
        places = {str(path.relative_to(self.content)): path for path in self.content.rglob("*") if path.is_file()}
        if places.pop("content", None):
            assert is_done or places.keys() == set(self.site.paths)
        assert places.keys() <= set(self.site.paths)
        for path, place in places.items():
            assert place.read_bytes() == self.site.contents(path), path
        if is_done:
            assert places.keys() == set(self.site.paths)
            assert [path.name for path in self.files.iterdir()] == ["list"]


def memory_used(output):
    """The highest memory of a process that has the content, in bytes."""
    assert "open gold" in output, output
    return int(re.search(r"memory (\d+)", output).group(1)) * 1_024


def test_broken_line(memory, shop_probe, killer):
    """A bad line costs few bytes: for LINE=200,5242880,50 in a gigabyte with fifty breaks."""
    count, length, breaks = map(int, os.environ.get("LINE", f"20,{3 * MEGABYTE},10").split(","))
    site = Site(count, length, [count * length * number // (breaks + 1) for number in range(1, breaks + 1)])
    app = App(memory / "line", shop_probe, killer, site)
    output = app.run(seconds=600)[1]
    used = memory_used(output)
    app.check_content(is_done=True)
    assert not site.breaks
    again = app.run()[1]
    idle = memory_used(again)
    print(f"{site.size} bytes in {count} files over a line that broke {site.line} times")
    print(f"sent {site.sent} bytes, {site.sent / site.size:.4f} of the size, in {len(site.requests)} requests")
    print(f"memory: {used / MEGABYTE:.1f} MiB, {idle / MEGABYTE:.1f} MiB without loading")
    assert site.sent <= 1.02 * site.size


def kept(app):
    """What is on the disk of the files, and can be used at the next launch."""
    if not app.files.exists():
        return 0
    places = [path for path in app.content.rglob("*.data") if path.is_file()]
    loaded = [path for path in app.files.iterdir() if re.fullmatch(r"[0-9a-f]{64}-\d+", path.name)]
    parts = [path for path in app.files.glob("*.part") if path.with_suffix(".tag").exists()]
    # A file of its full length is checked, and needs no tag.
    parts += [path for path in app.files.glob("*.part") if path.stat().st_size == len(app.site.rest)]
    return sum(path.stat().st_size for path in {*places, *loaded, *parts})


def test_ended_at_each_call(memory, shop_probe, killer):
    """At the next launch, only what isn't on the disk is loaded."""
    for call in calls():
        app = App(memory / str(call), shop_probe, killer, Site(3, LENGTH))
        status, output = app.run(KILL_AT=call)
        app.site.close()
        if status == 0:
            break
        assert status == -signal.SIGKILL, output
        app.check_content(is_done=False)
        left = app.site.size - kept(app)
        # Connections of the first process may still send.
        app.site = Site(3, LENGTH)
        status, output = app.run()
        app.site.close()
        assert "open gold" in output, (call, status, output)
        app.check_content(is_done=True)
        assert app.site.sent == left, call
        shutil.rmtree(memory / str(call))
    print(f"ended at calls up to {call}")
    assert call > 40


def test_each_call_fails_once(memory, shop_probe, killer):
    """The same process tries it again, a second later. Several wait at a time."""
    errors = [errno.ENOSPC, errno.EIO, errno.EACCES]

    def check(call):
        app = App(memory / str(call), shop_probe, killer, Site(3, LENGTH))
        output = app.run(KILL_AT=call, FAIL_WITH=errors[call % 3])[1]
        app.site.close()
        assert "open gold" in output, (call, output)
        app.check_content(is_done=True)
        shutil.rmtree(memory / str(call))

    with ThreadPoolExecutor(8) as pool:
        # The test above counts somewhat fewer calls.
        for _ in pool.map(check, range(1, 131, 2 * STEP)):
            pass


def test_full_disk(memory, shop_probe, killer):
    """The disk is full once half of the files is loaded. A problem says so, and loading continues when there is room."""
    site = Site(8, MEGABYTE)
    app = App(memory / "full", shop_probe, killer, site)
    full = memory / "is-full"
    site.watch = lambda sent: full.touch() if sent >= site.size // 2 else None
    process = app.start(FULL_WHILE=full)
    for line in process.stdout:
        if "problem" in line and "files" in line:
            break
    site.watch = lambda sent: None
    needed = int(re.search(r"The disk is full, and the files that are still missing have (\d+) bytes", line).group(1))
    count = len(site.requests)
    assert needed == site.size - kept(app)
    full.unlink()
    output = process.communicate(timeout=60)[0]
    assert "open gold" in output, output
    app.check_content(is_done=True)
    # Of each file, the last request counts. A connection that has ended may still have sent a piece.
    starts = dict(site.requests[count:])
    assert sum(len(site.rest) - start for start in starts.values()) == needed
