"""The reader of landing addresses for Android, by the table that the page and the library are tested with, and beside the page."""

import base64
import json
import os
import random
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "Examples/Android/LandingAddress.java"
TABLE = json.loads((ROOT / "Tests/Vectors/landing-addresses.json").read_text())
PAGE = TABLE["page"]


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """A function that reads many queries at once: each to a referrer and the parameters, or to None."""
    classes = tmp_path_factory.mktemp("classes")
    options = ["--release", "8", "-Xlint:all,-options", "-Werror", "-d", classes]
    subprocess.run(["javac", *options, SOURCE, Path(__file__).with_name("Read.java")], check=True)
    [(name, value)] = PAGE["parameters"].items()
    command = ["java", "-cp", classes, "Read", PAGE["referrer"], name, value, *PAGE["items"]]

    def text(encoded):
        return base64.b64decode(encoded).decode()

    def parsed(line):
        referrer, *parameters = line.split(" ")
        return (text(referrer), dict(map(text, pair.split(":")) for pair in parameters)) if referrer else None

    def run(queries):
        lines = "".join(base64.b64encode(query.encode()).decode() + "\n" for query in queries)
        output = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout
        return [parsed(line) for line in output.split("\n")[:-1]]

    return run


def test_an_address_is_read_as_the_page_and_the_library_read_it(read):
    cases = TABLE["cases"]
    assert len(cases) >= 31
    results = read([case["query"].removeprefix("?") for case in cases])
    assert [(case["name"], *result) for case, result in zip(cases, results, strict=True)] == [
        (case["name"], case["referrer"], case["parameters"]) for case in cases
    ]


SEPARATORS = ["&", "&", "&", "&", "&", "&&", "&amp;", ";", "?"]
NAMES = [
    "ref", "ref", "ref", "sig", "sig", "open", "open", "pack", "pack", "ct", "lang", "until", "timestamp", "referrer", "Ref",
    "re%66", "s%69g", "%6Fpen", "p%61ck", "a.b_1", "a-b", "constructor", "__proto__", "sig%00", "+ref", "ref+", "é", "ref[]", "",
]  # fmt: skip
PIECES = [
    "anna", "/boards/42", "a", "Z", "0", "_", "-", "~", "+", "%2B", "%20", " ", "%", "%%", "%4", "%zz", "%41", "%26", "%3D", "%23",
    "=", "%00", "%0A", "%C3%A9", "%C3", "%A9", "%E2%80%AE", "%F0%9F%98%80", "%F0%9F", "%ED%A0%80", "%C0%AF", "%F4%90%80%80", "%FF",
    "%EF%BB%BF", "\ufeff", "é", "e\u0301", "שלום", "日本", "😀", "\u202e", "\u2066", "é%C3%A9" * 700, "a" * 6150,
]  # fmt: skip
MARKS = [".", ",", ")", ">", "%3E", "!", "…", "”", "=", "*", " "]


def query(numbers):
    """A query as people, programs and strangers write it."""
    text = ""
    for index in range(numbers.randint(0, 6)):
        if index:
            text += numbers.choice(SEPARATORS)
        name = "ref" if not index and numbers.random() < 0.5 else numbers.choice(NAMES)
        text += name
        if numbers.random() < 1 / 15:
            continue
        if name == "sig" and numbers.random() < 0.7:
            length = numbers.choice([63, 64, 86, 86, 86, 128, 129])
            value = (numbers.choice(["A-", "Aa", "0f", "_", "Ñ"]) * length)[:length]
            value += "".join(numbers.choices(MARKS, k=max(0, numbers.randint(-2, 2))))
        else:
            # The long pieces are rare.
            pieces = PIECES if numbers.random() < 0.01 else PIECES[:-2]
            value = "".join(numbers.choices(pieces, k=numbers.randint(0, 6)))
        text += "=" + value
    return text + "".join(numbers.choices(MARKS, k=max(0, numbers.randint(-3, 2))))


def test_page_and_android_read_the_same_of_any_query(read, tmp_path):
    count = 100_000 if os.environ.get("LONG_TESTS") else 4_000
    seed = int(os.environ.get("SEED") or random.randrange(2**32))
    numbers = random.Random(seed)
    # A browser takes the fragment away, and so does Android.
    addresses = ["https://example.com/get?" + query(numbers).replace("#", "") for _ in range(count)]
    (tmp_path / "addresses").write_text("\n".join(map(json.dumps, addresses)))
    command = ["node", ROOT / "web/tests/tapped.mjs", json.dumps(PAGE), tmp_path / "addresses"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
    answers = [json.loads(line) for line in lines]
    results = read([answer["address"].partition("?")[2] for answer in answers])
    found = 0
    for address, answer, result in zip(addresses, answers, results, strict=True):
        expected = answer["found"] and (answer["found"]["referrer"], answer["found"]["parameters"])
        assert result == expected, f"SEED={seed}: {address!r}"
        found += result is not None
    assert found > count / 2, "queries without a referral show nothing"
