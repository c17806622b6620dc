"""The library's downloads ask the example's server for content: it reaches those who paid, and nobody else."""

import hashlib
import json
import random
import shutil
import signal
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
import waitress
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

from sampling import calls
from test_shop_content import App

EXAMPLE = Path(__file__).parents[3] / "Examples/ContentServer"
sys.path[:0] = [str(EXAMPLE), str(EXAMPLE / "tests")]

from apple import APP_ID, BUNDLE, DAY, NOW, Apple, decoded, encoded  # noqa: E402
from contentserver.catalog import Catalog  # noqa: E402
from contentserver.purchases import Purchases  # noqa: E402
from contentserver.server import make_app  # noqa: E402

REFUSED = "The server doesn't give out the files, for the reason"
LIFETIME = 3600


class Site:
    """The example's server in this process, with a clock that the test moves, and answers that it replaces."""

    def __init__(self, folder, apple, count=3, length=50_000, downloads=1000, **gold):
        folder.mkdir()
        # The guarded item's members, and how it differs.
        self.gold = {"id": "gold-pack", "product": "gold", "kind": "nonConsumable", "grants": ["gold"],
                     "guard": "https://content.example/content/gold-pack"} | gold
        self.apple, self.now, self.requests = apple, NOW, []
        self.paths = [f"boards/{number}.data" for number in range(count)]
        self.rest = random.Random(2).randbytes(length)
        # Called with each request. Its answer, a status, headers and a body, replaces the server's.
        self.watch = lambda path: None
        for path in self.paths:
            place = folder / "content" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(self.contents(path))
        (folder / "catalog.json").write_text(self.catalog())
        verifier = SignedDataVerifier([apple.root], False, Environment.PRODUCTION, BUNDLE, APP_ID)
        catalog = Catalog(folder / "catalog.json", folder / "content")
        purchases = Purchases(":memory:", downloads, 30, LIFETIME)
        self.flask = make_app(verifier, catalog, purchases, "", lambda: self.now)
        self.server = waitress.create_server(self, host="127.0.0.1", port=0, threads=8)
        self.address = f"http://127.0.0.1:{self.server.effective_port}"
        threading.Thread(target=self.server.run, daemon=True).start()

    def __call__(self, environ, start_response):
        path, answer = environ["PATH_INFO"], None
        self.requests.append(path)
        if answer := self.watch(path):
            status, headers, body = answer
            start_response(f"{status} Lie", [("Content-Length", str(len(body))), *headers])
            return [body]
        return self.flask(environ, start_response)

    def contents(self, path):
        return path.encode() + self.rest[len(path) :]

    def catalog(self):
        files = [{"path": path, "length": len(self.rest), "sha256": hashlib.sha256(self.contents(path)).hexdigest()}
                 for path in self.paths]
        items = [
            self.gold | {"files": files},
            {"id": "silver-pack", "product": "silver", "kind": "nonConsumable", "grants": ["silver"]},
            {"id": "hints", "product": "hints", "kind": "consumable", "amount": 10, "grants": ["hint"]},
        ]
        return json.dumps({"format": 1, "revision": 1, "items": items})

    @property
    def asked(self):
        """How often the server was asked for addresses."""
        return sum(path == "/content/gold-pack" for path in self.requests)

    @property
    def given(self):
        return len(self.requests) - self.asked

    def notify(self, proof):
        body = {"signedPayload": self.apple.notification(transaction=proof)}
        assert self.flask.test_client().post("/notifications", json=body).status_code == 200


@pytest.fixture(scope="module")
def apple():
    return Apple()


@pytest.fixture
def make_app_for(memory, shop_probe, killer):
    return lambda site, name="app": App(memory / name, shop_probe, killer, site)


def bought(apple, id="1000", **changes):
    return apple.transaction(id, **({"productId": "gold"} | changes))


@contextmanager
def started(app, **environment):
    process = app.start(**environment)
    yield process
    process.kill()
    process.communicate()


def refusal(app, proof):
    """The reason with which the server refuses the content."""
    with started(app, PROOF=proof) as process:
        line = next(line for line in process.stdout if "problem" in line)
    assert REFUSED in line, line
    app.check_content(is_done=False)
    assert not app.content.exists()
    return line.split(REFUSED)[1].split()[0].strip(" ”“\".;")


def test_who_paid_gets_it(memory, apple, make_app_for):
    """The addresses of all files are asked for once, and with a line that breaks or without, the content is whole."""
    site = Site(memory / "site", apple)
    app = make_app_for(site)
    output = app.run(PROOF=bought(apple))[1]
    assert "open gold" in output and "problem" not in output, output
    app.check_content(is_done=True)
    assert (site.asked, site.given) == (1, 3)
    # What is here isn't asked for again.
    assert "open gold" in app.run(PROOF=bought(apple))[1]
    assert (site.asked, site.given) == (1, 3)


