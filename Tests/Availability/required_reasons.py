#!/usr/bin/env python3
"""Compares the privacy manifest of each library with the required-reason APIs that its code uses:

    Tests/Availability/required_reasons.py          object code for iOS and macOS
    Tests/Availability/required_reasons.py --all    also for Mac Catalyst and visionOS
    Tests/Availability/required_reasons.py --table  the manifests as the table of the article on privacy, without compiling

App Store Connect scans the binary of an upload for the symbols of these APIs, and refuses it if a manifest doesn't give a reason
(ITMS-91053, https://github.com/rive-app/rive-ios/issues/295). So this compiles the libraries to object files for Apple's
targets, with the same modules as `check`, and reads their undefined symbols. The code under `#if canImport(Darwin)` is in
them, which it isn't in the object files for Linux. The libraries aren't optimized, so that no call is removed.

It ends with status 1 if a library uses an API without a reason for it, if a manifest gives a reason that nothing needs, or if
a reason belongs to another category. A library's code includes the modules that it links, without the other libraries, which
have manifests of their own.

It doesn't find out why an API is called. `NEEDS` states that for each library, and an entry that is missing or not needed is an
error too. Functions that Apple's frameworks inline into an app would be missed: the stand-ins have no bodies.
"""

import argparse
import plistlib
import re
import sys
import tempfile
from pathlib import Path

from modules import Failure, arguments, frontend, prepare, run
from project import PLATFORMS, Module, dependencies, manifest, platforms

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# Apple's list, read in 2026: https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api
# Each category with its reasons, its C functions, and its other APIs as the stand-ins name them.
CATEGORIES = {
    "FileTimestamp": (
        ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"],
        [
            "stat", "fstat", "fstatat", "lstat", "getattrlist", "getattrlistbulk", "fgetattrlist", "getattrlistat",
        ],
        [
            "FileAttributeKey.creationDate", "FileAttributeKey.modificationDate", "NSDictionary.fileModificationDate",
            "URLResourceKey.contentModificationDateKey", "URLResourceKey.creationDateKey",
            "URLResourceValues.contentModificationDate", "URLResourceValues.creationDate",
            # Not on Apple's list, but it reads the dates whichever key is used, and others declare it:
            # https://github.com/supabase/supabase-swift/pull/1354
            "FileManager.attributesOfItem",
        ],
    ),
    "SystemBootTime": (
        ["35F9.1", "8FFB.1", "3D61.1"],
        [
            "mach_absolute_time",
            # Not on Apple's list, but it gives the same information.
            "clock_gettime_nsec_np",
        ],
        ["ProcessInfo.systemUptime"],
    ),
    "DiskSpace": (
        ["85F4.1", "E174.1", "7D9E.1", "B728.1"],
        ["statfs", "statvfs", "fstatfs", "fstatvfs"],
        [
            "URLResourceKey.volumeAvailableCapacityKey", "URLResourceKey.volumeAvailableCapacityForImportantUsageKey",
            "URLResourceKey.volumeAvailableCapacityForOpportunisticUsageKey", "URLResourceKey.volumeTotalCapacityKey",
            "FileAttributeKey.systemFreeSize", "FileAttributeKey.systemSize",
        ],
    ),
    "ActiveKeyboards": (["3EC4.1", "54BD.1"], [], ["UITextInputMode.activeInputModes"]),
    "UserDefaults": (["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"], [], ["UserDefaults"]),
}
# getattrlist, fgetattrlist and getattrlistat are also in Apple's list for disk space.

# Why each library uses what it uses.
NEEDS = {
    "ReferralBridge": {
        # UserDefaultsLedger, in the app's own defaults.
        "UserDefaults": ["CA92.1"],
    },
    "ReferralAppSupport": {
        # DeviceClock tells a restart of the device.
        "clock_gettime_nsec_np": ["35F9.1"],
        # The lengths of the libraries' own files.
        "fstat": ["C617.1"],
    },
    "DataHandoff": {
        # The files of the app and of the app group; and the file that the user chose, in HandoffReceiver.receive(fileAt:).
        "lstat": ["C617.1", "3B52.1"],
        # The folders of the app.
        "stat": ["C617.1"],
        # A file that is replaced keeps its permissions and its protection.
        "FileManager.attributesOfItem": ["C617.1"],
        # The age of an unfinished package in the app group.
        "FileAttributeKey.modificationDate": ["C617.1"],
        # HandoffDefaults, in the app's own defaults.
        "UserDefaults": ["CA92.1"],
    },
    "Unlocks": {
        # The lengths of the files of a content folder.
        "lstat": ["C617.1"],
        # Whether there is room for the files that the catalog names, before they are loaded.
        "URLResourceKey.volumeAvailableCapacityForImportantUsageKey": ["E174.1"],
    },
}

