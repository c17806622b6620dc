"""The reader for Android, by the same rules as the library: its vectors, and every payload of the library's own."""

import base64
import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "Examples/Android/InstallReferrer.java"
VECTORS = ROOT / "Tests/Vectors"


@pytest.fixture(scope="session")
def judge(tmp_path_factory):
    """A function that judges many texts at once: text, now and reported time to verdict and what was found."""
    classes = tmp_path_factory.mktemp("classes")
    subprocess.run(
        ["javac", "--release", "8", "-Xlint:all,-options", "-Werror", "-d", classes, SOURCE, Path(__file__).with_name("Judge.java")],
        check=True,
    )

    def run(cases):
        def encoded(text):
            return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode()

        lines = "".join(f"{encoded(text)} {now} {'' if reported is None else reported}\n" for text, now, reported in cases)
        output = subprocess.run(["java", "-cp", classes, "Judge"], input=lines, capture_output=True, text=True, check=True)
        return [parsed(line) for line in output.stdout.splitlines()]

    return run


def parsed(line):
    verdict, *rest = line.split(" ")
    name = re.sub(r"_(.)", lambda match: match[1].upper(), verdict.lower().replace("_", "_"))
    if not rest:
        return name, None

    def text(encoded):
        return base64.b64decode(encoded).decode()

    parameters = dict(map(text, pair.split(":")) for pair in rest[2:])
    return name, {"referrer": text(rest[0]), "timestamp": float(rest[1]), "parameters": parameters}


def whole(text):
    return text if isinstance(text, str) else text["prefix"] + text["repeat"] * text["times"] + text["suffix"]


def test_the_vectors_of_google_play(judge):
    cases = json.loads((VECTORS / "roads.json").read_text())["play"]
    assert len(cases) >= 27
    results = judge([(whole(case["text"]), case["now"], case.get("reportedTimestamp")) for case in cases])
    expected = [(case["verdict"], case["found"]) for case in cases]
    assert [(case["name"], *result) for case, result in zip(cases, results, strict=True)] == [
        (case["name"], *result) for case, result in zip(cases, expected, strict=True)
    ]


def payloads():
    """The items of every link in the vectors, with the verdict that they have without the rules for links and ages."""
    for case in json.loads((VECTORS / "decode.json").read_text())["cases"]:
        for string, verdict in zip(case["strings"], case["verdicts"], strict=True):
            query = string.partition("#")[0].partition("?")[2].strip()
            if verdict in ("found", "superseded", "expired", "alreadyReported"):
                verdict = "found"
            if query and verdict in ("found", "malformedPayload", "noPayload", "fromTheFuture"):
                yield query, case, verdict


def test_the_items_of_every_link_are_read_as_the_library_reads_them(judge):
    cases = list(payloads())
    assert len(cases) > 60
    results = judge([(text, case["now"], None) for text, case, _ in cases])
    for (_, case, verdict), (actual, found) in zip(cases, results, strict=True):
        assert actual == verdict, case["name"]
        if verdict == "found" and len(case["strings"]) == 1 and case["found"]:
            expected = {name: case["found"][name] for name in ("referrer", "timestamp", "parameters")}
            assert found == expected, case["name"]
