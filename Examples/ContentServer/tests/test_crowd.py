"""The command, as a process of its own, and 50 clients at once."""

import contextlib
import hashlib
import http.client
import json
import re
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from apple import APP_ID, BUNDLE, purchase
from conftest import FILES, item, write_files

HERE = Path(__file__).resolve().parent
NOW = time.time_ns() // 1_000_000


@pytest.fixture
def start(tmp_path, apple):
    """Starts the command, and answers its port and process."""
    (tmp_path / "roots").mkdir()
    (tmp_path / "roots/Test.cer").write_bytes(apple.root)
    (tmp_path / "catalog.json").write_text(json.dumps({"format": 1, "items": [item("gold"), item("gift", free=True)]}))
    write_files(tmp_path / "content")
    processes = []

    def start(*options):
        command = [sys.executable, "-m", "contentserver", "--bundle", BUNDLE, "--catalog", tmp_path / "catalog.json",
                   "--content", tmp_path / "content", "--database", tmp_path / "database.sqlite",
                   "--roots", tmp_path / "roots", "--offline", "--port", "0",
                   "--app-id", str(APP_ID), *options]
        process = subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.PIPE, text=True)
        processes.append(process)
        return int(process.stdout.readline().rpartition(":")[2]), process

    yield start
    for process in processes:
        process.terminate()
        process.wait()
        process.stdout.close()


def signed(apple, id, **changes):
    return apple.sign(purchase(id, signedDate=NOW, purchaseDate=NOW, originalPurchaseDate=NOW) | changes)


def post(port, path, body):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", path, json.dumps(body))
    response = connection.getresponse()
    text = response.read()
    connection.close()
    return response.status, json.loads(text or "null")


def ask(port, proof):
    return post(port, "/content/gold", {"transaction": proof})


