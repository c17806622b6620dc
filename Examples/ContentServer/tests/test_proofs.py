"""Forged and changed proofs: nothing but what was signed with Apple's certificates is accepted."""

import base64
import hashlib
import hmac
import os
import random

import jwt
import pytest
from apple import INTERMEDIATE_MARK, LEAF_MARK, Apple, certificate, decoded, encoded, online, purchase
from conftest import is_refused
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

MUTATIONS = int(os.environ.get("MUTATIONS", "2000"))
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def assert_refused(shop, proof):
    assert is_refused(shop.ask(proof), 403, "proof"), proof
    assert is_refused(shop.notify(proof), 403, "proof"), proof
    assert shop.rows() == ([], [])


def test_somebody_elses_certificates_are_not_enough(shop):
    assert_refused(shop, Apple().transaction())


def test_apples_certificates_with_another_key_are_not_enough(shop):
    assert_refused(shop, shop.apple.sign(purchase("1"), key=ec.generate_private_key(ec.SECP256R1())))


@pytest.mark.parametrize("marks", [(None, LEAF_MARK), (INTERMEDIATE_MARK, None), (LEAF_MARK, INTERMEDIATE_MARK)])
def test_certificates_that_apple_gives_to_others_are_not_enough(make_shop, marks):
    apple = Apple(*marks)
    assert_refused(make_shop(apple=apple), apple.transaction())


@pytest.mark.parametrize("choice", [
    [], [0], [0, 1], [0, 2], [1, 2], [0, 1, 1], [0, 2, 1], [1, 0, 2], [0, 1, 2, 2], [0, 0, 1, 2],
])
def test_another_number_or_order_of_certificates_is_refused(shop, choice):
    chain = [shop.apple.certificates[place] for place in choice]
    # What stands in place of the root isn't used: the server has its own.
    if choice == [0, 1, 1]:
        assert shop.ask(shop.apple.sign(purchase("1"), certificates=chain)).status_code == 200
    elif choice:
        assert_refused(shop, shop.apple.sign(purchase("1"), certificates=chain))
    else:
        assert_refused(shop, jwt.encode(purchase("1"), shop.apple.key, "ES256", {"x5c": []}))


def test_a_certificate_that_a_leaf_has_signed_is_refused(shop):
    key = ec.generate_private_key(ec.SECP256R1())
    leaf = x509.load_der_x509_certificate(shop.apple.certificates[0])
    own = certificate("Own", key, leaf, shop.apple.key, LEAF_MARK).public_bytes(Encoding.DER)
    for chain in [[own, *shop.apple.certificates[:2]], [own, *shop.apple.certificates[1:]]]:
        assert_refused(shop, shop.apple.sign(purchase("1"), key=key, certificates=chain))


def test_another_algorithm_is_refused(shop):
    header, payload, _ = shop.apple.transaction().split(".")
    header = decoded(header)
    leaf = shop.apple.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    for algorithm in ["none", "None", "HS256", "ES384", "es256", "", None, ["ES256"], {}]:
        text = f"{encoded(header | {'alg': algorithm})}.{payload}"
        digest = hmac.digest(leaf, text.encode(), hashlib.sha256)
        # As long as a signature, and in its place.
        for signature in [digest, digest * 2, b"", b"\0" * 64, b"\1" * 64]:
            assert_refused(shop, f"{text}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}")


def test_the_other_signature_that_anyone_can_derive_is_the_same_purchase(shop):
    proof = shop.apple.transaction()
    head, _, signature = proof.rpartition(".")
    raw = base64.urlsafe_b64decode(signature + "==")
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    other = raw[:32] + (order - int.from_bytes(raw[32:])).to_bytes(32)
    derived = f"{head}.{base64.urlsafe_b64encode(other).rstrip(b'=').decode()}"
    for _ in range(2):
        assert shop.ask(proof).status_code == shop.ask(derived).status_code == 200
    assert [len(rows) for rows in shop.rows()] == [1, 1]


def test_one_proof_has_one_spelling(shop):
    proof = shop.apple.transaction()
    last = ALPHABET.index(proof[-1])
    for other in [proof + "=", proof + "==", proof + "\n", " " + proof, proof + ".", proof.replace(".", "..", 1),
                  proof[:-1] + ALPHABET[last ^ 1], proof[:-9] + "!" + proof[-9:], proof[:-9] + "\n" + proof[-9:]]:
        assert_refused(shop, other)
    assert shop.ask(proof).status_code == 200


def test_apple_is_asked_once_in_a_while_whether_its_certificates_are_revoked(make_shop):
    with online() as (apple, responder):
        shop = make_shop(apple=apple, online=True)
        responder.status = 500
        assert is_refused(shop.ask(apple.transaction()), 503, "unavailable")
        responder.status = 200
        for number in range(9):
            assert shop.ask(apple.transaction(f"{number}")).status_code == 200
        # Of the intermediate certificate in vain, and then of both.
        assert len(responder.asked) == 3


@pytest.mark.parametrize("place", [1, 2])
def test_a_revoked_certificate_is_not_accepted(make_shop, place):
    with online() as (apple, responder):
        responder.revoked.append(apple.chain[place][0])
        assert_refused(make_shop(apple=apple, online=True), apple.transaction())
        assert len(responder.asked) >= place


def mutation(proof, other, numbers):
    """The proof with a change or two. `other` is a valid proof of another purchase."""
    parts = proof.split(".")
    kind = numbers.randrange(6)
    if kind == 0:  # A part of another proof.
        place = numbers.randrange(3)
        parts[place] = other.split(".")[place]
    elif kind == 1:  # A value in the header or payload.
        place = numbers.randrange(2)
        value = decoded(parts[place])
        name = numbers.choice(list(value))
        value[name] = numbers.choice([None, 0, -1, 10**19, "", "ES256", [], {}, True, value.get(name), [value[name]]])
        parts[place] = encoded(value)
    elif kind == 2:  # A byte of a certificate.
        value = decoded(parts[0])
        place = numbers.randrange(3)
        data = bytearray(base64.b64decode(value["x5c"][place]))
        data[numbers.randrange(len(data))] ^= 1 << numbers.randrange(8)
        value["x5c"][place] = base64.b64encode(data).decode()
        parts[0] = encoded(value)
    else:  # Letters of the text.
        place = numbers.choices(range(3), [1, 2, 2])[0]
        part = list(parts[place])
        for _ in range(numbers.choice([1, 1, 1, 2, 5])):
            at = numbers.randrange(len(part))
            new = [numbers.choice(ALPHABET + "=.+/ é\n")] * numbers.randrange(3)
            part[at:at + numbers.randrange(1, 3)] = new
            part = part or ["A"]
        parts[place] = "".join(part)
    return ".".join(parts)


def test_no_changed_proof_is_accepted(shop):
    numbers = random.Random(65)
    proof, other = shop.apple.transaction(), shop.apple.transaction("1001", quantity=2)
    for _ in range(MUTATIONS):
        changed = mutation(proof, other, numbers)
        if changed not in (proof, other):
            answer = shop.ask(changed)
            assert is_refused(answer, 403, "proof"), changed
    assert shop.rows() == ([], [])
    assert shop.ask(proof).status_code == 200
