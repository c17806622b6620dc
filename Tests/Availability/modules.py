"""Builds the modules that the sources import, for one of Apple's targets, without an SDK.

The toolchain's `.swiftinterface` files for Swift, `_Concurrency`, `_StringProcessing`, Synchronization and Testing state the
availability of each declaration on Apple's platforms. So does the output of `swift-synthesize-interface` for
FoundationEssentials. Both become modules without function bodies. The rest of what the sources use is declared once: in
the stand-ins that the tests in `Tests/Packages/StandIns` run, or in `StandIns` if what runs there is Linux's own Foundation or libcrypto.
"""

import hashlib
import os
import platform
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

STAND_INS = Path(__file__).resolve().parent / "StandIns"
RUNNABLE = STAND_INS.parents[1] / "Packages/StandIns/Frameworks"
# Each after those that it imports.
STANDARD = ["Swift", "SwiftOnoneSupport", "_Concurrency", "_RegexParser", "_StringProcessing", "Synchronization", "Testing"]
FRAMEWORKS = [
    "Darwin", "Dispatch", "Foundation", "Combine", "CryptoKit", "Compression", "CloudKit", "CoreGraphics", "CoreImage", "ImageIO",
    "UniformTypeIdentifiers", "SimulatedRuntime", "AccessLog", "UIKit", "AppKit", "SafariServices", "StoreKit", "SwiftUI", "XCTest",
]
LINUX = f"{platform.machine()}-unknown-linux-gnu"
SKIP_BODIES = "-experimental-skip-all-function-bodies"


class Failure(Exception):
    """The check can't be made."""


@cache
def toolchain():
    swiftc = shutil.which("swiftc")
    if not swiftc:
        raise Failure("there is no swiftc on the PATH")
    folder = Path(swiftc).resolve().parent.parent
    if not (folder / "lib/swift/linux").is_dir():
        raise Failure(f"{folder} isn't a Swift toolchain for Linux")
    return folder


def run(tool, arguments):
    command = [toolchain() / "bin" / tool, *arguments]
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def frontend(arguments):
    return run("swift-frontend", arguments)


def standard_interface(name, target):
    """The toolchain's interface of a module, rewritten for another target."""
    folder = toolchain() / "lib/swift/linux" / f"{name}.swiftmodule"
    found = sorted(folder.glob("*.private.swiftinterface")) or sorted(folder.glob("*.swiftinterface"))
    if not found:
        raise Failure(f"the toolchain has no interface of {name}")
    text = found[0].read_text().replace("-disable-objc-interop", "")
    text = re.sub(r"(?<= -target )\S+", target, text, count=1)
    text = re.sub(r"^import (Glibc|Foundation)\n", "", text, flags=re.M)
    # There are no bodies to deploy back.
    text = re.sub(r"@backDeployed\([^)]*\) ?\n?", "", text)
    if name == "Swift":
        text += (STAND_INS / "Swift.swiftinterface").read_text()
    return re.sub(r"(?<=^// swift-module-flags: )", f"{SKIP_BODIES} ", text, count=1, flags=re.M).replace(" -O ", " ", 1)


def synthesized_interface(name, work):
    """The declarations of a module that has no interface, as `swift-synthesize-interface` prints them."""
    output = work / f"{name}.printed"
    result = run("swift-synthesize-interface", [
        "-print-fully-qualified-types", "-module-name", name, "-target", LINUX, "-I", toolchain() / "lib/swift", "-o", output,
    ])
    if result.returncode:
        raise Failure(f"the interface of {name} can't be printed:\n{result.stderr}")
    text = re.sub(r"^\s*//.*\n", "", output.read_text(), flags=re.M)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    lines = []
    for line in text.splitlines():
        bare = re.sub(r'"(\\.|[^"\\])*"', '""', line).strip()
        if not bare or re.match(r"(@_exported |public )*import ", bare):
            continue
        # The tool leaves the accessors out if there are two.
        is_property = re.match(r"(@\S+ |[a-z]+(\(\w+\))? )*(var|subscript)\b", bare)
        if is_property and not bare.endswith(("{", "}")):
            line += " { get set }"
        line = re.sub(r"\b(?:internal|private|fileprivate|package)\(set\) (.*) \{ get( set)? \}", r"\1 { get }", line)
        lines.append(line)
    return "\n".join(lines) + "\n"


