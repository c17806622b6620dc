#!/usr/bin/env bash
# Since PyJWT 2.14, verifying an App Store purchase in Python is mostly a check of its letters, not of its signature.
#
# Software:  PyJWT 2.13.0 and 2.15.1 under Apple's app-store-server-library 3.1.2, with cryptography 50.0.2 (PyPI).
# Behavior:  PyJWT looks each character of a token up in a set, in a loop of Python, before it decodes it. A purchase is signed with three
#            certificates in its header, so it has about 3,000 characters, and Apple's verifier opens it three times: for its date, for its
#            certificates and for its signature.
# Seen:      PyJWT 2.13.0: 322 calls of Python functions to verify a purchase of 2,757 characters
#            PyJWT 2.15.1: 8,615 calls of Python functions to verify a purchase of 2,751 characters
#            On one machine, 0.15 ms and 0.42 ms of a processor with the chain in the verifier's cache, 0.52 and 0.80 ms without it. The times
#            aren't checked here, the calls are.
# Surprise:  elliptic curves and certificates are thought to be the costly part. Here, two thirds of the time go into characters, most of them
#            in certificates that the verifier has in its cache. Apple's package asks for PyJWT<3,>=2.6.0, so a server that is built again
#            becomes slower without a change of its own.
# Hurts:     servers that verify purchases or notifications of Apple, or other tokens with an `x5c` header: a third as many per processor.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -r "${folder:?}"' EXIT
cat > "$folder/count.py" <<'PYTHON'
import base64
import sys
from datetime import datetime
from importlib.metadata import version

import jwt
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding


def certificate(name, key, issuer, issuer_key, mark=None):
    is_authority = name != "leaf"
    names = [x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, one)]) for one in (name, issuer)]
    builder = (
        x509.CertificateBuilder().subject_name(names[0]).issuer_name(names[1]).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1)).not_valid_after(datetime(2120, 1, 1))
        .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
        .add_extension(x509.KeyUsage(
            digital_signature=not is_authority, key_cert_sign=is_authority, crl_sign=is_authority,
            content_commitment=False, key_encipherment=False, data_encipherment=False, key_agreement=False,
            encipher_only=False, decipher_only=False), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
    )
    if mark:
        extension = x509.UnrecognizedExtension(x509.ObjectIdentifier(mark), b"\x05\x00")
        builder = builder.add_extension(extension, critical=False)
    return builder.sign(issuer_key, hashes.SHA256()).public_bytes(Encoding.DER)


root_key, middle_key, leaf_key = [ec.generate_private_key(ec.SECP256R1()) for _ in range(3)]
root = certificate("root", root_key, "root", root_key)
middle = certificate("middle", middle_key, "root", root_key, "1.2.840.113635.100.6.2.1")
leaf = certificate("leaf", leaf_key, "middle", middle_key, "1.2.840.113635.100.6.11.1")
purchase = jwt.encode(
    {"transactionId": "1000", "originalTransactionId": "1000", "bundleId": "com.example.trestle",
     "productId": "com.example.trestle.gold", "purchaseDate": 1_800_000_000_000, "quantity": 1,
     "type": "Non-Consumable", "inAppOwnershipType": "PURCHASED", "signedDate": 1_800_000_000_000,
     "environment": "Production", "storefront": "USA", "price": 4990, "currency": "USD"},
    leaf_key, "ES256", {"x5c": [base64.b64encode(one).decode() for one in (leaf, middle, root)]})
verifier = SignedDataVerifier([root], False, Environment.PRODUCTION, "com.example.trestle", 1234567890)
assert verifier.verify_and_decode_signed_transaction(purchase).transactionId == "1000"

calls = 0


def count(frame, event, argument):
    global calls
    calls += event == "call"


sys.setprofile(count)
verifier.verify_and_decode_signed_transaction(purchase)
sys.setprofile(None)
print(f"PyJWT {version('PyJWT')}: {calls:,} calls of Python functions to verify a purchase of {len(purchase):,} characters")
if version("PyJWT") == "2.13.0":
    assert calls < len(purchase) // 2
else:
    assert calls > 3 * len(purchase)
PYTHON
python3 -m venv "$folder/venv"
for version in 2.13.0 2.15.1; do
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
        app-store-server-library==3.1.2 cryptography==50.0.2 "PyJWT==$version"
    "$folder/venv/bin/python" "$folder/count.py"
done
echo "still so: each character of a purchase is looked at three times, one by one"
