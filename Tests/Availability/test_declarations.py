"""The list of Apple's declarations is that of the sources, and the stand-ins state what Apple's documentation states."""

import difflib
from pathlib import Path

import declarations
from index import referenced
from modules import index_module, prepare
from project import PLATFORMS, Module

ROOT = Path(__file__).resolve().parents[2]


def test_the_list_is_up_to_date():
    difference = difflib.unified_diff(
        declarations.LIST.read_text().splitlines(), declarations.made().splitlines(), "the list", "the sources", n=0, lineterm="")
    assert "\n".join(difference) == "", "look up what is new, and run Tests/Availability/declarations.py"


def test_the_index_contains_what_a_file_uses_and_nothing_else(tmp_path):
    file = tmp_path / "Use.swift"
    file.write_text("""
        import Darwin
        import Foundation

        func use(_ defaults: UserDefaults) {
            defaults.removeObject(forKey: "name")
            _ = unlink("file")
        }
        """)
    triple = PLATFORMS["ios"][1].format("15.0")
    work = prepare(triple, ROOT / ".build-availability")
    index_module(Module("Use", file, triple), work, tmp_path, tmp_path / "index")
    used = referenced(tmp_path / "index")
    assert {"s:10Foundation12UserDefaultsC", "s:10Foundation12UserDefaultsC12removeObject6forKeyySS_tF", "c:@F@unlink"} <= used
    assert not any("string6forKey" in name or "rmdir" in name for name in used)


def row(ios, macos="13.0", vision="1.0", address="https://example.com"):
    return {"iOS": ios, "macOS": macos, "visionOS": vision, "address": address}


def found(ios, macos="13.0", vision="1.0"):
    return {("UIKit", "A.b"): {"ios": {ios}, "macos": {macos}, "visionos": {vision}}}


def test_a_version_that_differs_from_the_documentation_is_named():
    documented = {("UIKit", "A.b"): [row("16.0")]}
    assert list(declarations.contradictions(found("16.0"), documented)) == []
    assert list(declarations.contradictions(found("15.0"), documented)) == [
        "UIKit A.b: iOS 15, and 16 in https://example.com"]
    assert len(list(declarations.contradictions(found("16.0", "-", "2.0"), documented))) == 2


def test_overloads_have_a_row_each():
    documented = {("UIKit", "A.b"): [row("17.0"), row("18.2")]}
    assert list(declarations.contradictions(found("18.2"), documented)) == []
    assert list(declarations.contradictions(found("18.0"), documented)) == [
        "UIKit A.b: iOS 18, and 17 or 18.2 in https://example.com"]


def test_an_inferred_version_and_an_old_declaration_contradict_nothing():
    assert list(declarations.contradictions(found("15.0"), {("UIKit", "A.b"): [row("16.0?")]})) == []
    assert list(declarations.contradictions(found("any"), {("UIKit", "A.b"): [row("2.0")]})) == []


def test_a_member_counts_as_checked_with_its_type_only_if_it_is_as_old():
    documented = {("UIKit", "A"): [row("16.0")]}

    def address(versions):
        return declarations.address("UIKit", "A.b", versions, documented, set())

    assert address(found("16.0")) == "https://example.com (its type)"
    assert address(found("17.0")) == "not checked"
    assert declarations.address("UIKit", "C", {("UIKit", "C"): {}}, documented, set()) == "not checked"


def declared(name, address="", kind="swift.struct", ios=16):
    """A declaration in a stand-in that the tests run."""
    lines = [{"text": address}, {"text": "More."}] if address else []
    return ("StoreKit", name), {
        "pathComponents": name.split("."), "kind": {"identifier": kind}, "docComment": {"lines": lines},
        "availability": [{"domain": "iOS", "introduced": {"major": ios}}],
    }


def wrong(*symbols):
    everything = {"ios": dict(symbols), "macos": {}, "visionos": {}}
    return declarations.wrong_addresses(everything, {("StoreKit", "A"): [row("16.0"), row("18.2", address="https://example.com/overload")]})


def test_a_type_has_the_address_of_its_documentation_beside_it():
    address = row("16.0")["address"]
    assert wrong(declared("A", address)) == []
    assert wrong(declared("A", "https://example.com/overload")) == []
    known = f"{address} or https://example.com/overload in sources.tsv"
    assert wrong(declared("A")) == [f"StoreKit A: no address beside it, and {known}"]
    assert wrong(declared("A", "https://example.com/b")) == [f"StoreKit A: https://example.com/b beside it, and {known}"]
    assert wrong(declared("C", "https://example.com/c")) == [
        "StoreKit C: https://example.com/c beside it, and no row in sources.tsv"]


def test_a_type_without_a_row_needs_one():
    assert wrong(declared("C")) == ["StoreKit C: no address beside it, and no row in sources.tsv"]


def test_a_member_has_an_address_of_its_own_if_it_has_versions_of_its_own():
    owner = declared("A", row("16.0")["address"])
    assert wrong(owner, declared("A.b", kind="swift.property")) == []
    assert wrong(owner, declared("A.b", kind="swift.property", ios=17)) == [
        "StoreKit A.b: no address beside it, and no row in sources.tsv"]


def test_visionos_has_what_the_ios_of_its_time_has():
    assert [declarations.vision(version) for version in ["13.0", "17.0", "17.1", "17.4", "18.0", "26.0", "-", ""]] == [
        "1.0", "1.0", "1.0", "1.1", "2.0", "26.0", "-", ""]
