"""Who gets what belongs to an item."""

import hashlib

import pytest
from apple import BUNDLE, DAY, MINUTE, NOW
from appstoreserverlibrary.models.Environment import Environment
from conftest import FILES, is_refused


def test_who_paid_gets_an_address_for_each_file(shop):
    answer = shop.ask(shop.apple.transaction())
    assert answer.status_code == 200
    assert answer.json["expiresIn"] == 3600
    for path, data in FILES.items():
        file = answer.json["files"][path]
        assert (file["length"], file["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
        assert shop.load(answer, path).data == data
    assert set(answer.json["files"]) == set(FILES)


def test_an_address_is_not_that_of_a_hidden_file(shop):
    # Web servers often refuse those, and a long value is signed as one: after a dot, it is compressed.
    for id in ["1000", "2000000" * 10]:
        files = shop.ask(shop.apple.transaction(id)).json["files"].values()
        assert not any("/." in file["url"].removeprefix("..") for file in files)


def test_a_file_is_served_in_ranges(shop):
    answer = shop.ask(shop.apple.transaction())
    whole = shop.load(answer)
    assert whole.headers["Accept-Ranges"] == "bytes"
    tag = whole.headers["ETag"]
    assert not tag.startswith("W/")
    rest = shop.load(answer, Range="bytes=3990-", **{"If-Range": tag})
    assert (rest.status_code, rest.data) == (206, FILES["boards/gold.json"][3990:])
    assert rest.headers["Content-Range"] == "bytes 3990-3999/4000"
    assert shop.load(answer, Range="bytes=5-", **{"If-Range": '"other"'}).status_code == 200
    assert shop.load(answer, Range="bytes=4000-").status_code == 416


@pytest.mark.parametrize("changes, item, reason", [
    ({"bundleId": "com.example.other"}, "gold", "app"),
    ({"bundleId": None}, "gold", "app"),
    ({"environment": "Sandbox"}, "gold", "environment"),
    ({"environment": "Xcode"}, "gold", "environment"),
    ({"environment": None}, "gold", "environment"),
    ({"productId": f"{BUNDLE}.silver"}, "gold", "product"),
    ({"productId": None}, "uses", "product"),
    ({"productId": ""}, "gold", "product"),
    ({"revocationDate": NOW - DAY}, "gold", "refunded"),
    ({"expiresDate": NOW}, "gold", "expired"),
    ({"isUpgraded": True}, "gold", "expired"),
    ({"purchaseDate": {"not": "a number"}}, "gold", "proof"),
])
def test_a_signed_proof_of_something_else_gives_nothing(shop, changes, item, reason):
    assert is_refused(shop.ask(shop.apple.transaction(**changes), item), 403, reason)
    assert shop.rows()[1] == []


def test_a_sandbox_purchase_gives_content_only_in_the_sandbox(make_shop):
    shop = make_shop(environment=Environment.SANDBOX)
    assert shop.ask(shop.apple.transaction(environment="Sandbox")).status_code == 200
    assert is_refused(shop.ask(shop.apple.transaction()), 403, "environment")


@pytest.mark.parametrize("item, changes, end", [
    ("club", {"type": "Auto-Renewable Subscription", "expiresDate": NOW + DAY}, NOW + DAY),
    ("pass", {"type": "Non-Renewing Subscription"}, NOW + 29 * DAY),
    ("pass", {"type": "Non-Renewing Subscription", "quantity": 2}, NOW + 59 * DAY),
    ("taster", {"originalPurchaseDate": NOW - 3 * DAY}, NOW + 11 * DAY),
])
def test_what_ends_gives_nothing_from_that_millisecond_on(shop, item, changes, end):
    proof = shop.apple.transaction(productId=f"{BUNDLE}.{item}", **changes)
    shop.now = end - 1
    assert shop.ask(proof, item).status_code == 200
    shop.now = end
    assert is_refused(shop.ask(proof, item), 403, "expired")


def test_only_what_the_catalog_calls_free_is_free(shop):
    assert shop.load(shop.ask(None, "gift")).status_code == 200
    assert is_refused(shop.ask(None, "gold"), 403, "proof")
    for value in ["true", "false", 1, None, False, True]:
        shop.items[0]["free"] = value
        shop.write_catalog()
        assert shop.ask(None, "gold").status_code == (200 if value is True else 403)


def test_an_unknown_item_is_not_found(shop):
    assert is_refused(shop.ask(shop.apple.transaction(), "silver"), 404, "item")
    assert is_refused(shop.client.get("/"), 404, "request")
    assert is_refused(shop.client.get("/content/gold"), 405, "request")


def test_an_item_may_have_any_name(shop):
    shop.items[0]["id"] = "gold/ü pack"
    shop.write_catalog()
    assert shop.load(shop.ask(shop.apple.transaction(), "gold%2F%C3%BC%20pack")).data == FILES["boards/gold.json"]


def test_an_item_may_have_a_folder_of_its_own(shop):
    own = shop.folder / "content/gold/boards/gold.json"
    own.parent.mkdir(parents=True)
    own.write_bytes(b"GOLD" * 1000)
    assert shop.load(shop.ask(shop.apple.transaction())).data == b"GOLD" * 1000
    assert shop.load(shop.ask(None, "gift")).data == b"gold" * 1000


# Downloads


def test_a_purchase_has_so_many_downloads_in_30_days(shop):
    proof = shop.apple.transaction()
    for _ in range(3):
        assert shop.ask(proof).status_code == 200
        shop.now += DAY
    assert is_refused(shop.ask(shop.apple.transaction(signedDate=shop.now)), 429, "limit")
    assert shop.ask(shop.apple.transaction("1001")).status_code == 200
    shop.now = NOW + 30 * DAY - 1
    assert is_refused(shop.ask(proof), 429, "limit")
    shop.now += 1
    assert shop.ask(proof).status_code == 200


def test_asking_again_soon_is_the_same_download(shop):
    proof = shop.apple.transaction()
    for _ in range(20):
        assert shop.ask(proof).json["expiresIn"] == 3600
    shop.now += 29 * MINUTE
    # The addresses expire no later than the first ones.
    assert shop.ask(proof).json["expiresIn"] == 31 * 60
    shop.now += MINUTE
    assert shop.ask(proof).json["expiresIn"] == 3600
    assert len(shop.rows()[1]) == 2


def test_the_periods_of_a_subscription_and_its_restored_copies_are_counted_together(shop):
    for number in range(4):
        proof = shop.apple.transaction(f"10{number}", originalTransactionId="100")
        assert shop.ask(proof).status_code == (200 if number < 3 else 429)
        shop.now += 60 * MINUTE


def test_free_items_are_not_counted(shop):
    for _ in range(9):
        assert shop.ask(None, "gift").status_code == 200
        shop.now += DAY


# Addresses


def test_an_address_expires(shop):
    answer = shop.ask(shop.apple.transaction())
    shop.now += 60 * MINUTE - 1
    assert shop.load(answer).status_code == 200
    shop.now += 1
    assert is_refused(shop.load(answer), 403, "address")


def test_a_changed_address_is_not_valid(shop):
    url = shop.ask(shop.apple.transaction()).json["files"]["boards/gold.json"]["url"].removeprefix("..")
    for place in range(len("/files/file-"), len(url)):
        other = url[:place] + ("A" if url[place] != "A" else "B") + url[place + 1:]
        answer = shop.client.get(other)
        # The last letter of a signature has bits that don't count.
        assert is_refused(answer, 403, "address") if place < len(url) - 1 else answer.status_code in (200, 403)
    assert is_refused(shop.client.get("/files/file-gold"), 403, "address")


def test_a_refund_ends_the_addresses_as_well(shop):
    answer = shop.ask(shop.apple.transaction())
    assert shop.notify(shop.apple.notification(transaction=refunded(shop))).status_code == 200
    assert is_refused(shop.load(answer), 403, "address")


def refunded(shop, **changes):
    return shop.apple.transaction(**{"revocationDate": NOW, "revocationReason": 0, "signedDate": NOW} | changes)


# Notifications


def test_a_refund_ends_what_a_purchase_gives_also_to_proofs_from_before(shop):
    proof = shop.apple.transaction()
    assert shop.ask(proof).status_code == 200
    notification = shop.apple.notification(transaction=refunded(shop))
    assert shop.notify(notification).status_code == 200
    assert is_refused(shop.ask(proof), 403, "refunded")
    before = shop.rows()
    assert shop.notify(notification).status_code == 200
    assert shop.rows() == before


def test_a_refunded_proof_ends_it_as_well(shop):
    assert is_refused(shop.ask(refunded(shop)), 403, "refunded")
    assert is_refused(shop.ask(shop.apple.transaction()), 403, "refunded")


def test_a_reversed_refund_gives_it_back_in_any_order(shop):
    proof, late = shop.apple.transaction(), shop.apple.transaction(signedDate=NOW + MINUTE)
    refund = shop.apple.notification(transaction=refunded(shop))
    reversal = shop.apple.notification("REFUND_REVERSED", late)
    for notifications in [[refund, reversal], [reversal, refund]]:
        shop.purchases.run("DELETE FROM transactions")
        for notification in notifications:
            assert shop.notify(notification).status_code == 200
        assert shop.ask(proof).status_code == 200


def test_of_two_statements_from_one_moment_the_refund_counts(shop):
    proof = shop.apple.transaction(signedDate=NOW)
    for first, second in [(proof, refunded(shop)), (refunded(shop), proof)]:
        shop.purchases.run("DELETE FROM transactions")
        shop.ask(first)
        assert is_refused(shop.ask(second), 403, "refunded")


def test_a_refund_of_one_period_does_not_end_another(shop):
    club = {"type": "Auto-Renewable Subscription", "productId": f"{BUNDLE}.club", "originalTransactionId": "100"}
    first = {"id": "100", "expiresDate": NOW + DAY} | club
    second = {"id": "101", "expiresDate": NOW + 30 * DAY} | club
    shop.notify(shop.apple.notification(transaction=refunded(shop, **first)))
    assert is_refused(shop.ask(shop.apple.transaction(**first), "club"), 403, "refunded")
    assert shop.ask(shop.apple.transaction(**second), "club").status_code == 200


def test_a_refund_ends_restored_copies_and_not_what_a_family_shares_otherwise(shop):
    shop.notify(shop.apple.notification(transaction=refunded(shop)))
    restored = {"id": "1001", "originalTransactionId": "1000"}
    assert is_refused(shop.ask(shop.apple.transaction(**restored)), 403, "refunded")
    shared = restored | {"id": "1002", "inAppOwnershipType": "FAMILY_SHARED"}
    assert shop.ask(shop.apple.transaction(**shared)).status_code == 200
    shop.notify(shop.apple.notification("REVOKE", refunded(shop, **shared)))
    assert is_refused(shop.ask(shop.apple.transaction(**shared)), 403, "refunded")


@pytest.mark.parametrize("percentage, kind, status", [
    (100_000, "Non-Consumable", 403), (100, "Non-Consumable", 403), (50_000, "Non-Consumable", 200),
    (50_000, "Auto-Renewable Subscription", 403),
])
def test_as_in_the_app_a_partly_refunded_purchase_is_kept(shop, percentage, kind, status):
    proof = refunded(shop, revocationPercentage=percentage, type=kind, revocationType="REFUND_PRORATED")
    assert shop.ask(proof).status_code == status


@pytest.mark.parametrize("kind, data", [
    ("TEST", {}), ("REFUND_DECLINED", {}), ("A_NEW_KIND", {"signedTransactionInfo": None})])
def test_a_notification_about_nothing_changes_nothing(shop, kind, data):
    assert shop.notify(shop.apple.notification(kind, **data)).status_code == 200
    assert shop.rows() == ([], [])


@pytest.mark.parametrize("data, reason", [
    ({"bundleId": "com.example.other"}, "app"), ({"appAppleId": 1}, "app"), ({"environment": "Sandbox"}, "environment"),
    ({"transaction": "a.b.c"}, "proof"),
])
def test_a_notification_about_another_app_is_refused(shop, data, reason):
    assert is_refused(shop.notify(shop.apple.notification(**{"transaction": refunded(shop)} | data)), 403, reason)
    assert is_refused(shop.notify(refunded(shop)), 403, "app")
    assert is_refused(shop.notify(None), 403, "proof")
    assert shop.rows() == ([], [])


# Sales


def test_the_owner_reads_what_was_sold(shop):
    for id, changes in enumerate([
        {}, {}, {"storefront": "DEU"}, {"offerType": 1}, {"offerType": 3, "offerIdentifier": "spring, 2026"},
        {"quantity": 5}, {"inAppOwnershipType": "FAMILY_SHARED"}, {"revocationDate": NOW}, {"offerType": 99},
        {"purchaseDate": NOW}, {"type": "Auto-Renewable Subscription", "purchaseDate": NOW},
    ]):
        shop.ask(shop.apple.transaction(f"{id}", **changes))
    proof = shop.apple.transaction("99", productId="x", originalPurchaseDate=0)
    shop.notify(shop.apple.notification("ONE_TIME_CHARGE", proof))
    answer = shop.sales()
    assert answer.mimetype == "text/csv"
    assert answer.text.splitlines() == [
        "product,day,storefront,offer,count",
        "x,1970-01-01,USA,,1",
        "com.example.trestle.gold,2027-01-14,DEU,,1",
        "com.example.trestle.gold,2027-01-14,USA,,8",
        "com.example.trestle.gold,2027-01-14,USA,99,1",
        "com.example.trestle.gold,2027-01-14,USA,introductory_offer,1",
        'com.example.trestle.gold,2027-01-14,USA,"spring, 2026",1',
        "com.example.trestle.gold,2027-01-15,USA,,1",
    ]


def test_nobody_else_reads_it(shop, make_shop):
    for token in ["", "secre", "secrets", "sécret"]:
        assert is_refused(shop.sales(token), 401, "token")
    assert is_refused(make_shop(token="").sales(""), 401, "token")
