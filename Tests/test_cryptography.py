"""Keys and signatures of the command against Python's cryptography, by PyPI's package, which has an OpenSSL of its own."""

import base64
import csv
import io
import json
import os
import subprocess
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

TOOL = os.environ["REFERRAL_TOOL"]
APP_ID = "1300230302"
TAP = 1795224750690
UNTIL = "4102444800000"
ROWS = 10_000


@pytest.fixture
def key(tmp_path):
    """A key of ours: its file, and as Python reads it."""
    path = tmp_path / "key.pem"
    run("key", "--out", path)
    return path, load_pem_private_key(path.read_bytes(), password=None)


def run(*arguments, text=""):
    return subprocess.run([TOOL, *arguments], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout.decode()


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def public(key):
    return base64.b64encode(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()


def rows():
    """Referrers and parameters, with quotes, letters beyond ASCII, and an empty one."""
    names = ["plain", 'a "quoted" \\ one', "ä 😀 é", "tab\there", "<&>'", "e\u0301", "x" * 300, ""]
    for number in range(ROWS):
        yield {"referrer": f"user{number} {names[number % 8]}".strip(), "param.pack": names[number // 8 % 8], "param.aB": f"{number}"}


def signed(key, row):
    """What the payload of a row holds, and its signature, made here."""
    parameters = {name.removeprefix("param."): value for name, value in row.items() if name != "referrer" and value}
    parameters["until"] = UNTIL
    # By UTF-16 units, as JavaScript sorts.
    names = sorted(parameters, key=lambda name: name.encode("utf-16-be"))
    claims = {"referrer": row["referrer"], **{name: parameters[name] for name in names}}
    text = json.dumps(claims, ensure_ascii=False, separators=(",", ":"))
    signature = key.sign(f"ReferralBridge signed referral 1\n{APP_ID}\n{text}".encode())
    return claims | {"sig": base64url(signature)}


def table():
    output = io.StringIO()
    writer = csv.DictWriter(output, ["referrer", "param.pack", "param.aB"])
    writer.writeheader()
    writer.writerows(rows())
    return output.getvalue()


def test_the_same_links(key):
    path, private = key
    options = ["--app-id", APP_ID, "--at", str(TAP), "--sign", path, "--until", UNTIL, "--to", "txt"]
    lines = run("links", *options, text=table()).splitlines()
    expected = []
    for row in rows():
        members = signed(private, row)
        referrer = members.pop("referrer")
        ordered = {name: members[name] for name in sorted(members)}
        payload = json.dumps({"timestamp": TAP, "referrer": referrer, **ordered}, ensure_ascii=False, separators=(",", ":"))
        expected.append(f"https://apps.apple.com/app/id{APP_ID}?ed={base64url(payload.encode())}")
    assert len(lines) == ROWS and lines == expected


def test_the_same_landing_addresses(key):
    path, private = key
    options = ["--app-id", APP_ID, "--landing", "https://example.com/get", "--sign", path, "--until", UNTIL, "--to", "txt"]
    lines = run("links", *options, text=table()).splitlines()
    assert len(lines) == ROWS
    for line, row in zip(lines, rows(), strict=True):
        members = signed(private, row)
        items = parse_qsl(urlsplit(line).query, keep_blank_values=True)
        assert [name for name, _ in items][0] == "via" and [name for name, _ in items][-2:] == ["until", "sig"]
        assert dict(items) == {"via": members.pop("referrer"), **members}


def test_keys_of_cryptography(tmp_path):
    private = Ed25519PrivateKey.generate()
    path = tmp_path / "theirs.pem"
    path.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)
    assert run("key", "--public", path) == public(private) + "\n"


def test_what_is_forged_is_never_found(key, tmp_path):
    """Links of many rows, each with one character of its payload changed."""
    path, private = key
    options = ["--app-id", APP_ID, "--at", str(TAP), "--sign", path, "--until", UNTIL, "--to", "txt"]
    links = run("links", *options, text=table()).splitlines()[:2_000]
    judge = ["decode", "--each", "--app-id", APP_ID, "--now", str(TAP + 1_000), "--signer", public(private)]
    judged = [json.loads(line)["verdict"] for line in run(*judge, text="\n".join(links)).splitlines()]
    assert judged == ["found"] * len(links)

    forged = []
    for number, link in enumerate(links):
        head, encoded = link.split("ed=")
        payload = bytearray(base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)))
        # The claims begin after the time of the tap, which isn't signed.
        start = payload.index(b'"referrer"')
        payload[start + number * 7919 % (len(payload) - start)] ^= 1 << number % 8
        forged.append(f"{head}ed={base64url(bytes(payload))}")
    judged = [json.loads(line)["verdict"] for line in run(*judge, text="\n".join(forged)).splitlines()]
    assert len(judged) == len(forged) and set(judged) == {"malformedPayload", "notSigned", "wrongSignature"}


def test_the_vectors_of_cryptography():
    """Their 1,024 signatures, through the same code that the command has, in Swift's tests."""
    import cryptography_vectors

    file = Path(cryptography_vectors.__file__).parent / "asymmetric" / "Ed25519" / "sign.input"
    output = subprocess.run(
        ["swift", "test", "--skip-build", "--filter", "Ed25519Tests/signInput"],
        env=os.environ | {"ED25519_SIGN_INPUT": str(file)},
        cwd=Path(__file__).resolve().parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert output.returncode == 0 and 'Test "the cases of cryptography-vectors" passed' in output.stdout, output.stdout
