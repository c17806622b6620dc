"""What nobody should send, and what shouldn't happen: a status with a sentence, nothing given, nothing lost."""

import json
import os
import sqlite3

import pytest
from apple import DAY, NOW
from conftest import FILES, is_refused


@pytest.mark.parametrize("body, status", [
    (b"", 400), (b"{", 400), (b"[]", 400), (b'[["transaction", "a"]]', 400), (b"null", 400), (b"\xff{}", 400),
    (b"[" * 65_000, 400), (b'{"a":' * 10_000, 400), (b"9" * 65_000, 400), (b'{"transaction":"\\ud800"}', 403),
    (b"{}", 403), (b'{"transaction":["a"]}', 403), (b'{"transaction":"' + b"a" * 65_518 + b'"}', 403),
    (b'{"transaction":"' + b"a" * 65_519 + b'"}', 413),
])
def test_a_body_that_is_not_a_proof(shop, body, status):
    reason = "proof" if status == 403 else "request"
    for path, member in [("/content/gold", b"transaction"), ("/notifications", b"signedPayload")]:
        if len(member) == 11 or len(body) < 65_000:
            assert is_refused(shop.client.post(path, data=body.replace(b"transaction", member)), status, reason)
    assert shop.rows() == ([], [])


def test_a_clock_that_is_a_day_slow_gives_nothing_and_says_so(shop):
    proof = shop.apple.transaction()
    shop.now = NOW - DAY
    answer = shop.ask(proof)
    assert is_refused(answer, 503, "unavailable")
    assert "clock" in answer.json["message"]
    shop.now = NOW
    assert shop.ask(proof).status_code == 200


def test_a_clock_that_was_a_day_fast_takes_nothing_from_who_paid(shop):
    proof = shop.apple.transaction()
    shop.now = NOW + DAY
    answer = shop.ask(proof)
    shop.now = NOW
    # An address isn't valid for a day and an hour.
    assert is_refused(shop.load(answer), 403, "address")
    assert shop.load(shop.ask(proof)).status_code == 200


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format":1}', '{"format":1,"items":[{"id":"gold"}]}',
                                  '{"items":[{"id":1}', "[" * 100_000])
def test_a_catalog_that_is_changed_badly_changes_nothing(shop, text, capsys):
    file = shop.folder / "catalog.json"
    file.write_text(text)
    os.utime(file, (1, 1))
    assert shop.ask(shop.apple.transaction()).status_code == 200
    assert "the last catalog is used" in capsys.readouterr().err
    file.unlink()
    assert shop.load(shop.ask(shop.apple.transaction())).status_code == 200


def test_a_catalog_that_changes_counts_from_the_next_request_on(shop):
    proof = shop.apple.transaction()
    answer = shop.ask(proof)
    shop.items[0] = {**shop.items[0], "product": "com.example.trestle.other", "minVersion": None}
    shop.write_catalog()
    os.utime(shop.folder / "catalog.json", (1, 1))
    assert is_refused(shop.ask(proof), 403, "product")
    # A download that has begun ends.
    assert shop.load(answer).status_code == 200


def test_of_two_items_with_one_name_the_first_one_counts(shop):
    shop.items.append({**shop.items[0], "free": True})
    shop.write_catalog()
    os.utime(shop.folder / "catalog.json", (1, 1))
    assert is_refused(shop.ask(None), 403, "proof")


@pytest.mark.parametrize("path", [
    "../secret.json", "boards/../../secret.json", "{folder}/secret.json", "link.json", "linked/secret.json", "boards",
    "loop", "a\0b", "a" * 300, "boards/gold.json/", ".", "",
])
def test_no_path_and_no_link_leads_out_of_the_content(shop, path):
    (shop.folder / "secret.json").write_bytes(b"secret")
    (shop.folder / "content/link.json").symlink_to("../secret.json")
    (shop.folder / "content/linked").symlink_to("..")
    (shop.folder / "content/loop").symlink_to("loop")
    file = shop.items[0]["files"][0]
    file["path"], file["length"] = path.format(folder=shop.folder), 6
    shop.write_catalog()
    os.utime(shop.folder / "catalog.json", (1, 1))
    assert is_refused(shop.ask(shop.apple.transaction()), 503, "unavailable")
    assert shop.rows() == ([], [])


def test_an_item_whose_name_is_a_path_leads_nowhere(shop):
    (shop.folder / "boards").mkdir()
    (shop.folder / "boards/gold.json").write_bytes(b"gold" * 1000)
    for path in FILES:
        (shop.folder / "content" / path).unlink()
    shop.items[0]["id"] = ".."
    shop.write_catalog()
    os.utime(shop.folder / "catalog.json", (1, 1))
    assert is_refused(shop.ask(shop.apple.transaction(), "%2E%2E"), 503, "unavailable")


def test_a_link_inside_the_content_is_followed(shop):
    (shop.folder / "content/boards/gold.json").rename(shop.folder / "content/here")
    (shop.folder / "content/boards/gold.json").symlink_to("../here")
    assert shop.load(shop.ask(shop.apple.transaction())).data == FILES["boards/gold.json"]


def test_a_missing_or_half_file_is_not_given_nor_counted(shop):
    answer = shop.ask(shop.apple.transaction("1"))
    file = shop.folder / "content/boards/gold.json"
    for change in [lambda: file.write_bytes(b"half"), file.unlink]:
        change()
        assert is_refused(shop.ask(shop.apple.transaction("2")), 503, "unavailable")
        assert is_refused(shop.load(answer), 403, "address")
    assert len(shop.rows()[1]) == 1


def test_a_full_disk_gives_nothing_and_loses_nothing(shop):
    proof, refund = shop.apple.transaction(), shop.apple.transaction("9", revocationDate=NOW)
    # From now on, there is only room in the pages that there are.
    shop.purchases.run("PRAGMA synchronous = OFF")
    shop.purchases.run("PRAGMA max_page_count = 1")
    statuses = [shop.ask(shop.apple.transaction(f"{number}")).status_code for number in range(100, 200)]
    assert set(statuses) == {200, 503}
    assert is_refused(shop.notify(shop.apple.notification(transaction=refund)), 503, "unavailable")
    before = shop.rows()
    assert is_refused(shop.ask(proof), 503, "unavailable")
    assert shop.rows() == before
    shop.purchases.run("PRAGMA max_page_count = 100000")
    assert shop.ask(proof).status_code == 200
    assert shop.notify(shop.apple.notification(transaction=refund)).status_code == 200
    assert is_refused(shop.ask(shop.apple.transaction("9")), 403, "refunded")


def test_what_was_recorded_is_there_after_a_new_start(make_shop):
    shop = make_shop()
    proof = shop.apple.transaction()
    answer = shop.ask(proof)
    shop.notify(shop.apple.notification(transaction=shop.apple.transaction("2", revocationDate=NOW)))
    rows = shop.rows()
    shop = make_shop()
    assert shop.rows() == rows
    assert is_refused(shop.ask(shop.apple.transaction("2")), 403, "refunded")
    # Its addresses have ended, and asking again is the same download.
    assert is_refused(shop.load(answer), 403, "address")
    assert shop.load(shop.ask(proof)).status_code == 200
    assert len(shop.rows()[1]) == 1
