"""Signs as Apple does, with a chain of certificates of its own."""

import base64
import json
import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import ocsp
from cryptography.x509.oid import AuthorityInformationAccessOID, NameOID

BUNDLE, APP_ID, NOW = "com.example.trestle", 1234567890, 1_800_000_000_000
MINUTE, DAY = 60_000, 86_400_000
INTERMEDIATE_MARK, LEAF_MARK = "1.2.840.113635.100.6.2.1", "1.2.840.113635.100.6.11.1"


def certificate(name, key, issuer=None, issuer_key=None, mark=None, responder=None):
    """A certificate with what OpenSSL's strict checks want."""
    is_authority = mark != LEAF_MARK
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    signer = issuer_key or key
    usage = dict.fromkeys(
        ["content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "encipher_only",
         "decipher_only"], False)
    usage |= {"digital_signature": not is_authority, "key_cert_sign": is_authority, "crl_sign": is_authority}
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1))
        .not_valid_after(datetime(2120, 1, 1))
        .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
        .add_extension(x509.KeyUsage(**usage), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    )
    if mark:
        mark = x509.UnrecognizedExtension(x509.ObjectIdentifier(mark), b"\x05\x00")
        builder = builder.add_extension(mark, critical=False)
    if responder:
        place = x509.AccessDescription(AuthorityInformationAccessOID.OCSP, x509.UniformResourceIdentifier(responder))
        builder = builder.add_extension(x509.AuthorityInformationAccess([place]), critical=False)
    return builder.sign(signer, hashes.SHA256())


class Apple:
    def __init__(self, intermediate_mark=INTERMEDIATE_MARK, leaf_mark=LEAF_MARK, responder=None):
        root_key, intermediate_key, self.key = [ec.generate_private_key(ec.SECP256R1()) for _ in range(3)]
        root = certificate("Root", root_key)
        intermediate = certificate("Intermediate", intermediate_key, root, root_key, intermediate_mark, responder)
        leaf = certificate("Leaf", self.key, intermediate, intermediate_key, leaf_mark, responder)
        self.chain = [(root, root, root_key), (intermediate, root, root_key), (leaf, intermediate, intermediate_key)]
        self.certificates = [one.public_bytes(Encoding.DER) for one in (leaf, intermediate, root)]
        self.root = self.certificates[-1]

    def sign(self, payload, key=None, algorithm="ES256", certificates=None):
        chain = [base64.b64encode(one).decode() for one in certificates or self.certificates]
        return jwt.encode(payload, key or self.key, algorithm, {"x5c": chain})

    def transaction(self, id="1000", **changes):
        return self.sign(purchase(id, **changes))

    def notification(self, kind="REFUND", transaction=None, **data):
        data = {"appAppleId": APP_ID, "bundleId": BUNDLE, "environment": "Production",
                "signedTransactionInfo": transaction, **data}
        data = {name: value for name, value in data.items() if value is not None}
        return self.sign({"notificationType": kind, "notificationUUID": "6a1b", "version": "2.0",
                          "signedDate": NOW, "data": data})


def purchase(id, **changes):
    return {
        "transactionId": id, "originalTransactionId": id, "bundleId": BUNDLE, "productId": f"{BUNDLE}.gold",
        "purchaseDate": NOW - DAY, "originalPurchaseDate": NOW - DAY, "quantity": 1, "type": "Non-Consumable",
        "inAppOwnershipType": "PURCHASED", "signedDate": NOW - MINUTE, "environment": "Production",
        "transactionReason": "PURCHASE", "storefront": "USA", "storefrontId": "143441", "price": 4990,
        "currency": "USD",
    } | changes


def decoded(text):
    """The header or payload in base64url."""
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


@contextmanager
def online():
    """Apple with an OCSP responder, which notes what it is asked, and has a list of certificates that it revokes."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_POST(self):
            asked = ocsp.load_der_ocsp_request(self.rfile.read(int(self.headers["Content-Length"])))
            server.asked.append(asked.serial_number)
            found = [one for one in apple.chain if one[0].serial_number == asked.serial_number]
            (subject, issuer, key), now = found[0], datetime.now(UTC)
            is_revoked = subject in server.revoked
            status = ocsp.OCSPCertStatus.REVOKED if is_revoked else ocsp.OCSPCertStatus.GOOD
            tomorrow, revocation = now + timedelta(days=1), now if is_revoked else None
            builder = ocsp.OCSPResponseBuilder().add_response(
                subject, issuer, hashes.SHA256(), status, now, tomorrow, revocation, None)
            answer = builder.responder_id(ocsp.OCSPResponderEncoding.HASH, issuer).sign(key, hashes.SHA256())
            self.send_response(server.status)
            self.end_headers()
            self.wfile.write(answer.public_bytes(Encoding.DER))

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.asked, server.revoked, server.status = [], [], 200
        apple = Apple(responder=f"http://127.0.0.1:{server.server_address[1]}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield apple, server
        server.shutdown()
