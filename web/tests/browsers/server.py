"""The web that the browsers see: the snippet's files, the pages of the tests, and a store."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from display import PATIENCE

WEB = Path(__file__).parents[2]
APP = "/app/id1300230302"

MEDIA_TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css", ".html": "text/html"}

# How a store answers, by the first component of its address's path.
STORES = {
    "stays": 204,  # and so the page with the link stays where it is
    "answers": 200,
    "redirects": 302,
    "dawdles": 200,  # when the test has looked around
}


def plain_host():
    """An address of this machine that isn't loopback, so that browsers trust its pages no more than any on plain http."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("198.51.100.1", 9))  # sends nothing, but chooses a network interface
        return probe.getsockname()[0]


class Server:
    def __init__(self, host="127.0.0.1"):
        self._pages = {}
        self._asked = []
        self._requests = []
        self._posts = []
        self._changed = threading.Condition()
        # What happens before a store answers that dawdles.
        self.meanwhile = None
        self._http = ThreadingHTTPServer((host, 0), self._handler())
        self._http.daemon_threads = True
        self.port = self._http.server_port
        self.origin = f"http://{host}:{self.port}"
        # The same server, but to a browser another site.
        self.other_origin = f"http://localhost:{self.port}"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def close(self):
        self._http.shutdown()
        self._http.server_close()

    def add(self, body, kind="text/html", path=None, **headers):
        """Serves a page or the bytes of a file, and answers its path."""
        path = path or f"/page/{len(self._pages)}"
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self._pages[path] = (body if isinstance(body, bytes) else body.encode(), {"Content-Type": f"{kind}; charset=utf-8", **headers})
        return path

    def page(self, path):
        """The text of a page."""
        return self._pages[path][0].decode()

    def forget(self):
        with self._changed:
            self._asked.clear()
            self._requests.clear()
            self._posts.clear()

    def asked(self):
        """The addresses that stores were asked for, without their origins."""
        with self._changed:
            return list(self._asked)

    def requests(self):
        """Everything that was asked for, without its origin."""
        with self._changed:
            return list(self._requests)

    def posts(self):
        """What was posted to, with the body if there is one. Beacons may overtake each other, so a view comes first, and an end last."""
        with self._changed:
            return sorted(self._posts, key=lambda path: (path.startswith("/end"), "event=tap" in path))

    def wait_for_store(self, count=1):
        """Waits until stores were asked so often, and answers for what."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._asked) >= count, PATIENCE):
                raise AssertionError(f"asked for {self._asked}, and not {count} times, in {PATIENCE} s")
            return list(self._asked)

    def _handler(server):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                with server._changed:
                    server._requests.append(self.path)
                path = urlsplit(self.path).path
                first = path.split("/")[1]
                if path in server._pages:
                    self._answer(200, *server._pages[path])
                elif first in STORES and path.endswith(APP):
                    self._store(first)
                elif (WEB / path[1:]).suffix in MEDIA_TYPES and (WEB / path[1:]).is_file():
                    self._answer(200, (WEB / path[1:]).read_bytes(),
                                 {"Content-Type": MEDIA_TYPES[Path(path).suffix], "Access-Control-Allow-Origin": "*"})
                else:
                    self._answer(404, b"", {})

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
                with server._changed:
                    server._posts.append(self.path + (f" {body}" if body else ""))
                self._answer(204, b"", {})

            def _store(self, manner):
                with server._changed:
                    server._asked.append(self.path)
                    server._changed.notify_all()
                status = STORES[manner]
                if manner == "dawdles":
                    server.meanwhile()
                if status == 302:
                    self._answer(302, b"", {"Location": "/answers" + APP})
                elif status == 204:
                    self._answer(204, b"", {})
                else:
                    self._answer(200, b"<!doctype html><title>store</title>", {"Content-Type": "text/html"})

            def _answer(self, status, body, headers):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler
