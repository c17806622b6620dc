import argparse
import time
from pathlib import Path

import waitress  # type: ignore[import-untyped]
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

from .catalog import Catalog
from .purchases import Purchases
from .server import make_app


def main() -> None:
    parser = argparse.ArgumentParser("contentserver", description="Gives an app's content to those who bought it.")
    add = parser.add_argument
    add("--bundle", required=True, metavar="ID", help="the app's bundle identifier")
    add("--catalog", required=True, type=Path, metavar="FILE", help="the catalog that the app reads")
    add("--content", required=True, type=Path, metavar="FOLDER", help="the files that the catalog names")
    add("--app-id", default=0, type=int, metavar="NUMBER", help="the app's Apple ID, for notifications in production")
    add("--environment", default="Production", choices=["Production", "Sandbox"])  # Proofs of Xcode have no signature.
    add("--roots", default=Path(__file__).with_name("roots"), type=Path, metavar="FOLDER", help="with *.cer in DER")
    add("--offline", action="store_true", help="doesn't ask Apple whether certificates were revoked")
    add("--downloads", default=30, type=int, metavar="COUNT", help="of each purchase")
    add("--days", default=30, type=int, metavar="COUNT", help="in which a purchase has so many downloads")
    add("--lifetime", default=3600, type=int, metavar="SECONDS", help="of the addresses of files")
    add("--database", default="contentserver.sqlite", metavar="FILE")
    add("--token-file", type=Path, metavar="FILE", help="with the owner's token for /sales.csv")
    add("--port", default=8080, type=int)
    given = parser.parse_args()
    try:
        roots = [file.read_bytes() for file in given.roots.glob("*.cer")] or parser.error("--roots has no *.cer file")
        catalog, environment = Catalog(given.catalog, given.content), Environment(given.environment)
        verifier = SignedDataVerifier(roots, not given.offline, environment, given.bundle, given.app_id)
        purchases = Purchases(given.database, given.downloads, given.days, given.lifetime)
        token = given.token_file.read_text().strip() if given.token_file else ""
        app = make_app(verifier, catalog, purchases, token, lambda: time.time_ns() // 1_000_000)
        server = waitress.create_server(app, listen=f"127.0.0.1:{given.port}", threads=16, max_request_body_size=2**20)
    except Exception as error:
        raise SystemExit(f"contentserver: {error}") from error
    print(f"http://127.0.0.1:{server.effective_port}", flush=True)
    server.run()


main()
