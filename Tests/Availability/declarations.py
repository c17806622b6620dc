#!/usr/bin/env python3
"""Writes the list of the declarations of Apple's frameworks that the sources use, `Tests/Packages/StandIns/declarations.txt`:

    Tests/Availability/declarations.py

The compiler's index states which declarations the libraries and the command refer to, on iOS, macOS and visionOS. The
versions are those of the stand-ins. `sources.tsv` states the versions in Apple's documentation and the address of the page;
if the two differ, the script fails. It also fails if a stand-in that the tests run lacks the address beside a type, or beside
a member with versions of its own. The list doesn't contain everything that the compiler inserts itself.
"""

import csv
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from index import referenced
from modules import (
    FRAMEWORKS, LINUX, STAND_INS, Failure, has, index_module, prepare, run, runnable, search_paths, stand_ins, toolchain,
)
from project import platforms

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIST = ROOT / "Tests/Packages/StandIns/declarations.txt"
SOURCES = HERE / "sources.tsv"
SYSTEMS = {"ios": "iOS", "macos": "macOS", "visionos": "visionOS"}
FOUNDATION = "https://github.com/swiftlang/swift-foundation, as the toolchain's interface states it"
UNCHECKED = "not checked"
TYPES = {"swift.class", "swift.enum", "swift.protocol", "swift.struct"}
# Apple's documentation has no page for some of them.
WITHOUT_PAGE = "AsyncIterator"
# Always the same, so that a change to one line changes no other.
WIDTHS = [22, 64, 5, 5, 8, 0]
INTRODUCTION = """\
The declarations of Apple's frameworks that the libraries and the command use, with the first version of each system that has
them, and where that is documented. `Tests/Availability/declarations.py` makes this list.

"any": the declaration is older than every system that the package supports, and the stand-in states no version. A dash: the
system doesn't have the declaration, or the package doesn't use its framework there. Mac Catalyst has what iOS has. "its type": only
the page of the type was read. "not checked": nobody has compared the stand-in with Apple's documentation.
"""


def symbols(name, paths):
    """The symbols of a module, and those that it adds to types of others."""
    with tempfile.TemporaryDirectory() as folder:
        result = run("swift-symbolgraph-extract", ["-module-name", name, "-output-dir", folder, *paths])
        if result.returncode:
            raise Failure(f"the symbols of {name} can't be read:\n{result.stderr}")
        for file in Path(folder).glob("*.symbols.json"):
            yield from json.loads(file.read_text())["symbols"]


def path(symbol):
    return ".".join(symbol["pathComponents"])


def version(symbol, domain):
    """The version of a system that introduced a symbol: empty if nothing is stated, and a dash if the system doesn't have it."""
    for item in symbol.get("availability", []):
        if item.get("domain") == domain and item.get("isUnconditionallyUnavailable"):
            return "-"
        if item.get("domain") == domain and "introduced" in item:
            introduced = item["introduced"]
            patch = f".{introduced['patch']}" if introduced.get("patch") else ""
            return f"{introduced['major']}.{introduced.get('minor', 0)}{patch}"
    return ""


def numbers(text):
    return tuple(int(part) for part in text.split("."))


def vision(ios):
    """The version of visionOS for one of iOS: visionOS 1.0 has everything in iOS 17.0."""
    if ios in ("", "-"):
        return ios
    pairs = json.loads((STAND_INS / "SDK/SDKSettings.json").read_text())["VersionMap"]["iOS_visionOS"]
    return next((own for phone, own in pairs.items() if numbers(ios) <= numbers(phone)), ios)


def used(project, cache):
    """The identifiers of the declarations that the sources refer to, and the symbols of each system's modules."""
    known = platforms(project, cache)

    def read(system):
        platform = known[system]
        work = prepare(platform.triple, cache)
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder)
            for module in platform.modules:
                if (project / "Sources") in module.folder.parents:
                    index_module(module, work, output, output / "index")
            identifiers = referenced(output / "index")
        paths = ["-target", platform.triple, "-module-cache-path", work / "cache", *search_paths(work / "modules")]
        # This tool doesn't know it.
        paths.remove("-nostdimport")
        frameworks = [name for name in FRAMEWORKS if has(name, platform.triple)]
        return identifiers, {
            (name, symbol["identifier"]["precise"]): symbol for name in frameworks for symbol in symbols(name, paths)
        }

    with ThreadPoolExecutor(2) as pool:
        read = dict(zip(SYSTEMS, pool.map(read, SYSTEMS)))
    identifiers = set().union(*(identifiers for identifiers, _ in read.values()))
    return identifiers, {system: found for system, (_, found) in read.items()}


