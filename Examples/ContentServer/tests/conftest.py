import hashlib
import json
import os

import pytest
from apple import APP_ID, BUNDLE, NOW, Apple
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
from contentserver.catalog import Catalog
from contentserver.purchases import Purchases
from contentserver.server import make_app
from werkzeug.wsgi import FileWrapper

# What Apple is asked, is asked on this machine.
os.environ["NO_PROXY"] = "127.0.0.1"
FILES = {"boards/gold.json": b"gold" * 1000, "boards/more.json": b"more" * 20000}


class Shop:
    """The server with a catalog, a folder and a database of its own, and a clock that the test moves."""

    def __init__(self, folder, apple, environment=Environment.PRODUCTION, downloads=3, token="secret", online=False):
        self.folder, self.apple, self.now = folder, apple, NOW
        write_files(folder / "content")
        self.items = [item("gold"), item("gift", product=None, free=True),
                      item("club", product=f"{BUNDLE}.club", kind="subscription"),
                      item("pass", product=f"{BUNDLE}.pass", kind="nonRenewing", days=30),
                      item("taster", product=f"{BUNDLE}.taster", kind="trial", days=14),
                      item("uses", product=None, kind="allowance")]
        self.write_catalog()
        verifier = SignedDataVerifier([apple.root], online, environment, BUNDLE, APP_ID)
        self.catalog = Catalog(folder / "catalog.json", folder / "content")
        self.purchases = Purchases(folder / "database.sqlite", downloads, 30, 3600)
        app = make_app(verifier, self.catalog, self.purchases, token, lambda: self.now)
        self.client = app.test_client()
        self.client.environ_base["wsgi.file_wrapper"] = FileWrapper  # As Waitress has one.

    def write_catalog(self):
        (self.folder / "catalog.json").write_text(json.dumps({"format": 1, "revision": 1, "items": self.items}))

    def ask(self, proof, item="gold"):
        return self.client.post(f"/content/{item}", json={"transaction": proof})

    def notify(self, payload):
        return self.client.post("/notifications", json={"signedPayload": payload})

    def load(self, answer, path="boards/gold.json", **headers):
        return self.client.get(answer.json["files"][path]["url"].removeprefix(".."), headers=headers)

    def sales(self, token="secret"):
        return self.client.get("/sales.csv", headers={"Authorization": f"Bearer {token}"})

    def rows(self):
        return self.purchases.run("SELECT * FROM transactions"), self.purchases.run("SELECT * FROM downloads")


def item(id, product=f"{BUNDLE}.gold", kind="nonConsumable", **others):
    files = [{"path": path, "url": f"https://example.com/{path}", "length": len(data),
              "sha256": hashlib.sha256(data).hexdigest()} for path, data in FILES.items()]
    return {"id": id, "product": product, "kind": kind, "grants": [id], "files": files} | others


def write_files(folder):
    for path, data in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def is_refused(answer, status, reason):
    return (answer.status_code, answer.json["reason"], answer.json["message"][-1]) == (status, reason, ".")


@pytest.fixture(scope="session")
def apple():
    return Apple()


@pytest.fixture
def make_shop(tmp_path, apple):
    return lambda **options: Shop(tmp_path, options.pop("apple", apple), **options)


@pytest.fixture
def shop(make_shop):
    return make_shop()