def essentials(work):
    """Foundation's part in FoundationEssentials. That of FoundationInternationalization can't be printed completely."""
    text = synthesized_interface("FoundationEssentials", work).replace("FoundationEssentials.", "Foundation.")
    text = text.replace("Glibc.", "Darwin.")
    # The type isn't public.
    return re.sub(r"(@available\(.*\)\n)?extension Foundation\.URL\.Template\.Element .*\{\n\}\n", "", text)


def stand_ins(name):
    """The files of an interface: the one with the framework's name, and the parts of it that have a second name."""
    return sorted([*STAND_INS.glob(f"{name}.swiftinterface"), *STAND_INS.glob(f"{name}+*.swiftinterface")])


def runnable(name):
    """The sources of a stand-in that the tests run."""
    return sorted((RUNNABLE / name).glob("*.swift"))


def stand_in_interface(name, target, work):
    flags = ["-target", target, "-enable-library-evolution", "-swift-version", "5", SKIP_BODIES]
    flags += ["-module-name", name, "-enable-experimental-feature", "Lifetimes"]
    if (STAND_INS / "C" / name).is_dir():
        flags.append("-import-underlying-module")
    text = "".join(file.read_text() for file in stand_ins(name))
    imports = ["Swift", "_Concurrency", "_StringProcessing"]
    if name == "Foundation":
        imports += ["Synchronization", "Darwin"]
        text = essentials(work) + text
    header = f"// swift-interface-format-version: 1.0\n// swift-module-flags: {' '.join(flags)}\n"
    return header + "".join(f"import {module}\n" for module in imports) + text


def search_paths(modules):
    # The folder of an SDK only maps the versions of iOS to those of visionOS.
    paths = ["-nostdimport", "-sdk", STAND_INS / "SDK", "-I", toolchain() / "lib/swift/shims", "-I", modules]
    for folder in sorted((STAND_INS / "C").iterdir()):
        paths += ["-I", folder]
    return paths


