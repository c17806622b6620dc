"""People with known fates: what each of them does on the web and in the app, and what a report must say of it.

`World` lets a month happen. It has the requests in the order of their times, the steps of each phone, and
`known`: the numbers that a report must show. `people` counts the people themselves, and `reasons` why a report can't: each reason is a
part of a sentence in the report.
"""

import random
from collections import Counter, defaultdict
from datetime import datetime, timedelta, timezone
from urllib.parse import quote_plus

START = datetime(2026, 10, 1, tzinfo=timezone.utc)
DAYS = 31
PAGE, COUNT = "/get", "/count"
CODE = "4F7K-9Q2M-XRKQ"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS {0}_{1} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/{0}.{1} Mobile/15E148 Safari/604.1"
ANDROID = "Mozilla/5.0 (Linux; Android {0}; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/14{1}.0.0.0 Mobile Safari/537.36"
DESKTOP = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/{0}.{1} Safari/605.1.15"
ROBOTS = ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "curl/8.5.0", "python-requests/2.32.3",
          "WhatsApp/2.23.20.0", "facebookexternalhit/1.1", "TelegramBot (like TwitterBot)"]
REFUSING = "ask not to be tracked"
ALIKE = "people behind one address are one visit if their devices are alike"
PAUSE = "Each request follows the one before by less than 30 minutes"
UNSENT = "The app's counts are of the devices that sent theirs"


def day(time):
    return time.strftime("%Y-%m-%d")


class Request:
    """A request, with the moment and the client that the server writes into its log."""

    __slots__ = ("time", "client", "agent", "method", "target", "extra")

    def __init__(self, time, client, agent, target, method="GET", extra=""):
        self.time, self.client, self.agent, self.target, self.method, self.extra = time, client, agent, target, method, extra


class Person:
    """Somebody whom a link of a referrer reaches."""

    __slots__ = ("referrer", "time", "client", "agent", "kind", "has_script", "is_refusing", "taps", "copies", "is_twin", "returns", "tap_time")