# What the article on privacy says of each reason in a manifest.
WHY = {
    ("ReferralBridge", "CA92.1"): "The ledger is in the app's user defaults.",
    ("ReferralAppSupport", "35F9.1"): "The ledger saves the start time of the device with the clipboard's change count.",
    ("ReferralAppSupport", "C617.1"): "The files that the libraries keep in the app's folder.",
    ("DataHandoff", "C617.1"): "The files of the app and of its app group.",
    ("DataHandoff", "3B52.1"): "A file that the user opens, such as one from the share sheet.",
    ("DataHandoff", "CA92.1"): "The user defaults that travel with the files.",
    ("Unlocks", "C617.1"): "The journal and the content in the app's folder.",
    ("Unlocks", "E174.1"): "Whether there is room for the files of an item, before they are loaded.",
}
# The file with the table.
ARTICLE = "Sources/ReferralBridge/Documentation.docc/AppReviewAndPrivacy.md"

# Code that uses APIs of each kind, for which exactly these must be found.
CONTROL = """
import Foundation
@_silgen_name("statfs") func systemStatfs() -> Int32
@_silgen_name("getattrlist") func systemGetattrlist() -> Int32
@_silgen_name("mach_absolute_time") func systemTime() -> UInt64
func used() {
    var status = stat()
    _ = (lstat("", &status), systemStatfs(), systemGetattrlist(), systemTime())
    let key = FileAttributeKey.creationDate
    _ = try? FileManager.default.attributesOfItem(atPath: "")[key]
    _ = FileAttributeKey.systemFreeSize
    _ = ProcessInfo.processInfo.systemUptime
    UserDefaults.standard.set(1, forKey: "")
}
// The names alone, in a type that isn't Foundation's.
struct ProcessInfo2 { var systemUptime = 1.0, creationDate = "UserDefaults" }
"""
USED_BY_CONTROL = {
    "lstat", "statfs", "getattrlist", "mach_absolute_time", "FileAttributeKey.creationDate", "FileManager.attributesOfItem",
    "FileAttributeKey.systemFreeSize", "ProcessInfo.systemUptime", "UserDefaults",
}


def apis(symbols):
    """The required-reason APIs among undefined symbols, demangled as `swift-demangle` does."""
    found = set()
    for symbol in symbols:
        for _, functions, others in CATEGORIES.values():
            found |= {name for name in functions if re.fullmatch(rf"_{name}(\$\w+)?", symbol)}
            found |= {name for name in others if re.search(rf"\b(Foundation|UIKit)\.{re.escape(name)}\b", symbol)}
    return found


def category(api):
    return next(name for name, (_, functions, others) in CATEGORIES.items() if api in functions + others)


def undefined_symbols(module, work, output):
    """What the object code of a module refers to elsewhere."""
    file = output / f"{module.name}.o"
    options = ["-emit-object", "-o", file, "-emit-module-path", output / f"{module.name}.swiftmodule"]
    # An API that is too new is for `check` to report.
    result = frontend([*options, "-disable-availability-checking", *arguments(module, work, output)])
    if result.returncode:
        raise Failure(f"{module.name} can't be compiled:\n{result.stderr[-4000:]}")
    names = run("llvm-nm", ["--undefined-only", "--just-symbol-name", file]).stdout.split()
    if "_swift_release" not in names and module.name != "ReferralFoundation":  # which has imports alone
        raise Failure(f"the symbols of {module.name} can't be read")
    # An argument that begins with _$s is demangled, and another one is left as it is.
    return run("swift-demangle", ["--compact", *names]).stdout.splitlines()


