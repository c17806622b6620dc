"""A guestbook for the article TheGuestbook, with Python's standard library alone. Run it behind a web server with https:

    python3 guestbook.py users.json guestbook.sqlite 8080

users.json has the name of a user for the SHA-256 digest of each token, in hexadecimal digits. The article describes the requests.
"""

import hashlib
import json
import re
import sqlite3
import sys
import threading
import time
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PROGRAMS = {"invite-2026": "first-board"}  # and their events
MOST_BYTES, PAGE_LENGTH = 4096, 100
MOST_REQUESTS, SECONDS = 60, 60  # of each user
TEXT, DAY, NUMBER = r"(?s).{1,256}", r"\d{4}-\d\d-\d\d", r"\d{1,18}"


class Server(ThreadingHTTPServer):
    def __init__(self, address, users, file, handler):
        self.users, self.lock, self.recent = users, threading.Lock(), {}
        self.database = sqlite3.connect(file, check_same_thread=False)
        self.database.execute("CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY AUTOINCREMENT, "
                              "user, program, referrer, event, day, UNIQUE (user, program))")
        super().__init__(address, handler)


class Handler(BaseHTTPRequestHandler):
    timeout = 10  # seconds for a request that doesn't end

    def do_POST(self):
        try:
            status, answer = self.respond()
        except (ValueError, TypeError, RecursionError):  # not JSON, or other members than those of the function
            status, answer = 400, {}
        self.send_response(status)
        if status == 429:
            self.send_header("Retry-After", str(SECONDS))
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def respond(self):
        length = int(self.headers["Content-Length"])
        if not 0 <= length <= MOST_BYTES:
            return 413, {}
        question = self.rfile.read(length)
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        # The token alone says who the user is, and nothing in the question.
        user = self.server.users.get(hashlib.sha256(token.encode()).hexdigest())
        if user is None:
            return 401, {}
        with self.server.lock, self.server.database:
            recent = self.server.recent.setdefault(user, deque(maxlen=MOST_REQUESTS))
            if len(recent) == MOST_REQUESTS and time.monotonic() - recent[0] < SECONDS:
                return 429, {}
            recent.append(time.monotonic())
            functions = {"/sign": self.sign, "/records": self.records, "/myself": self.myself}
            return functions.get(self.path, self.unknown)(user, **json.loads(question))

    def sign(self, user, program, referrer, event, day):
        check(TEXT, program, referrer, event)
        check(DAY, day)
        if PROGRAMS.get(program) != event:
            return 403, {}
        written = self.server.database.execute("INSERT OR IGNORE INTO entries (user, program, referrer, event, day) VALUES (?, ?, ?, ?, ?)",
                                               (user, program, referrer, event, day))
        return 200, {"isNew": written.rowcount == 1}

    def records(self, user, referrer, after="0"):
        check(TEXT, referrer)
        check(NUMBER, after)
        found = self.server.database.execute("SELECT id, user, program FROM entries WHERE referrer = ? AND id > ? ORDER BY id LIMIT ?",
                                             (referrer, int(after), PAGE_LENGTH + 1)).fetchall()
        page = found[:PAGE_LENGTH]
        return 200, {"records": [{"user": user, "program": program} for _, user, program in page],
                     "cursor": str(page[-1][0]) if page else after, "isLast": len(found) <= PAGE_LENGTH}

    def myself(self, user):
        return 200, {"user": user}

    def unknown(self, user, **_):
        return 404, {}

    def log_message(self, *_):
        pass  # a log would say who invited whom


def check(form, *texts):
    if not all(re.fullmatch(form, text, re.ASCII) for text in texts):
        raise ValueError


if __name__ == "__main__":
    with open(sys.argv[1]) as users:
        Server(("127.0.0.1", int(sys.argv[3])), json.load(users), sys.argv[2], Handler).serve_forever()
