"""What is compiled for which of Apple's platforms: read from the manifests, and from what `Tests/Device` builds."""

import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

# The name in a manifest and the form of the target's triple.
PLATFORMS = {
    "ios": ("ios", "arm64-apple-ios{}"),
    "macos": ("macos", "arm64-apple-macos{}"),
    "catalyst": ("maccatalyst", "arm64-apple-ios{}-macabi"),
    "visionos": ("visionos", "arm64-apple-xros{}"),
}
SIMULATOR = "arm64-apple-ios{}-simulator"


@dataclass
class Module:
    """A module of the project, with the sources that SwiftPM or Xcode compiles."""

    name: str
    # Or the only file.
    folder: Path
    triple: str
    imports: list = field(default_factory=list)
    features: list = field(default_factory=list)
    language: str = "6"
    uses_macros: bool = False
    added: str = ""
    # The folders with the headers of the modules in C that it imports.
    headers: list = field(default_factory=list)

    @property
    def sources(self):
        return sorted(self.folder.rglob("*.swift")) if self.folder.is_dir() else [self.folder]


@dataclass
class Platform:
    """A platform with the oldest version that the project supports. Each module comes after those that it imports."""

    name: str
    triple: str
    modules: list


def manifest(package, scratch):
    """A package's manifest. In a scratch folder of its own, so that it doesn't wait for a build."""
    command = ["swift", "package", "dump-package", "--package-path", package, "--scratch-path", scratch / "manifests"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def dependencies(target):
    """The targets and products that a target depends on."""
    return [next(iter(item.values()))[0] for item in target["dependencies"]]


def added_source(target, folder):
    """What SwiftPM generates for a target's resources."""
    # The manifest declares these resources for Apple's platforms only, and isn't read on one here.
    if target["resources"] or any(folder.rglob("*.xc*")):
        return "import Foundation\nextension Foundation.Bundle { static let module = Foundation.Bundle.main }\n"
    return ""


def package_module(package, target, triple):
    kind = "Tests" if target["type"] == "test" else "Sources"
    folder = package / (target.get("path") or f"{kind}/{target['name']}")
    settings = [setting["kind"] for setting in target["settings"]]
    features = [setting["enableUpcomingFeature"]["_0"] for setting in settings if "enableUpcomingFeature" in setting]
    return Module(
        target["name"], folder, triple, dependencies(target), features,
        uses_macros=target["type"] == "test", added=added_source(target, folder),
        # A module needs those of the modules that it imports, too.
        headers=sorted(package.glob("Sources/*/include")),
    )


def ordered(modules, wanted):
    """The wanted modules and all that they import, each after those that it imports."""
    named, result = {module.name: module for module in modules}, []

    def visit(name):
        if name not in named or named[name] in result:
            return
        for other in named[name].imports:
            visit(other)
        result.append(named[name])

    for name in wanted:
        visit(name)
    return result


def examples(project):
    """The apps. Only Xcode can read their manifests, since AppleProductTypes comes with it, so their text is read."""
    for folder in sorted((project / "Examples").glob("*.swiftpm")):
        text = (folder / "Package.swift").read_text()
        [version] = re.findall(r"platforms: \[\.iOS\(\.v(\d+)\)\]", text)
        [name] = re.findall(r'\.executableTarget\(\s*name: "(\w+)"', text)
        [path] = re.findall(r'\bpath: "(\w+)"', text)
        module = Module(name, folder / path, PLATFORMS["ios"][1].format(f"{version}.0"))
        module.imports = re.findall(r'\.product\(name: "(\w+)"', text)
        if "resources:" in text:
            module.added = "import Foundation\nextension Foundation.Bundle { static let module = Foundation.Bundle.main }\n"
        yield module


def clip(project):
    """The App Clip, which only a project of Xcode's can have. A clip needs no older iOS than its app."""
    [version] = re.findall(r"\.iOS\(\.v(\d+)\)", (project / "Examples/Trestle.swiftpm/Package.swift").read_text())
    folder = project / "Examples/TrestleClip"
    return Module(folder.name, folder, PLATFORMS["ios"][1].format(f"{version}.0"), imports=["ReferralClip"])


def samples(project, scratch, triple):
    """The pieces of Swift in the README and in the articles, each of which a reader may copy into an app for the oldest version.
    The stand-ins don't have scene delegates."""
    folder = scratch / "samples"
    folder.mkdir(parents=True, exist_ok=True)
    for article in [project / "README.md", *sorted(project.glob("Sources/*/Documentation.docc/*.md"))]:
        pieces = re.findall(r"^```swift\n(.*?)^```$", article.read_text(), re.MULTILINE | re.DOTALL)
        for number, piece in enumerate(pieces, 1):
            file = folder / f"{article.stem}_{number}.swift"
            file.write_text(piece)
            if "UIWindowSceneDelegate" not in piece:
                yield Module(file.stem, file, triple)


def simulator(project, modules):
    """What `Tests/Device/run` builds: the tests of one scheme for a later iOS than the library's, and the UI tests."""
    folder = project / "Tests/Device"
    [version] = re.findall(r"IPHONEOS_DEPLOYMENT_TARGET=([\d.]+)", (folder / "run").read_text())
    scheme = (folder / "ReferralBridgeTests.xcscheme").read_text()
    wanted = sorted(set(re.findall(r'BlueprintName = "(\w+)"', scheme)))
    tests = ordered(modules, wanted)
    for module in tests:
        module.triple = SIMULATOR.format(version)
    xcode = (folder / "Device.xcodeproj/project.pbxproj").read_text()
    [[version], [language]] = [
        set(re.findall(rf"{key} = ([\d.]+);", xcode)) for key in ["IPHONEOS_DEPLOYMENT_TARGET", "SWIFT_VERSION"]
    ]
    ui_tests = Module("TrestleUITests", folder / "TrestleUITests", SIMULATOR.format(version), language=language.split(".")[0])
    return Platform("simulator", tests[0].triple, [*tests, ui_tests])


def platforms(project, scratch):
    """The platforms by name."""
    package = manifest(project, scratch)
    versions = {item["platformName"]: item["version"] for item in package["platforms"]}
    libraries = [name for product in package["products"] if "library" in product["type"] for name in product["targets"]]
    everything = [target["name"] for target in package["targets"]]

    def modules(triple):
        found = [package_module(project, target, triple) for target in package["targets"]]
        # Without those in C.
        return [module for module in found if module.sources]

    result = {}
    for name, (key, form) in PLATFORMS.items():
        triple = form.format(versions[key])
        # An app on a Mac may be any; the command and the tests are for a Mac alone.
        wanted = everything if name == "macos" else libraries
        result[name] = Platform(name, triple, ordered(modules(triple), wanted))
    result["ios"].modules += [*examples(project), clip(project), *samples(project, scratch, result["ios"].triple)]
    result["macos"].modules += benchmarks(project, scratch)
    result["simulator"] = simulator(project, modules(SIMULATOR))
    return result


def benchmarks(project, scratch):
    """The other package that is built on a Mac. Those in `Tests/Packages` need Linux."""
    folder = project / "Tests/Benchmarks"
    package = manifest(folder, scratch)
    [platform] = package["platforms"]
    triple = PLATFORMS["macos"][1].format(platform["version"])
    return [package_module(folder, target, triple) for target in package["targets"]]
