"""`check` finds each kind of fault in the real sources, and reads the platforms' versions from the manifests."""

import re
import shutil
import subprocess
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from modules import FRAMEWORKS, STAND_INS, runnable, stand_ins
from project import Module, Platform, platforms

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CACHE = ROOT / ".build-availability"

# A line, the file to which it is added, and what must be found there.
FAULTS = {
    "a closure with typed throws compared with nil": (
        "Sources/DataHandoff/Package/HandoffPackage.swift",
        "func fault(_ seal: ((Int) throws(HandoffError) -> Int)?) -> Bool { seal == nil }",
        "error: runtime support for typed throws function types is only available in iOS 18.0.0 or newer",
    ),
    "a newer API of the standard library": (
        "Sources/DataHandoff/Link/HandoffLink.swift",
        'func fault(_ text: String) -> Bool { text.unicodeScalars.firstRange(of: "://".unicodeScalars) == nil }',
        "error: 'firstRange(of:)' is only available in iOS 16.0 or newer",
    ),
    "a newer API of Foundation": (
        "Sources/DataHandoff/Transfer/HandoffFolder.swift",
        'func fault(_ url: URL) -> URL { url.appending(path: "x") }',
        "error: 'appending(path:directoryHint:)' is only available in iOS 16.0 or newer",
    ),
    "a newer API of SwiftUI": (
        "Sources/ReferralAppSupport/OpenedLink/View+onOpenLink.swift",
        "@MainActor func fault(_ url: URL) -> some View { ShareLink(item: url) }",
        "error: 'ShareLink' is only available in iOS 16.0 or newer",
    ),
    "a newer API of StoreKit": (
        "Sources/Unlocks/Store/StoreKitStore.swift",
        "func fault() async throws -> Any { try await AppTransaction.shared }",
        "error: 'AppTransaction' is only available in iOS 16.0 or newer",
    ),
    "an API that app extensions don't have": (
        "Sources/ReferralAppSupport/AppActivity/SystemActivity+UIKit.swift",
        "@MainActor func fault() -> Any { UIApplication.shared }",
        "error: 'shared' is unavailable in application extensions for iOS",
    ),
    "a call that opens another app, in code for an app extension": (
        "Sources/DataHandoff/Transfer/UIApplication+openOtherApp.swift",
        "@MainActor func fault(_ app: UIApplication, _ url: URL) async { try? await app.openOtherApp(url) }",
        "error: 'openOtherApp' is unavailable in application extensions for iOS: An app extension can't open another app.",
    ),
    "a deprecated API": (
        "Sources/Unlocks/Catalog/URLCatalogSource.swift",
        "func fault() -> Any { URLSession() }",
        "warning: 'init()' was deprecated in iOS 13.0",
    ),
    "a declaration that the stand-ins don't have": (
        "Sources/DataHandoff/Install/FileSystem.swift",
        "func fault() -> Any { FileManager.default.ubiquityIdentityToken as Any }",
        "error: value of type 'FileManager' has no member 'ubiquityIdentityToken'",
    ),
}


def copy(folder, names=("Package.swift", "README.md", "Sources", "Tests", "Examples")):
    """A copy of the project's files, without what was built."""
    listed = subprocess.check_output(["git", "-c", "safe.directory=*", "ls-files", "-z", *names], cwd=ROOT, text=True)
    for name in filter(None, listed.split("\0")):
        source, target = ROOT / name, folder / name
        if source.is_file() or source.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    return folder


def check(project, *options):
    return subprocess.run([HERE / "check", "--project", project, *options], capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="session")
def faulty(tmp_path_factory):
    """What `check` reports of a copy of the project with all the faults, and the line of each fault."""
    project, lines = copy(tmp_path_factory.mktemp("faulty")), {}
    for name, (path, line, _) in FAULTS.items():
        file = project / path
        text = file.read_text()
        file.write_text(f"{text}\n@available(iOS 15, *)\n{line.replace('fault(', f'fault{len(lines)}(')}\n")
        lines[name] = len(file.read_text().splitlines())
    return check(project, "--platforms", "ios"), lines


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_sources_is_found(faulty, name):
    outcome, lines = faulty
    path, _, message = FAULTS[name]
    assert f"{path}:{lines[name]}: {message}" in outcome.stdout, outcome.stdout + outcome.stderr