def used_apis(platform, cache, linked):
    """The required-reason APIs that each library uses on a platform, with the modules that it links."""
    work = prepare(platform.triple, cache)
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder)
        control = output / "control.swift"
        control.write_text(CONTROL)
        found = apis(undefined_symbols(Module("Control", control, platform.triple), work, output))
        if found != USED_BY_CONTROL:
            raise Failure(f"the control uses {sorted(USED_BY_CONTROL)}, and {sorted(found)} was found")
        wanted = set().union(*linked.values())
        used = {
            module.name: apis(undefined_symbols(module, work, output))
            for module in platform.modules if module.name in wanted
        }
    return {library: set().union(*(used[name] for name in names)) for library, names in linked.items()}


def linked_modules(package):
    """The modules of each manifest: a library's target, or one of the bases, and what that depends on, without others with a manifest."""
    targets = {target["name"]: target for target in package["targets"]}
    libraries = [name for product in package["products"] if "library" in product["type"] for name in product["targets"]]
    libraries += ["ReferralAppSupport", "ReferralBasics"]

    def visit(name, seen):
        seen.add(name)
        for other in dependencies(targets[name]):
            if other not in seen and other not in libraries:
                visit(other, seen)
        return seen

    return {library: visit(library, set()) for library in libraries}


def declared_reasons(file):
    """The reasons of a privacy manifest by category."""
    prefix = "NSPrivacyAccessedAPICategory"
    declared = {}
    for item in plistlib.loads(file.read_bytes())["NSPrivacyAccessedAPITypes"]:
        name = item["NSPrivacyAccessedAPIType"]
        declared[name.removeprefix(prefix)] = item["NSPrivacyAccessedAPITypeReasons"]
    return declared


def table(project):
    """The reasons in the manifests, as Markdown. Each of them needs an entry in `WHY`."""
    lines = ["| library | category | reason | why |", "| --- | --- | --- | --- |"]
    for library in dict.fromkeys(name for name, _ in WHY):
        for name, reasons in declared_reasons(project / "Sources" / library / "PrivacyInfo.xcprivacy").items():
            for reason in reasons:
                lines.append(f"| {library} | `NSPrivacyAccessedAPICategory{name}` | `{reason}` | {WHY[library, reason]} |")
    return "\n".join(lines) + "\n"


def mistakes(library, used, declared, needs):
    """What is wrong with a library's manifest, or with what `NEEDS` states about the library."""
    found = [f"{library} uses {api}, and NEEDS has no reason for it" for api in sorted(used - needs.keys())]
    found += [f"{library} doesn't use {api}, which NEEDS has a reason for" for api in sorted(needs.keys() - used)]
    needed = {(category(api), reason) for api in used & needs.keys() for reason in needs[api]}
    given = {(name, reason) for name, reasons in declared.items() for reason in reasons}
    for name, reason in sorted(needed | given):
        if reason not in CATEGORIES.get(name, [[]])[0]:
            found.append(f"{library}: {reason} isn't a reason of the category {name}")
        elif (name, reason) not in given:
            found.append(f"{library}'s privacy manifest doesn't give the reason {reason} for {name}")
        elif (name, reason) not in needed:
            found.append(f"{library}'s privacy manifest gives the reason {reason} for {name}, which nothing needs")
    covered = {category(api) for api in used}
    found += [f"{library}'s privacy manifest has no entry for {name}" for name in sorted(covered - declared.keys())]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="compile for all platforms")
    parser.add_argument("--platforms", metavar="NAME,…", default="ios,macos", help="compile for these platforms")
    parser.add_argument("--table", action="store_true", help="print the table of the article")
    parser.add_argument("--project", type=Path, default=ROOT, help="check another copy of the project")
    options = parser.parse_args()
    project, cache = options.project.resolve(), ROOT / ".build-availability"
    if options.table:
        print(table(project), end="")
        return 0
    names = list(PLATFORMS) if options.all else options.platforms.split(",")
    known, linked = platforms(project, cache), linked_modules(manifest(project, cache))
    used = {library: set() for library in linked}
    for name in names:
        for library, found in used_apis(known[name], cache, linked).items():
            used[library] |= found
    wrong = []
    for library, found in used.items():
        file = project / "Sources" / library / "PrivacyInfo.xcprivacy"
        wrong += mistakes(library, found, declared_reasons(file) if file.exists() else {}, NEEDS.get(library, {}))
        print(f"{library}: {', '.join(sorted(found)) or 'no API that requires a reason'}")
    print("\n".join(wrong) or f"each reason is given and needed: {', '.join(names)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"Tests/Availability/required_reasons.py: {failure}")
