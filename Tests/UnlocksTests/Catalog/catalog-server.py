"""A web server that answers as a test says. It prints its port, and ends when its standard input is closed.

    PUT  /any/path    [{"status": 200, "headers": {}, "body": "base64", "manner": "whole"}] is what GET answers from then on: each
                      request takes the next one, and the last one stays
    POST /any/path    answers a list of the headers of each GET so far
"""

import base64
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

answers, requests, lock = {}, {}, threading.Condition()
ended, four = threading.Event(), threading.Barrier(4)


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_PUT(self):
        answer = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with lock:
            answers[self.path] = answer
        self.reply(204, {}, b"")

    def do_POST(self):
        with lock:
            seen = json.dumps(requests.get(self.path, [])).encode()
        self.reply(200, {}, seen)

    def do_GET(self):
        with lock:
            requests.setdefault(self.path, []).append(dict(self.headers))
            left = answers.get(self.path, [])
            answer = left.pop(0) if len(left) > 1 else next(iter(left), None)
        if answer is None:
            return self.reply(404, {}, b"not found")
        status, headers, manner = answer["status"], answer["headers"], answer["manner"]
        body = base64.b64decode(answer["body"])
        try:
            getattr(self, manner)(status, headers, body)
        except OSError:
            # The client has gone, as most tests of these manners want it to.
            self.close_connection = True

    def whole(self, status, headers, body):
        self.reply(status, headers, body)

    def cut(self, status, headers, body):
        self.head(status, {**headers, "Content-Length": str(len(body))})
        self.wfile.write(body[: len(body) // 2])

    def file(self, status, headers, body):
        """A file, or the part of it that is asked for."""
        self.reply(*self.part(headers, body))

    def broken(self, status, headers, body):
        """The same, and the connection ends after half of it."""
        status, headers, body = self.part(headers, body)
        self.cut(status, headers, body)

    def together(self, status, headers, body):
        """A file, once four are asked for."""
        four.wait(60)
        self.reply(status, headers, body)

    def unsized(self, status, headers, body):
        """A body without a length."""
        self.head(status, headers)
        self.wfile.write(body)

    def part(self, headers, body):
        wanted, tag = self.headers.get("Range"), self.headers.get("If-Range")
        if not wanted or tag not in (None, headers.get("ETag")):
            return 200, headers, body
        start = int(wanted.removeprefix("bytes=").removesuffix("-"))
        if start >= len(body):
            return 416, {"Content-Range": f"bytes */{len(body)}"}, b""
        return 206, {"Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}", **headers}, body[start:]

    def silent(self, status, headers, body):
        ended.wait()

    def drip(self, status, headers, body):
        self.head(status, headers)
        while not ended.wait(0.02):
            self.wfile.write(b" ")
            self.wfile.flush()

    def endless(self, status, headers, body):
        self.head(status, headers)
        # Faster, the client would do little else: on Linux it can't make a server wait.
        while not ended.wait(0.005):
            self.wfile.write(b" " * 65536)

    def reply(self, status, headers, body):
        self.head(status, {"Content-Length": str(len(body)), **headers})
        self.wfile.write(body)

    def head(self, status, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    # The tests begin all at once. With the usual five, some connections are reset.
    request_queue_size = 128


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
ended.set()
os._exit(0)