def test_nothing_but_the_faults_is_found_and_the_step_fails(faulty):
    outcome, lines = faulty
    expected = {f"{path}:{lines[name]}" for name, (path, *_) in FAULTS.items()}
    found = set(re.findall(r"^(\S+:\d+): (?:error|warning): ", outcome.stdout, re.MULTILINE))
    assert found == expected
    assert outcome.returncode == 1


def test_sources_that_have_passed_are_compiled_again_once_something_changes(tmp_path, monkeypatch):
    source = tmp_path / "Source.swift"
    source.write_text("let a = 1\n")
    platform = Platform("ios", "arm64-apple-ios15.0", [Module("Module", source, "arm64-apple-ios15.0")])
    compiled, found = [], []

    def compile_all(*_):
        compiled.append(source.read_text())
        return found

    loader = SourceFileLoader("checker", str(HERE / "check"))
    checker = module_from_spec(spec_from_loader("checker", loader))
    loader.exec_module(checker)
    monkeypatch.setattr(checker, "prepare", lambda *_: tmp_path)
    monkeypatch.setattr(checker, "compile_all", compile_all)
    for _ in range(2):
        assert checker.check(platform, tmp_path, CACHE) == []
    assert len(compiled) == 1
    source.write_text("let b = 1\n")
    found.append("a mistake")
    for _ in range(2):
        assert checker.check(platform, tmp_path, CACHE) == ["a mistake"]
    assert len(compiled) == 3
    source.write_text("let a = 1\n")
    assert checker.check(platform, tmp_path, CACHE) == [] and len(compiled) == 3


def test_the_versions_are_those_of_the_manifests(tmp_path):
    project = copy(tmp_path)
    manifest = project / "Package.swift"
    text = manifest.read_text()
    changes = {".iOS(.v15)": ".iOS(.v17)", ".macOS(.v13)": ".macOS(.v14)", ".macCatalyst(.v15)": ".macCatalyst(.v16)",
               ".visionOS(.v1)": ".visionOS(.v2)"}
    for old, new in changes.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    manifest.write_text(text)
    example = project / "Examples/Trestle.swiftpm/Package.swift"
    example.write_text(example.read_text().replace(".iOS(.v16)", ".iOS(.v18)"))
    device = project / "Tests/Device/run"
    device.write_text(device.read_text().replace("DEPLOYMENT_TARGET=16.0", "DEPLOYMENT_TARGET=17.0"))

    known = platforms(project, CACHE)
    assert {name: platform.triple for name, platform in known.items()} == {
        "ios": "arm64-apple-ios17.0", "macos": "arm64-apple-macos14.0", "catalyst": "arm64-apple-ios16.0-macabi",
        "visionos": "arm64-apple-xros2.0", "simulator": "arm64-apple-ios17.0-simulator",
    }
    assert {module.triple for module in known["ios"].modules if module.name == "Trestle"} == {"arm64-apple-ios18.0"}


def test_every_swift_file_that_an_apple_platform_compiles_is_checked():
    checked = {file.resolve() for platform in platforms(ROOT, CACHE).values() for module in platform.modules for file in module.sources}
    listed = subprocess.check_output(["git", "-c", "safe.directory=*", "ls-files", "-z", "*.swift"], cwd=ROOT, text=True)
    # What needs Linux, and the manifests.
    others = re.compile(r"(Tests/(Attack|Availability|Fuzz|Month|Packages)|web)/|(.*/)?Package\.swift$")
    missing = [name for name in filter(None, listed.split("\0")) if not others.match(name) and (ROOT / name).resolve() not in checked]
    assert missing == []


def test_the_stand_ins_are_all_built():
    names = {file.stem.partition("+")[0] for file in STAND_INS.glob("*.swiftinterface")}
    assert names | {name for name in FRAMEWORKS if runnable(name)} == set(FRAMEWORKS) - {"Compression"} | {"Swift"}


def test_a_framework_that_the_tests_run_is_declared_once():
    both = {name for name in FRAMEWORKS if runnable(name) and stand_ins(name)}
    # What runs is Linux's own Foundation and kernel, libcrypto, and a rendering of views.
    assert both == {"CryptoKit", "Darwin", "Foundation", "SwiftUI"}


def test_an_unknown_platform_is_an_error(tmp_path):
    outcome = check(ROOT, "--platforms", "linux")
    assert outcome.returncode == 2 and "there is no platform 'linux'" in outcome.stderr