def build(name, text, state, work, options):
    """Builds a module, unless it is up to date. Returns the state of everything built so far."""
    stamp = work / f"{name}.stamp"
    state = hashlib.sha256((state + text).encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == state:
        return state
    modules = work / "modules"
    arguments = [*options(), "-disable-availability-checking", *search_paths(modules)]
    result = frontend([*arguments, "-module-cache-path", work / "cache", "-o", modules / f"{name}.swiftmodule"])
    if result.returncode:
        errors = [line for line in result.stderr.splitlines() if re.match(r"\S+: error:", line)]
        raise Failure(f"{name} can't be built:\n" + "\n".join(errors[:20] or [result.stderr[-2000:]]))
    stamp.write_text(state)
    return state


def build_interface(name, text, state, work):
    def options():
        interface, flags = work / f"{name}.swiftinterface", []
        interface.write_text(text)
        for kind in ["flags", "flags-ignorable"]:
            found = re.search(rf"^// swift-module-{kind}: (.*)$", text, flags=re.M)
            flags += found[1].split() if found else []
        if "-interface-compiler-version" in flags:
            del flags[flags.index("-interface-compiler-version"):][:2]
        return ["-compile-module-from-interface", *flags, interface]

    return build(name, text, state, work, options)


def build_sources(name, files, target, state, work):
    """Builds a module from the stand-in that the tests run. Another package can't use what is only for tests."""
    def options():
        flags = ["-emit-module", "-parse-as-library", "-module-name", name, "-target", target, SKIP_BODIES]
        # Apple's interfaces state this version, too.
        flags += ["-swift-version", "5", "-enable-library-evolution", "-package-name", "StandIns"]
        # It has the addresses.
        flags += ["-emit-module-doc-path", work / "modules" / f"{name}.swiftdoc"]
        return [*flags, *files]

    return build(name, "".join(f"{file.name}\n{file.read_text()}" for file in files), state, work, options)


def has(name, target):
    if name == "AppKit":
        return "macos" in target
    # What is used of SafariServices is on iOS alone.
    if name in ("UIKit", "SafariServices"):
        return "macos" not in target
    # Only the UI tests use it.
    if name == "XCTest":
        return "simulator" in target
    return True


def prepare(target, folder):
    """Builds the modules for a target, and returns the folder with them. A change in one builds those after it again."""
    work = folder / target
    (work / "modules").mkdir(parents=True, exist_ok=True)
    state = frontend(["--version"]).stdout
    state += "".join(path.read_text() for path in sorted((STAND_INS / "C").rglob("*.*")))
    state += (STAND_INS / "SDK/SDKSettings.json").read_text() + Path(__file__).read_text()
    for name in STANDARD:
        state = build_interface(name, standard_interface(name, target), state, work)
    for name in FRAMEWORKS:
        if not has(name, target):
            continue
        # Compression has only a header.
        if stand_ins(name):
            state = build_interface(name, stand_in_interface(name, target, work), state, work)
        elif runnable(name):
            state = build_sources(name, runnable(name), target, state, work)
    return work


def arguments(module, work, output):
    """The options for a module as Xcode and SwiftPM set them, and its files."""
    options = ["-module-name", identifier(module), "-parse-as-library", "-target", module.triple]
    options += ["-swift-version", module.language, "-package-name", "project", "-enable-testing"]
    options += ["-module-cache-path", work / "cache", "-diagnostic-style", "llvm", "-I", output, *search_paths(work / "modules")]
    for folder in module.headers:
        options += ["-I", folder]
    for feature in module.features:
        options += ["-enable-upcoming-feature", feature]
    files = module.sources
    if module.added:
        generated = output / f"{identifier(module)}-generated.swift"
        generated.write_text(module.added)
        files.append(generated)
    return [*options, *files]


def identifier(module):
    return module.name.replace("-", "_")


def compile_module(module, work, output, is_extension=False):
    """Compiles a module without generating code. Errors don't stop the modules that import it.

    Tests are only type-checked: the code that Testing's macros add isn't the project's. So is code for an app extension, which
    is compiled in addition.
    """
    if is_extension:
        return frontend(["-typecheck", "-application-extension", *arguments(module, work, output)])
    macros = ["-disable-cross-import-overlays", "-load-plugin-library", toolchain() / "lib/swift/host/plugins/libTestingMacros.so"]
    if module.uses_macros:
        options = ["-typecheck", *macros]
        return frontend([*options, *arguments(module, work, output)])
    options = [*macros, "-emit-sil", "-o", os.devnull, "-emit-module-path", output / f"{identifier(module)}.swiftmodule"]
    options += arguments(module, work, output)
    result = frontend(options)
    if result.returncode:
        frontend([*options, "-experimental-allow-module-with-compiler-errors"])
    return result


def index_module(module, work, output, index):
    """Records in an index which declarations a module's sources refer to."""
    options = arguments(module, work, output)
    # Not with the index: with an output the compiler writes an index of the first file only.
    frontend(["-emit-module", "-o", output / f"{identifier(module)}.swiftmodule", SKIP_BODIES, *options])
    result = frontend(["-typecheck", "-index-store-path", index, "-index-ignore-stdlib", "-index-ignore-clang-modules", *options])
    if result.returncode:
        raise Failure(f"{module.name} doesn't compile: {result.stderr[-2000:]}")