def declarations(identifiers, found):
    """The versions of each system, by framework and declaration. Overloads are one declaration with all their versions."""
    result = {}
    for key in set().union(*found.values()):
        framework, identifier = key
        if identifier not in identifiers:
            continue
        on = {system: found[system].get(key) for system in SYSTEMS}
        versions = {system: version(symbol, SYSTEMS[system]) if symbol else "-" for system, symbol in on.items()}
        if on["visionos"]:
            versions["visionos"] = versions["visionos"] or vision(versions["ios"])
        name = path(next(symbol for symbol in on.values() if symbol))
        row = result.setdefault((framework, name), {system: set() for system in SYSTEMS})
        for system in SYSTEMS:
            row[system].add(versions[system] or "any")
    return result


def sources():
    """What Apple's documentation states, by framework and declaration: the versions and the address, a row for each overload."""
    result = {}
    with SOURCES.open(newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            result.setdefault((row["framework"], row["declaration"]), []).append(row)
    return result


def contradictions(found, documented):
    """The versions that the stand-ins state and Apple's documentation doesn't. One with a question mark is only inferred."""
    for (framework, declaration), versions in sorted(found.items()):
        rows = documented.get((framework, declaration), [])
        for system, title in SYSTEMS.items() if rows else []:
            read = {row[title] for row in rows}
            if any(version.endswith("?") for version in read) or "any" in versions[system] | read:
                continue
            if not versions[system] <= read:
                yield f"{framework} {declaration}: {title} {cell(versions[system])}, and {cell(read)} in {rows[0]['address']}"


def beside(symbol):
    """The address beside a declaration in its stand-in: the first line of its documentation."""
    lines = [line["text"] for line in symbol.get("docComment", {}).get("lines", [])]
    return next((line for line in lines[:1] if line.startswith("https://")), "")


def wrong_addresses(found, documented):
    """The declarations in the stand-ins that the tests run without the address of their documentation, or with another."""
    wrong = set()
    for system, domain in SYSTEMS.items():
        symbols = {(framework, path(symbol)): symbol for (framework, _), symbol in found[system].items()}
        for (framework, identifier), symbol in found[system].items():
            if stand_ins(framework) or not runnable(framework) or "::SYNTHESIZED::" in identifier:
                continue
            owner = symbols.get((framework, ".".join(symbol["pathComponents"][:-1])))
            is_type = symbol["kind"]["identifier"] in TYPES and symbol["pathComponents"][-1] != WITHOUT_PAGE
            is_newer = owner and version(symbol, domain) != version(owner, domain)
            stated = beside(symbol)
            addresses = [row["address"] for row in documented.get((framework, path(symbol)), [])]
            if (is_type or is_newer or stated) and stated not in addresses:
                known = " or ".join(addresses) or "no row"
                wrong.add(f"{framework} {path(symbol)}: {stated or 'no address'} beside it, and {known} in {SOURCES.name}")
    return sorted(wrong)


def essentials():
    """The declarations of Foundation that the toolchain states itself."""
    paths = ["-target", LINUX, "-I", toolchain() / "lib/swift/linux", "-I", toolchain() / "lib/swift/shims"]
    return {path(symbol) for symbol in symbols("FoundationEssentials", paths)}


def cell(versions):
    return " or ".join(sorted(version.removesuffix(".0") for version in versions))


def address(framework, declaration, found, documented, from_toolchain):
    """Where a declaration is documented, or its type if both have the same versions."""
    if (framework, declaration) in documented:
        return documented[framework, declaration][0]["address"]
    if framework == "Foundation" and declaration in from_toolchain:
        return FOUNDATION
    owner = declaration
    while "." in owner.partition("(")[0]:
        owner = owner.partition("(")[0].rpartition(".")[0]
        if (framework, owner) in documented:
            row = documented[framework, owner][0]
            versions = found[framework, declaration]
            same = all(versions[system] <= {row[title].removesuffix("?"), "any"} for system, title in SYSTEMS.items())
            return f"{row['address']} (its type)" if same else UNCHECKED
    return UNCHECKED


def text(found, documented, from_toolchain):
    rows = []
    for (framework, declaration), versions in found.items():
        where = address(framework, declaration, found, documented, from_toolchain)
        rows.append((framework, declaration, *(cell(versions[system]) for system in SYSTEMS), where))
    rows.sort(key=lambda row: (FRAMEWORKS.index(row[0]), row[1]))
    titles = ("framework", "declaration", *SYSTEMS.values(), "documented")
    lines = ["  ".join(part.ljust(width) for part, width in zip(row, WIDTHS)).rstrip() for row in [titles, *rows]]
    return INTRODUCTION + "\n" + "\n".join(lines) + "\n"


def made(project=ROOT):
    identifiers, everything = used(ROOT, ROOT / ".build-availability")
    found, documented = declarations(identifiers, everything), sources()
    wrong = [*contradictions(found, documented), *wrong_addresses(everything, documented)]
    if wrong:
        raise Failure("the stand-ins contradict Apple's documentation:\n" + "\n".join(wrong))
    return text(found, documented, essentials())


if __name__ == "__main__":
    try:
        LIST.write_text(made())
    except Failure as failure:
        sys.exit(f"Tests/Availability/declarations.py: {failure}")
