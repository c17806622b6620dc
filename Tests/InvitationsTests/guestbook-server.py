"""Runs Examples/Guestbook for the users that it is given. Prints its port, and ends when its standard input is closed.

The token of the user _anna is anna-token. The answer to the entry of _lost is lost after the entry was saved.
Anything that is asked for with GET is a picture.
"""

import hashlib
import sys
import threading
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Examples/Guestbook"))
import guestbook  # noqa: E402

# No busy computer takes an hour for so many requests.
guestbook.MOST_REQUESTS, guestbook.SECONDS = 20, 3_600
guestbook.PAGE_LENGTH = 3


class Handler(guestbook.Handler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"a picture")

    def sign(self, user, **entry):
        answer = super().sign(user, **entry)
        self.is_lost = user == "_lost" and answer == (200, {"isNew": True})
        return answer

    def send_response(self, status):
        if getattr(self, "is_lost", False):
            raise ConnectionError
        super().send_response(status)


class Server(guestbook.Server):
    def handle_error(self, *_):
        pass


users = {hashlib.sha256(f"{name}-token".encode()).hexdigest(): f"_{name}" for name in sys.argv[1:]}
server = Server(("127.0.0.1", 0), users, ":memory:", Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
