"""What a release is made of, made with the scripts in `.github/release`, unpacked and run.

    python -m pytest Tests/test_release.py        (after the steps tool and docs of Tests/all --long)
"""

import hashlib
import json
import re
import subprocess
import tarfile
from pathlib import Path

import pytest

from built import built

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / ".github/release"
VERSION = json.loads((ROOT / "web/package.json").read_text())["version"]


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def unpack(archive, folder):
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The folder whose files a release gets."""
    folder = tmp_path_factory.mktemp("release") / "files"
    for script in ["command", "web", "checksums"]:
        run(SCRIPTS / script, folder, cwd="/")
    return folder


def test_a_release_has_these_files(files):
    names = [re.sub(r"linux-\w+", "linux-…", path.name) for path in files.iterdir()]
    assert sorted(names) == sorted([
        f"referral-tool-{VERSION}-linux-….tar.gz", f"referral-bridge-{VERSION}.tgz", "referral-bridge-builder.html",
        "referral-bridge-example.html", "SHA256SUMS",
    ])


def test_the_checksums_hold(files):
    sums = dict(reversed(line.split("  ")) for line in (files / "SHA256SUMS").read_text().splitlines())
    assert sums == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files.iterdir() if path.name != "SHA256SUMS"
    }
    run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=files)


def test_the_command_runs_from_its_archive_alone(files, tmp_path):
    [archive] = files.glob("referral-tool-*.tar.gz")
    folder = unpack(archive, tmp_path) / archive.name.removesuffix(".tar.gz")
    assert sorted(path.name for path in folder.iterdir()) == ["LICENSE", "referral-tool"]
    tool = folder / "referral-tool"
    assert "swift" not in run("ldd", tool).lower()
    nothing = {"env": {}, "cwd": tmp_path}
    assert run(tool, "--version", **nothing).split()[-1] == VERSION
    link = run(tool, "link", "--app-id", "1300230302", "--referrer", "anna", **nothing).strip()
    assert run(tool, "decode", "--app-id", "1300230302", link, **nothing) == "anna\n"
    # The template of the page is in the command too.
    assert "</html>" in run(tool, "page", "--app-id", "1300230302", "--name", "Trestle", **nothing)


def test_node_imports_the_package_by_its_names(files, tmp_path):
    [archive] = files.glob("*.tgz")
    package = unpack(archive, tmp_path) / "package"
    (tmp_path / "node_modules").mkdir()
    package.rename(tmp_path / "node_modules/referral-bridge")
    manifest = json.loads((tmp_path / "node_modules/referral-bridge/package.json").read_text())
    names = ["referral-bridge" + name.removeprefix(".") for name in manifest["exports"] if not name.endswith(".json")]
    for name in names:
        globals_of = f"const before = Object.keys(globalThis); USE; console.log(Object.keys(globalThis).filter(k => !before.includes(k)).join())"
        imported = run("node", "--input-type=module", "-e", globals_of.replace("USE", f"await import('{name}')"), cwd=tmp_path)
        required = run("node", "-e", globals_of.replace("USE", f"require('{name}')"), cwd=tmp_path)
        # What keeps a page's referrer, or makes a campaign token of it, has no global, and nothing to do outside of a page.
        assert imported == required and bool(imported.strip()) != (name in ("referral-bridge/keep", "referral-bridge/ct")), name
    made = run("node", "-e", "require('referral-bridge'); console.log(ReferralBridge.payload({ timestamp: 1e12, referrer: 'anna' }))", cwd=tmp_path)
    assert made.strip()


def test_the_pages_are_one_file_each(files):
    for name, source in [("builder", "index"), ("example", "example")]:
        page = (files / f"referral-bridge-{name}.html").read_text()
        assert page == (ROOT / f"web/{source}.html").read_text()
        # The builder's script has the text of a landing page in it.
        page = re.sub(r"(<script[^>]*>).*?(</script>)", r"\1\2", page, flags=re.DOTALL)
        assert not re.search(r"<(?:script|img)[^>]* src=(?![\"']?data:)|<link[^>]* href=(?![\"']?data:)", page)


def test_the_site_has_the_builder_and_the_documentation(tmp_path):
    run(SCRIPTS / "site", tmp_path, "/a/path", "--built", built(), cwd="/")
    for page in ["index.html", "example.html", "docs/index.html"]:
        assert (tmp_path / page).stat().st_size > 0
    libraries = ["referralbridge", "datahandoff", "unlocks", "referralinvitations"]
    for article in [*libraries, "referralbridge/gettingstarted", "datahandoff/bringingdataalong", "unlocks/ashopinanafternoon"]:
        page = (tmp_path / f"docs/documentation/{article}/index.html").read_text()
        assert 'baseUrl = "/a/path/docs/"' in page
        scripts = re.findall(r'src="/a/path/docs/([^"]+)"', page)
        assert scripts and all((tmp_path / "docs" / script).exists() for script in scripts)
    assert re.search(r"url=([^\"]+)", (tmp_path / "docs/index.html").read_text())[1] == "documentation/referralbridge/"


@pytest.fixture
def copy(tmp_path):
    """A folder with only what the notes are made of."""
    for name in [".github/release/notes", "CHANGELOG.md", "web/package.json", "Sources/referral-tool/ReferralTool.swift"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((ROOT / name).read_bytes())
        path.chmod((ROOT / name).stat().st_mode)
    change(tmp_path / "CHANGELOG.md", r"(?m)^## .*$", f"## {VERSION}")
    return tmp_path


def change(path, pattern, replacement):
    text, count = re.subn(pattern, replacement, path.read_text(), count=1)
    assert count == 1
    path.write_text(text)


def notes(copy, tag):
    return subprocess.run([copy / ".github/release/notes", tag], capture_output=True, text=True)


def test_the_notes_are_the_newest_section_of_the_changelog(copy):
    change(copy / "CHANGELOG.md", r"(?s)\Z", "\n## 0.9.0\n\nolder\n")
    outcome = notes(copy, f"v{VERSION}")
    assert outcome.returncode == 0, outcome.stderr
    newest = (copy / "CHANGELOG.md").read_text().partition(f"## {VERSION}\n")[2].partition("\n## 0.9.0")[0]
    assert outcome.stdout.strip() == newest.strip() != ""


@pytest.mark.parametrize(["name", "pattern", "replacement"], [
    ("CHANGELOG.md", r"(?m)^## .*$", "## 0.8.9"),
    ("CHANGELOG.md", r"(?m)^## (.*)$", r"## \1 — not released yet"),
    ("web/package.json", r'"version": "[^"]*"', '"version": "0.8.9"'),
    ("Sources/referral-tool/ReferralTool.swift", r'static let version = "[^"]*"', 'static let version = "0.8.9"'),
])
def test_there_is_no_release_of_a_version_that_a_file_does_not_have(copy, name, pattern, replacement):
    change(copy / name, pattern, replacement)
    outcome = notes(copy, f"v{VERSION}")
    assert outcome.returncode != 0
    assert outcome.stdout == ""
    assert f"and the tag is v{VERSION}" in outcome.stderr
