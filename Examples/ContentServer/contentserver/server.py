"""What the server answers. README.md describes it."""

import csv
import io
import json
import re
import secrets
from collections.abc import Callable
from typing import TypeVar

from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationStatus
from flask import Flask, Response, request, send_file
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.exceptions import HTTPException

from .catalog import Catalog
from .purchases import SALES, Purchases, Refusal, check

# A signature has one spelling in base64url. Decoders accept others too, with padding or other last bits.
SIGNED = re.compile(r"[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]", re.ASCII)
REFUSALS: dict[object, tuple[int, str, str]] = {
    None: (403, "proof", "The proof isn't signed by Apple."),
    VerificationStatus.INVALID_APP_IDENTIFIER: (403, "app", "The proof is for another app."),
    VerificationStatus.INVALID_ENVIRONMENT: (403, "environment", "It was bought elsewhere, such as in TestFlight."),
    VerificationStatus.RETRYABLE_VERIFICATION_FAILURE: (503, "unavailable", "Apple doesn't answer. Try again later."),
}
Signed = TypeVar("Signed")


def verified(verify: Callable[[str], Signed], text: object) -> Signed:
    try:
        return verify(text if isinstance(text, str) and SIGNED.fullmatch(text) else "")
    except Exception as error:  # The library throws others than its own for signed values of other types.
        raise Refusal(*REFUSALS.get(getattr(error, "status", None), REFUSALS[None])) from error


def body(member: str) -> object:
    try:
        return json.loads(request.get_data()).get(member)
    except (AttributeError, ValueError, RecursionError):
        raise Refusal(400, "request", "The body isn't a JSON object.") from None


def make_app(
    verifier: SignedDataVerifier, catalog: Catalog, purchases: Purchases, token: str, now: Callable[[], int]
) -> Flask:
    app, addresses = Flask(__name__, static_folder=None), URLSafeSerializer(secrets.token_bytes(32))
    app.config["MAX_CONTENT_LENGTH"] = 1 << 16

    @app.post("/content/<path:name>")
    def content(name: str) -> dict[str, object]:
        proof, item, expires, owner = body("transaction"), catalog.item(name), now() + purchases.lifetime, ""
        if item is None:
            raise Refusal(404, "item", "The catalog has no such item.")
        if not all(catalog.file(item.id, file.path, file.length) for file in item.files):
            raise Refusal(503, "unavailable", "A file of this item is missing on the server. Try again later.")
        if item.free is not True:
            transaction = verified(verifier.verify_and_decode_signed_transaction, proof)
            check(transaction, item, now())
            owner = purchases.record(transaction)
            if purchases.is_refunded(owner):
                raise Refusal(403, "refunded", "The purchase was refunded.")
            expires = purchases.count_download(transaction.originalTransactionId, now())
        files = {}
        for file in item.files:
            address = addresses.dumps([owner, item.id, file.path, file.length, expires])
            files[file.path] = {"url": f"../files/file-{address}", "length": file.length, "sha256": file.sha256}
        return {"files": files, "expiresIn": (expires - now()) // 1000}

    @app.get("/files/file-<address>")
    def file(address: str) -> Response:
        try:
            owner, item, path, length, expires = addresses.loads(address)
        except BadSignature:
            owner, item, path, length, expires = "", "", "", 0, 0
        # An address from a time at which the clock was fast isn't valid for longer than others.
        is_valid = 0 < expires - now() <= purchases.lifetime and not purchases.is_refunded(owner)
        if not is_valid or (file := catalog.file(item, path, length)) is None:
            raise Refusal(403, "address", "The address isn't valid, or not anymore. Ask for a new one.")
        response = send_file(file, mimetype="application/octet-stream", max_age=0)
        if response.content_range:  # Waitress needs no thread for a slow client, if the part is a file as well.
            part = file.open("rb")
            part.seek(response.content_range.start or 0)
            response.response = request.environ["wsgi.file_wrapper"](part)
        return response

    @app.post("/notifications")
    def notification() -> str:
        notification = verified(verifier.verify_and_decode_notification, body("signedPayload"))
        if notification.data and (proof := notification.data.signedTransactionInfo):
            purchases.record(verified(verifier.verify_and_decode_signed_transaction, proof))
        return ""

    @app.get("/sales.csv")
    def sales() -> Response:
        given = request.headers.get("Authorization", "")
        if not token or not secrets.compare_digest(f"Bearer {token}".encode(), given.encode()):
            raise Refusal(401, "token", "The owner's token is missing or wrong.")
        csv.writer(text := io.StringIO()).writerows(purchases.run(SALES))
        return Response("product,day,storefront,offer,count\r\n" + text.getvalue(), mimetype="text/csv")

    @app.errorhandler(Exception)
    def refuse(error: Exception) -> tuple[dict[str, str | None], int]:
        if not isinstance(error, HTTPException):
            # For example, the disk is full. What couldn't be written isn't given.
            app.logger.error("%s: %s", request.path, error)
            error = Refusal(503, "unavailable", "The server has a problem of its own. Try again later.")
        return {"reason": getattr(error, "reason", "request"), "message": error.description}, error.code or 500

    return app
