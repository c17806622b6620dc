"""A web server with the files of an item, whose line breaks."""

import hashlib
import json
import random
import socket
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PIECE = 1 << 16


class Site(ThreadingHTTPServer):
    """Counts the bytes that it sends. After as many as `breaks` says, all connections end, and what is on its way is lost."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, count, length, breaks=()):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.paths = [f"boards/{number}.data" for number in range(count)]
        # The files differ only in their first bytes.
        self.rest = random.Random(1).randbytes(length)
        self.size = count * length
        self.breaks, self.line = list(breaks), 0
        self.sent, self.requests = 0, []
        # Called with the number of bytes that are sent, before more are.
        self.watch = lambda sent: None
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    def contents(self, path):
        name = path.encode()
        return name + self.rest[len(name) :]

    def catalog(self):
        """The catalog of an app that sells gold, which has the files, and what else the probe's store sells."""
        files = [
            {
                "path": path,
                "url": f"https://files.example/{path}",
                "length": len(self.rest),
                "sha256": hashlib.sha256(self.contents(path)).hexdigest(),
            }
            for path in self.paths
        ]
        items = [
            {"id": "gold-pack", "product": "gold", "kind": "nonConsumable", "grants": ["gold"], "files": files},
            {"id": "silver-pack", "product": "silver", "kind": "nonConsumable", "grants": ["silver"]},
            {"id": "hints", "product": "hints", "kind": "consumable", "amount": 10, "grants": ["hint"]},
        ]
        return json.dumps({"format": 1, "revision": 1, "items": items})

    def take(self, count, line):
        """How many of so many bytes a connection may send now; 0 if its line is broken."""
        with self.lock:
            self.watch(self.sent)
            if line != self.line:
                return 0
            if self.breaks:
                count = min(count, self.breaks[0] - self.sent)
                if count == 0:
                    self.breaks.pop(0)
                    self.line += 1
            self.sent += count
            return count

    def close(self):
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address):
        pass  # A client that was ended.


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        # So that what is sent is nearly what has arrived.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 15)

    def log_message(self, *_):
        pass

    def do_GET(self):
        site = self.server
        path = self.path.removeprefix("/")
        body, tag = memoryview(site.contents(path)), f'"{path}"'
        start = 0
        if self.headers.get("If-Range") == tag:
            start = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
        with site.lock:
            site.requests.append((path, start))
            line = site.line
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        while start < len(body):
            count = site.take(min(PIECE, len(body) - start), line)
            if not count:
                return self.cut()
            self.wfile.write(body[start : start + count])
            start += count

    def cut(self):
        """Ends the connection, and drops what is still on its way."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
