"""What a package costs whose stream expands to more than its manifest promises, in a process with little memory."""

import hashlib
import json
import resource
import subprocess
import zlib

import pytest

MEMORY = 1 << 29


def package(codec, promised):
    contents = bytes(promised)
    manifest = {"transfer": "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "created": 1, "from": "com.example.trestle.lite",
                "to": "com.example.trestle", "schema": 1,
                "files": [{"name": "boards", "length": promised, "sha256": hashlib.sha256(contents).hexdigest()}]}
    manifest = json.dumps(manifest).encode()
    return b"RBH1" + bytes([codec, 0]) + len(manifest).to_bytes(4, "big") + manifest


@pytest.fixture(scope="session")
def bomb():
    stream, part = zlib.compressobj(1, zlib.DEFLATED, -15), bytes(1 << 20)
    return b"".join(stream.compress(part) for _ in range(2 * MEMORY >> 20)) + stream.flush()


def install(handoff_probe, tmp_path):
    return subprocess.run([handoff_probe, "install", tmp_path / "package", tmp_path / "documents", tmp_path / "storage"],
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
                          capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("promised", [0, 15, 1 << 20])
def test_a_stream_that_expands_to_more_than_its_manifest_promises(handoff_probe, tmp_path, bomb, promised):
    (tmp_path / "package").write_bytes(package(1, promised) + bomb)
    done = install(handoff_probe, tmp_path)
    assert (done.returncode, done.stdout) == (1, "The package is longer than its list of files states.\n"), done


@pytest.mark.parametrize("count", [0, 1, 70_000, 2_000_000])
def test_what_is_as_long_as_it_promises_is_installed(handoff_probe, tmp_path, count):
    for codec in [0, 1]:
        stream = zlib.compressobj(0, zlib.DEFLATED, -15)
        contents = bytes(count) if codec == 0 else stream.compress(bytes(count)) + stream.flush()
        (tmp_path / "package").write_bytes(package(codec, count) + contents)
        done = install(handoff_probe, tmp_path)
        assert (done.returncode, done.stdout) == (0, ""), done
        assert (tmp_path / "documents/boards").stat().st_size == count