def changed(proof):
    header, payload, signature = proof.split(".")
    return ".".join([header, encoded(decoded(payload) | {"productId": "gold"}), signature])


FORGED = {
    "another chain": ("proof", lambda apple: bought(Apple())),
    "changed": ("proof", lambda apple: changed(bought(apple, productId="silver"))),
    "without a signature": ("proof", lambda apple: bought(apple).rsplit(".", 1)[0] + "."),
    "another app": ("app", lambda apple: bought(apple, bundleId="com.example.other")),
    "TestFlight": ("environment", lambda apple: bought(apple, environment="Sandbox")),
    "another product": ("product", lambda apple: bought(apple, productId="silver")),
    "ended": ("expired", lambda apple: bought(apple, expiresDate=NOW - 1)),
    "refunded": ("refunded", lambda apple: bought(apple, revocationDate=NOW - DAY, revocationReason=0)),
}


@pytest.mark.parametrize("reason, proof", FORGED.values(), ids=FORGED)
def test_nobody_else_gets_it(memory, apple, make_app_for, reason, proof):
    site = Site(memory / "site", apple)
    assert refusal(make_app_for(site), proof(apple)) == reason
    assert not site.given


def test_replayed(memory, apple, make_app_for):
    """Another's proof gives content up to the limit, and after a refund to nobody."""
    site = Site(memory / "site", apple, downloads=2)
    for number in range(2):
        assert "open gold" in make_app_for(site, f"app-{number}").run(PROOF=bought(apple))[1]
        site.now += LIFETIME * 1000
    assert refusal(make_app_for(site, "app-2"), bought(apple)) == "limit"
    assert "open gold" in make_app_for(site, "app-3").run(PROOF=bought(apple, "1001"))[1]
    site.notify(bought(apple, "1001", revocationDate=NOW, revocationReason=0, signedDate=NOW))
    assert refusal(make_app_for(site, "app-4"), bought(apple, "1001")) == "refunded"


def test_free(memory, apple, make_app_for):
    """Only if the catalog says that an item is free, it is asked for without a proof."""
    site = Site(memory / "site", apple, free=True)
    assert "open gold" in make_app_for(site).run()[1]
    assert (site.asked, site.given) == (1, 3)


def test_without_a_proof(memory, apple, make_app_for):
    """As long as the store hasn't told the purchase, nobody is asked."""
    site = Site(memory / "site", apple)
    app = make_app_for(site)
    assert "open , " in app.run(seconds=0.5)[1]
    assert not site.requests
    assert "open gold" in app.run(PROOF=bought(apple))[1]


