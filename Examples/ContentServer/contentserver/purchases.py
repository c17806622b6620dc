"""What Apple signed about a purchase, and what the server remembers of it. Times are in milliseconds."""

import sqlite3
import threading

from appstoreserverlibrary.models.JWSTransactionDecodedPayload import JWSTransactionDecodedPayload as Transaction
from werkzeug.exceptions import HTTPException

from .catalog import Item

DAY, CLOCK_ERROR = 86_400_000, 600_000
# Each commit is on the disk before it is answered, since Apple doesn't repeat a notification after that.
TABLES = """
PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS transactions (id TEXT PRIMARY KEY, signed INTEGER, refunded INTEGER, shared INTEGER,
    product TEXT, day TEXT, storefront TEXT, offer TEXT, quantity INTEGER);
CREATE TABLE IF NOT EXISTS downloads (purchase TEXT, moment INTEGER, PRIMARY KEY (purchase, moment));
"""
# Of two statements, the one that was signed later counts; if both are from one moment, the refund.
RECORD = """
INSERT INTO transactions VALUES (?, ?, ?, ?, ?, date(? / 1000, 'unixepoch'), ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET signed = excluded.signed, refunded = excluded.refunded
WHERE (excluded.signed, excluded.refunded) > (signed, refunded)
"""
SALES = """
SELECT product, day, storefront, offer, sum(quantity) FROM transactions WHERE NOT refunded AND NOT shared
GROUP BY product, day, storefront, offer ORDER BY day, product, storefront, offer
"""


class Refusal(HTTPException):
    """Why a request gets nothing: a status, a word for the app, and a sentence for people."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.code, self.reason = status, reason


def check(transaction: Transaction, item: Item, now: int) -> None:
    """Refuses a transaction that doesn't give an item now, apart from refunds."""
    start = transaction.originalPurchaseDate if item.kind == "trial" else transaction.purchaseDate
    days = item.days * (transaction.quantity or 1) if item.kind in ("trial", "nonRenewing") else None
    end = transaction.expiresDate if days is None else (start or 0) + days * DAY
    if transaction.productId != (item.product or ""):
        raise Refusal(403, "product", "The proof is for another product.")
    if (transaction.signedDate or 0) > now + CLOCK_ERROR:
        raise Refusal(503, "unavailable", "The proof is from the future: the server's clock is wrong. Try again later.")
    if transaction.isUpgraded or (end is not None and end <= now):
        raise Refusal(403, "expired", "What was bought has ended.")


class Purchases:
    def __init__(self, file: str, most_downloads: int, days: int, lifetime: int) -> None:
        self.most_downloads, self.window, self.lifetime = most_downloads, days * DAY, lifetime * 1000
        self.lock, self.database = threading.Lock(), sqlite3.connect(file, check_same_thread=False)
        self.database.executescript(TABLES)

    def run(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        with self.lock, self.database:
            return self.database.execute(statement, values).fetchall()

    def is_refunded(self, transaction: str) -> bool:
        return self.run("SELECT refunded FROM transactions WHERE id = ?", transaction) == [(1,)]

    def record(self, said: Transaction) -> str:
        is_shared = said.rawInAppOwnershipType == "FAMILY_SHARED"
        is_subscription = said.rawType == "Auto-Renewable Subscription"
        # A restored purchase has an identifier and a date of its own, and so has each period of a subscription.
        name = str(said.transactionId if is_shared or is_subscription else said.originalTransactionId)
        date = said.purchaseDate if is_subscription else said.originalPurchaseDate
        # As in the app, a purchase stays if only a part was refunded, in thousandths of a percent.
        is_kept = 100 < (said.revocationPercentage or 0) < 100_000 and not is_subscription
        offer = said.offerIdentifier or (said.offerType.name.lower() if said.offerType else said.rawOfferType or "")
        self.run(RECORD, name, said.signedDate, said.revocationDate is not None and not is_kept, is_shared,
                 said.productId, date, said.storefront or "", offer, said.quantity or 1)
        return name

    def count_download(self, purchase: str | None, now: int) -> int:
        """Counts a download, and answers when its addresses expire. Asking again soon is the same download."""
        with self.lock, self.database:
            query = "SELECT moment FROM downloads WHERE purchase = ? AND moment > ?"
            moments: list[int] = [row[0] for row in self.database.execute(query, [purchase, now - self.window])]
            if soon := [moment for moment in moments if moment <= now < moment + self.lifetime // 2]:
                return soon[0] + self.lifetime
            if len(moments) >= self.most_downloads:
                raise Refusal(429, "limit", "The purchase was downloaded too often. Try again in some days.")
            self.database.execute("INSERT OR IGNORE INTO downloads VALUES (?, ?)", [purchase, now])
        return now + self.lifetime
