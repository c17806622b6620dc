"""What a process that isn't ended writes is on the disk in time, so that a loss of power is like an end.

A file is flushed before it gets its last name. In an installation, so are the names of all files before the journal
gets the name of its next state.
"""

import os
import subprocess

import pytest

from content_site import Site
from test_shop_content import LENGTH, App


def problems(trace):
    """What would be lost, by the calls in a trace."""
    unflushed, changed = set(), set()
    for line in trace.read_text().splitlines():
        call, path, new = line.split("\t")
        if call == "flush":
            unflushed.discard(path)
            changed.discard(path)
        elif call == "write":
            unflushed.add(path)
        else:
            if path in unflushed:
                yield f"{new} isn't flushed"
            if new.endswith(("/replacing.json", "/installed.json")):
                # What is staged is staged again after a loss.
                folders = [folder for folder in changed if folder != os.path.dirname(new) and not folder.endswith("/staged")]
                yield from (f"{folder} isn't flushed before {new}" for folder in folders)
            changed.add(os.path.dirname(new or path))


@pytest.fixture
def traced(memory, killer):
    """Runs a process, and returns what would be lost."""
    def run(*command):
        trace = memory / "trace"
        environment = {**os.environ, "LD_PRELOAD": str(killer), "TRACE": str(trace)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done
        assert sum(line.startswith("flush") for line in trace.read_text().splitlines()) > 5
        return list(problems(trace))
    return run


def test_an_installation(traced, memory, handoff_probe):
    lite, documents, storage, package = (memory / name for name in ["lite", "documents", "storage", "package"])
    for folder in [lite / "pictures", documents, storage]:
        folder.mkdir(parents=True)
    (lite / "notes.txt").write_text("new")
    (lite / "pictures/1.bin").write_text("new")
    (documents / "notes.txt").write_text("old")
    subprocess.run([handoff_probe, "pack", lite, package], check=True)
    assert traced(handoff_probe, "install", package, documents, storage) == []


def test_a_shop(traced, memory, shop_probe):
    assert traced(shop_probe, "run", memory / "app", memory / "store", "0.3") == []


def test_invitations(traced, memory, invites_probe):
    assert traced(invites_probe, memory, "arrival", "event", "signing", "thanks") == []


def test_a_download(memory, shop_probe, killer):
    app = App(memory / "app", shop_probe, killer, Site(3, LENGTH))
    output = app.run(TRACE=memory / "trace")[1]
    app.site.close()
    assert "open gold" in output and list(problems(memory / "trace")) == []
