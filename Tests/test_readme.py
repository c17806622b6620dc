"""Runs every command of the README and compiles and runs every piece of Swift in it."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from built import built, modules, objects

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()


def blocks(language):
    found = re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found, f"the README has no {language} block"
    return found


def commands():
    """Each command of the shell blocks, its continued lines joined, but for the one that runs this very test."""
    lines = re.sub(r"(?<=\|)\n|\\\n", " ", "\n".join(blocks("sh"))).splitlines()
    assert "Tests/all" in lines and os.access(ROOT / "Tests/all", os.X_OK)
    return [line for line in lines if line and line != "Tests/all"]


@pytest.mark.parametrize("command", commands())
def test_every_command_works_when_it_is_pasted(command):
    outcome = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.strip() or "--out" in command


def test_the_first_commands_print_who_sent_the_person():
    outcome = subprocess.run(["bash", "-c", blocks("sh")[0]], cwd=ROOT, capture_output=True, text=True)
    assert outcome.stdout.splitlines()[-1] == "spring-newsletter"


def compile(source, package, folder):
    """Compiles a piece of Swift with a package's modules, and returns the program."""
    products = built(package)
    (folder / "main.swift").write_text(source)
    subprocess.run(
        ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-I", modules(products), "-I", CRYPTO,
         folder / "main.swift", *objects(products, *LIBRARIES), "-o", folder / "main"],
        check=True,
    )
    return folder / "main"


LIBRARIES = {
    "ReferralFoundation", "ReferralBasics", "ReferralAppSupport", "ReferralInviteCodes", "ReferralBridge", "ReferralClip", "SwiftUI", "UIKit", "StoreKit", "UniformTypeIdentifiers",
    "FoundationStandIn", "DarwinStandIn", "AccessLog", "Combine", "CoreGraphics", "CryptoKit", "SimulatedRuntime",
}
# The stand-in for CryptoKit is made of libcrypto.
CRYPTO = ROOT / "Tests/Packages/StandIns/Frameworks/Crypto"


@pytest.mark.parametrize("source", blocks("swift"))
def test_every_piece_of_swift_compiles_and_runs(source, tmp_path):
    # Where there is no SwiftUI, the stand-in serves.
    program = compile(source, ROOT / "Tests/Packages/StandIns" if "import SwiftUI" in source else ROOT, tmp_path)
    outcome = subprocess.run([program], capture_output=True, text=True, check=True)
    for expected in re.findall(r"print\(.*\) *\}? *// (.*)$", source, re.MULTILINE):
        assert expected.rstrip("… ,") in outcome.stdout


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "Tests/README.md", "web/README.md"])
def test_every_file_that_a_page_names_is_there(page):
    for path in re.findall(r"""(?:\]\(|<img src=")([^)#:"]+)[#)"]""", (ROOT / page).read_text()):
        assert (ROOT / page).parent.joinpath(path).exists(), path
    for path in re.findall(r"`((?:Sources|Tests|web)/[^` ]+)`", (ROOT / page).read_text()):
        assert list(ROOT.glob(path)), path