UNUSABLE = "The server's answer has no safe address of the file."
LIES = {
    "down": (503, [], b"", "status 503"),
    "another refusal": (403, [], b'{"reason":"weather","message":"It rains."}', "status 403"),
    "not JSON": (200, [], b"{", UNUSABLE),
    "nothing": (200, [], b'{"files":{},"expiresIn":60}', UNUSABLE),
    "ended": (200, [], b'{"files":{"boards/0.data":{"url":"../files/file-x"}},"expiresIn":0}', "The file's address has expired."),
    "never ends": (200, [], b'{"files":{"boards/0.data":{"url":"../files/file-x"}},"expiresIn":1e308}', "status 403"),
    "a file": (200, [], b'{"files":{"boards/0.data":{"url":"file:///etc/passwd"}},"expiresIn":60}', UNUSABLE),
    "large": (200, [], b" " * (1 << 20) + b"{}", "The answer has more than 1048576 bytes."),
    "elsewhere": (302, [("Location", "ftp://127.0.0.1/x")], b"", "A redirect is less safe"),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_server_that_lies(memory, apple, make_app_for, lie):
    """It is asked again after a pause, and nothing of what it said counts."""
    *answer, problem = lie
    site = Site(memory / "site", apple, count=1)
    site.watch = lambda path: answer if len(site.requests) == 1 else None
    app = make_app_for(site)
    output = app.run(PROOF=bought(apple))[1]
    assert problem in output and "open gold" in output, output
    assert site.asked == 2
    app.check_content(is_done=True)


def test_addresses_that_expire_meanwhile(memory, apple, make_app_for):
    """New ones are asked for, without a failure. What was loaded isn't loaded again."""
    site = Site(memory / "site", apple, count=12, length=100_000)

    def watch(path):
        if path.startswith("/files") and site.given % 5 == 0:
            site.now += LIFETIME * 1000

    site.watch = watch
    app = make_app_for(site)
    output = app.run(PROOF=bought(apple))[1]
    assert "open gold" in output and "problem" not in output, output
    app.check_content(is_done=True)
    assert site.asked > 2


def test_ended_processes_and_expired_addresses(memory, apple, make_app_for):
    for call in calls():
        site = Site(memory / f"site-{call}", apple)
        app = make_app_for(site, str(call))
        status, output = app.run(PROOF=bought(apple), KILL_AT=call)
        if status == 0:
            break
        assert status == -signal.SIGKILL, output
        app.check_content(is_done=False)

        def watch(path, site=site):
            if path.startswith("/files") and site.given in (1, 4, 7):
                site.now += LIFETIME * 1000

        site.watch = watch
        status, output = app.run(PROOF=bought(apple))
        assert "open gold" in output, (call, status, output)
        app.check_content(is_done=True)
        shutil.rmtree(memory / str(call))
        site.server.close()
    print(f"ended at calls up to {call}")
    assert call > 40


def test_once_a_month(memory, apple, make_app_for):
    """Whether a purchase was refunded is asked at most once a month, and nothing but a refund takes the content away."""
    site, proof = Site(memory / "site", apple), bought(apple)
    app = make_app_for(site)

    def asked(days, answer=None):
        """How often the server is asked when the app is launched so many days later."""
        before = site.asked
        site.watch = lambda path: answer
        app.run(seconds=10, PROOF=proof, DAYS=days)
        return site.asked - before

    assert "open gold" in app.run(PROOF=proof)[1]
    days = 0
    answers = [(status, [], b"") for status in (503, 404, 410)] + [
        (429, [], b'{"reason":"limit"}'), (403, [], b""), (200, [], b"{"), (302, [("Location", "file:///")], b"")]
    answers += [(403, [], f'{{"reason":"{reason}"}}'.encode()) for reason in ("proof", "app", "expired", "product")]
    for answer in answers:
        # A real second is some minutes for the app.
        assert asked(days + 28, answer) == 0
        days += 32
        assert asked(days, answer) == 1, days
        # The clock jumps back.
        assert asked(0, answer) == 0
        app.check_content(is_done=True)
    site.notify(bought(apple, revocationDate=NOW, revocationReason=0, signedDate=NOW))
    assert asked(days + 28) == 0
    app.check_content(is_done=True)
    assert asked(days + 32) == 1
    assert not app.content.exists() and not app.files.exists()
    # It isn't loaded again, and nobody is asked.
    assert asked(days + 100) == 0
    assert not app.content.exists()
    # Apple takes the refund back. What the user asks for then waits for the proof, if the store hasn't told it.
    site.notify(bought(apple, signedDate=NOW + 1))
    app.run(seconds=2, DAYS=days + 101, RESET=1)
    assert not app.content.exists()
    app.run(seconds=10, PROOF=proof, DAYS=days + 102)
    app.check_content(is_done=True)


def test_what_ended_before_it_arrived(memory, apple, make_app_for):
    """Nobody gives it out any more, so nothing waits for it, and it can be bought again."""
    site, proof = Site(memory / "site", apple, kind="nonRenewing", days=30), bought(apple)
    app = make_app_for(site)
    site.watch = lambda path: (503, [], b"")
    assert "finished 2 3" in app.run(seconds=2, PROOF=proof)[1]
    site.watch = lambda path: None
    # The app's clock is behind the server's.
    site.now += 40 * DAY
    output = app.run(seconds=2, PROOF=proof)[1]
    assert "for the reason expired" in output and "finished 2 3" in output, output
    output = app.run(seconds=2, PROOF=proof, DAYS=40)[1]
    assert "problem" not in output and "open , " in output and "finished 1 2 3" in output, output
    assert not site.given and not app.files.exists()
    assert [path.name for path in app.content.iterdir()] == ["content"]
    # Nor is it asked for again.
    site.requests.clear()
    app.run(seconds=2, PROOF=proof, DAYS=41)
    assert not site.requests


def test_what_cannot_be_loaded_again_is_kept(memory, apple, make_app_for):
    """The store forgets packs, and without their proof nobody gives out their content."""
    site = Site(memory / "site", apple)
    app = make_app_for(site)
    assert "open gold" in app.run(PROOF=bought(apple))[1]
    app.run(seconds=2, RESET=1)
    app.check_content(is_done=True)
    assert (site.asked, site.given) == (1, 3)
    assert "open gold" in app.run(PROOF=bought(apple), RESET=1)[1]
    app.check_content(is_done=True)
    assert (site.asked, site.given) == (2, 6)