def load(port, answer):
    """Loads all files, and answers whether they are right."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for path, file in answer["files"].items():
        connection.request("GET", file["url"].removeprefix(".."))
        response = connection.getresponse()
        data = response.read()
        if response.status != 200 or hashlib.sha256(data).hexdigest() != file["sha256"] or data != FILES[path]:
            return False
    connection.close()
    return True


def request(proof):
    body = json.dumps({"transaction": proof})
    return f"POST /content/gold HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


def responses(connection, count):
    """The statuses and bodies of so many responses on a connection."""
    found, file = [], connection.makefile("rb")
    for _ in range(count):
        status = int(file.readline().split()[1])
        length = 0
        while (line := file.readline()) not in (b"\r\n", b""):
            if match := re.match(rb"content-length: (\d+)", line, re.IGNORECASE):
                length = int(match[1])
        found.append((status, json.loads(file.read(length))))
    return found


def memory(process):
    return int(re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())[1]) >> 10


def test_of_50_clients_those_who_paid_get_it_and_nobody_else(start, apple):
    port, process = start()
    rest = threading.Barrier(10)

    def honest(id):
        status, answer = ask(port, signed(apple, id))
        return status == 200 and load(port, answer)

    def slow(id):
        # All of them wait with half a request until the others have had theirs.
        text = request(signed(apple, id))
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(text[:len(text) // 2])
            rest.wait(60)
            connection.sendall(text[len(text) // 2:])
            status, answer = responses(connection, 1)[0]
            return status == 200 and load(port, answer)

    def cut(id):
        proof = signed(apple, id)
        text = request(proof)
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(text[:-10])
        # Whoever is cut off asks again, and also leaves in the middle of a file.
        status, answer = ask(port, proof)
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            address = answer["files"]["boards/more.json"]["url"].removeprefix("..")
            connection.sendall(f"GET {address} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            connection.recv(100)
        return status == 200 and load(port, answer)

    def doubled(id):
        text = request(signed(apple, id))
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(text + text)
            return all(status == 200 and load(port, answer) for status, answer in responses(connection, 2))

    def forged(id):
        proof = signed(apple, id)
        last = "A" if proof[-9] != "A" else "B"
        answers = [ask(port, proof[:-9] + last + proof[-8:]), ask(port, signed(apple, id, environment="Sandbox")),
                   ask(port, signed(apple, id, bundleId="com.example.other")),
                   ask(port, signed(apple, id, revocationDate=NOW)), ask(port, None)]
        return all(status == 403 and "files" not in answer for status, answer in answers) and refunded(f"{id}-back")

    def refunded(id):
        status, answer = ask(port, signed(apple, id))
        refund = apple.notification(transaction=signed(apple, id, revocationDate=NOW))
        # The same notification twice, and the proof from before it again.
        told = [post(port, "/notifications", {"signedPayload": refund})[0] for _ in range(2)]
        reason = ask(port, signed(apple, id))[1].get("reason")
        return (status, told, reason, load(port, answer)) == (200, [200, 200], "refunded", False)

    def everybody(round):
        clients = [(client, f"{round}-{client.__name__}-{number}")
                   for number in range(10) for client in (slow, honest, cut, doubled, forged)]
        with ThreadPoolExecutor(len(clients)) as pool:
            served = pool.map(lambda client: client[0](client[1]), clients)
            return [id for is_right, (_, id) in zip(served, clients) if not is_right]

    assert everybody(0) == []
    before = memory(process)
    for round in range(1, 3):
        assert everybody(round) == []
    assert memory(process) - before < 8, "MiB more after two more rounds"


@pytest.mark.parametrize("part", ["0-59999999", "1-", None])
def test_clients_that_do_not_read_keep_nobody_waiting(start, apple, tmp_path, part):
    # More than a server would keep of a response, and more clients than it has threads.
    size = 64 << 20
    big = item("big", free=True, files=[{"path": "big", "length": size, "sha256": "0" * 64}])
    (tmp_path / "catalog.json").write_text(json.dumps({"format": 1, "items": [big, item("gold")]}))
    with open(tmp_path / "content/big", "wb") as file:
        file.truncate(size)
    port, _ = start()
    address = post(port, "/content/big", {})[1]["files"]["big"]["url"].removeprefix("..")
    head = f"GET {address} HTTP/1.1\r\nHost: localhost\r\n" + (f"Range: bytes={part}\r\n" if part else "")
    with contextlib.ExitStack() as waiting:
        for _ in range(30):
            connection = waiting.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
            connection.sendall(f"{head}\r\n".encode())
            assert connection.recv(12) == (b"HTTP/1.1 206" if part else b"HTTP/1.1 200")
        status, answer = ask(port, signed(apple, "1"))
        assert status == 200 and load(port, answer)


def test_a_part_ends_where_it_should(start):
    port, _ = start()
    file = post(port, "/content/gift", {})[1]["files"]["boards/more.json"]
    with urllib.request.urlopen(urllib.request.Request(
        f"http://127.0.0.1:{port}{file['url'].removeprefix('..')}", headers={"Range": "bytes=6-11"})) as response:
        assert (response.status, response.headers["Content-Range"]) == (206, "bytes 6-11/80000")
        assert response.read() == b"remore"


def test_a_replayed_proof_gets_no_more_than_its_downloads(start, apple, tmp_path):
    port, _ = start("--lifetime", "0", "--downloads", "20")  # Each request is a download of its own.
    proof = signed(apple, "1")
    with ThreadPoolExecutor(50) as pool:
        statuses = list(pool.map(lambda _: ask(port, proof)[0], range(100)))
    assert set(statuses) == {200, 429}
    with sqlite3.connect(tmp_path / "database.sqlite") as database:
        assert database.execute("SELECT count(*) FROM downloads").fetchone() == (20,)
    assert ask(port, proof)[1]["reason"] == "limit"
    assert ask(port, signed(apple, "2"))[0] == 200


def test_a_killed_server_forgets_nothing_that_it_has_answered(start, apple):
    port, process = start("--downloads", "1")
    for id in ["1", "2"]:
        assert ask(port, signed(apple, id))[0] == 200
    refund = apple.notification(transaction=signed(apple, "2", revocationDate=NOW))
    assert post(port, "/notifications", {"signedPayload": refund})[0] == 200
    process.kill()
    process.wait()
    port, process = start("--downloads", "1", "--lifetime", "0")
    assert ask(port, signed(apple, "1"))[1]["reason"] == "limit"
    assert ask(port, signed(apple, "2"))[1]["reason"] == "refunded"
