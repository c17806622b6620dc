"""The reader of landing addresses for Android, by the table that the page and the library are tested with."""

import base64
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "Examples/Android/LandingAddress.java"


def test_an_address_is_read_as_the_page_and_the_library_read_it(tmp_path):
    table = json.loads((ROOT / "Tests/Vectors/landing-addresses.json").read_text())
    assert len(table["cases"]) >= 31
    options = ["--release", "8", "-Xlint:all,-options", "-Werror", "-d", tmp_path]
    subprocess.run(["javac", *options, SOURCE, Path(__file__).with_name("Read.java")], check=True)
    page = table["page"]
    [(name, value)] = page["parameters"].items()
    lines = "".join(base64.b64encode(case["query"].removeprefix("?").encode()).decode() + "\n" for case in table["cases"])
    command = ["java", "-cp", tmp_path, "Read", page["referrer"], name, value, *page["items"]]
    output = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.splitlines()

    def text(encoded):
        return base64.b64decode(encoded).decode()

    def read(line):
        referrer, *parameters = line.split(" ")
        return text(referrer), dict(map(text, pair.split(":")) for pair in parameters)

    assert [(case["name"], *read(line)) for case, line in zip(table["cases"], output, strict=True)] == [
        (case["name"], case["referrer"], case["parameters"]) for case in table["cases"]
    ]