class World:
    def __init__(self, people, referrers=300, seed=1):
        self.random = random.Random(seed)
        names = [f"creator-{number:03}" for number in range(referrers - 3)] + ["café & co", "Ann O'Neil", "日本"]
        self.referrers = names
        self.weights = [1 / (number + 2) for number in range(referrers)]
        self.requests, self.phones, self.visitors = [], [], []
        # (measure, referrer) and (measure, day), and the outcomes of the app by road.
        self.known, self.days, self.outcomes, self.fates = Counter(), Counter(), defaultdict(Counter), Counter()
        self.people, self.reasons = Counter(), defaultdict(Counter)
        last = None
        for number in range(people):
            last = self.person(number, last)
        self.strangers(people)
        self.requests.sort(key=lambda request: request.time)

    # What is counted

    def count(self, measure, referrer, time, count=1):
        self.known[measure, referrer] += count
        self.days[measure, day(time)] += count

    def differ(self, measure, reason, count):
        """The report shows so many more than there are people."""
        if count:
            self.reasons[measure][reason] += count

    def chance(self, share):
        return self.random.random() < share

    def client(self, number):
        return f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"

    # The web

    def person(self, number, last):
        person = Person()
        roll = self.random
        # Two people behind one address, on the same day, with phones of the same kind.
        person.is_twin = last is not None and not last.is_twin and last.returns == 0 and self.chance(0.01)
        if person.is_twin:
            person.client, person.agent, person.kind, person.referrer = last.client, last.agent, last.kind, last.referrer
            person.has_script, person.is_refusing = last.has_script, last.is_refusing
            person.time = last.time + timedelta(seconds=roll.randrange(130, 600))
        else:
            person.client = self.client(number)
            person.kind = roll.choices(["iphone", "android", "desktop"], [60, 15, 25])[0]
            pattern = {"iphone": IPHONE, "android": ANDROID, "desktop": DESKTOP}[person.kind]
            person.agent = pattern.format(roll.choice([17, 18, 26]), roll.randrange(7))
            person.referrer = roll.choices(self.referrers, self.weights)[0]
            person.has_script, person.is_refusing = self.chance(0.97), self.chance(0.04)
            person.time = START + timedelta(seconds=roll.randrange(DAYS * 86_400 - 30_000))
        person.returns = 0 if person.is_twin else roll.choices([0, 600, 10_800], [85, 10, 5])[0]
        person.taps, person.copies = self.chance(0.45), self.chance(0.95)
        person.tap_time = person.time + timedelta(seconds=roll.randrange(2, 120))
        if person.kind == "iphone" and not person.is_twin and self.chance(0.08):
            # The app is there, so that the link opens it, and no page.
            self.phone(person, [("opened", person.time, person.time)])
            person.returns = -1
            return person
        if not person.is_twin and last is not None and self.chance(0.004):
            # A browser fetches the page for somebody who never looks. The log doesn't tell.
            self.requests.append(Request(person.time, person.client, person.agent, target(person), extra="Sec-Purpose: prefetch"))
            self.fates["counted"] += 1
            self.count("opened", person.referrer, person.time)
            self.differ("opened", "A prefetch can be told from a visit only by a header", 1)
            person.returns = -1
            return person
        self.visitors.append(person)
        self.opens(person, last)
        if person.taps:
            self.download(person)
        return person

    def opens(self, person, last):
        moments = [person.time] + ([person.time + timedelta(seconds=person.returns)] if person.returns else [])
        counts = person.has_script and not person.is_refusing
        visits = moments[:1] if person.returns == 600 else moments
        for moment in moments:
            self.requests.append(Request(moment, person.client, person.agent, target(person)))
            self.fates["counted"] += 1
            if counts:
                self.beacon(person, moment, "view")
        for measure in ["opened", "openedCounted"]:
            self.people[measure] += 1
            if measure == "openedCounted" and not counts:
                self.differ(measure, REFUSING, -1)
            elif person.is_twin:
                self.differ(measure, ALIKE, -1)
            else:
                self.differ(measure, PAUSE, len(visits) - 1)
                for visit in visits:
                    self.count(measure, person.referrer, visit)
        if not person.taps:
            return
        copied = person.kind == "iphone" and person.has_script and person.copies
        if counts:
            self.beacon(person, person.tap_time, "tap", f"&copied={int(copied)}" if person.kind == "iphone" else "")
        for measure in ["tapped"] + ["copied"] * copied:
            self.people[measure] += 1
            if not counts:
                self.differ(measure, REFUSING, -1)
            elif person.is_twin and last.taps and (measure == "tapped" or last.copies):
                self.differ(measure, ALIKE, -1)
            else:
                self.count(measure, person.referrer, person.tap_time)

    def beacon(self, person, moment, event, items=""):
        address = f"{COUNT}?event={event}&via={encoded(person.referrer)}{items}"
        self.requests.append(Request(moment, person.client, person.agent, address, "POST"))
        self.fates["counted"] += 1

    def strangers(self, people):
        """Robots, previews of links, and requests that aren't for the page."""
        for number in range(people // 10):
            time = START + timedelta(seconds=self.random.randrange(DAYS * 86_400))
            client, referrer = self.client(0xF00000 + number), self.random.choice(self.referrers)
            address = f"{PAGE}?via={encoded(referrer)}"
            kind = self.random.choice(["robots", "robots", "otherRequests", "failed", "disguised"])
            agent, extra = DESKTOP.format(18, 6), ""
            if kind == "robots":
                agent = self.random.choice(ROBOTS)
            elif kind == "otherRequests":
                address = "/favicon.ico"
            elif kind == "failed":
                extra = "X-Down: 1"
            else:
                # A robot that says it is a browser.
                self.count("opened", referrer, time)
                self.differ("opened", "one that claims to be a browser counts as a visit", 1)
            self.fates["counted" if kind == "disguised" else kind] += 1
            self.requests.append(Request(time, client, agent, address, extra=extra))

    # The phones

    def download(self, person):
        if person.kind != "iphone" or not self.chance(0.5):
            return
        if not person.copies or not person.has_script:
            self.phone(person, [("organic", person.tap_time + timedelta(seconds=90), None)])
            return
        tap, roll = person.tap_time, self.random.random()
        soon = tap + timedelta(seconds=self.random.randrange(20, 290))
        late = tap + timedelta(seconds=self.random.randrange(301, 20_000))
        if roll < 0.45:
            self.phone(person, [("pasteboard", soon, tap)])
        elif roll < 0.60:
            self.phone(person, [("declined", soon, tap)])
        elif roll < 0.67:
            self.phone(person, [("declined", soon, tap), ("declined", soon + timedelta(hours=1), tap)])
        elif roll < 0.80:
            self.phone(person, [("pasteboard", late, tap)])
        elif roll < 0.88:
            self.phone(person, [("pasteButton", soon, tap)])
        elif roll < 0.92:
            # The phone's clock is an hour behind the page's. Both are this phone's, but somebody has set it in between.
            self.phone(person, [("pasteboard", tap - timedelta(hours=1), tap)])

    def phone(self, person, steps):
        """What a phone does, and what is known of it if its counts are sent."""
        sends = self.chance(0.8)
        arrived, lines = None, []
        for road, at, tap in steps:
            age = (at - tap).total_seconds() if tap else 0
            outcome = {"organic": "noLinkDetected", "declined": "emptyOrDenied"}.get(road, "found")
            if road == "pasteboard":
                outcome = "expired" if age >= 300 else "fromTheFuture" if age < -30 else "found"
            lines.append({"road": road, "at": milliseconds(at), "tap": milliseconds(tap) if tap else None, "referrer": person.referrer})
            if outcome == "found":
                arrived = at
            if sends:
                self.outcomes[{"organic": "pasteboard", "declined": "pasteboard"}.get(road, road)][outcome] += 1
                if outcome == "found":
                    self.count("arrived", "(invitations)" if person.referrer == CODE else person.referrer, at)
        for measure, people, times in [("arrived", bool(arrived), 1), ("declined", steps[0][0] == "declined", len(steps))]:
            if people:
                self.people[measure] += 1
                self.differ(measure, UNSENT, sends - 1)
                self.differ(measure, "declines twice counts twice", (times - 1) * sends)
        if self.chance(0.1):
            wait = timedelta(seconds=self.random.randrange(1, 45 * 86_400))
            at = steps[-1][1] + wait
            lines.append({"event": "first-purchase", "at": milliseconds(at)})
            brought = arrived and at - arrived < timedelta(days=30)
            if arrived:
                self.people["first-purchase"] += 1
                self.differ("first-purchase", UNSENT, sends - 1)
                self.differ("first-purchase", "less than 30 days after the arrival", -1 if sends and not brought else 0)
            if sends:
                name = ("(invitations)" if person.referrer == CODE else person.referrer) if brought else "(none)"
                self.count("first-purchase", name, at)
        self.phones.append({"sends": sends, "steps": lines})

    def friends(self, count):
        """People who type the code of a friend."""
        for _ in range(count):
            person = Person()
            person.referrer, time = CODE, START + timedelta(seconds=self.random.randrange(DAYS * 86_400))
            self.phone(person, [("typed", time, time)])

    def links(self):
        """The table that `links` writes."""
        rows = (f"{name},Person {name[-3:]},https://example.com{PAGE}?via={encoded(name)}" for name in self.referrers)
        return ["referrer,name,link", *rows]


def milliseconds(time):
    return round(time.timestamp() * 1_000)


def target(person):
    return f"{PAGE}?via={encoded(person.referrer)}"


def encoded(text):
    """As a browser's URLSearchParams writes it."""
    return quote_plus(text, safe="*-._")

