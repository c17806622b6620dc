"""The addresses that programs process, and who reads them afterwards."""

import json
import os
import random
import subprocess
from collections import Counter
from urllib.parse import quote

TOOL = os.environ["REFERRAL_TOOL"]
PAGE = "https://example.com/get"
ALLOWED = "%/:?#@!$&'()*+,;=-._~"
WORDS = "spring newsletter poster berlin friends of the board summer 2026 launch v2 beta gold pack podcast episode 12 café über été".split()
FIRST = ["Anna", "Zoë", "Jürgen", "Renée", "Ольга", "Фёдор", "Ιωάννης", "Ελένη", "さくら", "翔太", "李", "王", "محمد", "דנה", "अनिता", "지민", "Žofie"]
LAST = ["Smith", "Groß", "Lefèvre", "O'Neil", "Ёлкина", "Παππάς", "山田", "小龍", "العلي", "कुमार", "김", "Novák"]
LETTERS = "useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict"


def names():
    """300 referrers: campaigns, people, codes, and mail addresses, always the same ones."""
    chance = random.Random(64)

    def sign():
        return chance.choice([".", "-", "_", "~", "--", "__", "-_", "..", "_-"])

    def campaign():
        name = "".join(word + sign() for word in chance.sample(WORDS, chance.randint(2, 7)))
        return chance.choice([name, name.rstrip(".-_~"), name.rstrip(".-_~"), sign() + name.rstrip(".-_~")])

    def person():
        return chance.choice(FIRST) + chance.choice([" ", " ", " ", ".", "-", "_", " & "]) + chance.choice(LAST) + chance.choice(["", "", "", ".", " Jr."])

    def code():
        return "".join(chance.choice(LETTERS) for _ in range(10))

    def other():
        return chance.choice(FIRST) + chance.choice(["@example.com", "+news@example.com", "'s friends", " (Berlin)", "=1", " 100%", "/2", "?", "!", "。", "*x*", "_x_"])

    found = set()
    for make, count in [(campaign, 120), (person, 90), (code, 50), (other, 40)]:
        end = len(found) + count
        while len(found) < end:
            found.add(make())
    return sorted(found)


def run(*arguments, text):
    done = subprocess.run([TOOL, *map(str, arguments)], input=text, capture_output=True)
    assert done.stdout or not text, done.stderr
    return done.stdout.decode()


def written(names, *arguments, parameters={}):
    """The addresses that the command makes for referrers."""
    rows = "".join(json.dumps({"referrer": name, **parameters}) + "\n" for name in names)
    return run("links", *arguments, "--from", "jsonl", "--to", "txt", text=rows.encode()).splitlines()


class Kind:
    """A kind of address: how the command writes and reads it."""

    def __init__(self, title, write, read, parameters={}):
        self.title, self.read = title, read
        self.names = names()
        self.addresses = written(self.names, *write, parameters=parameters)
        assert len(self.addresses) == len(self.names)
        assert self.count(self.opened(self.addresses))["right"] == 300

    def _judged(self, lines):
        text = b"".join(line.encode() + b"\n" for line in lines)
        return [json.loads(line) for line in run("decode", "--each", *self.read, "--quiet", text=text).splitlines()]

    def opened(self, addresses):
        """The verdicts on addresses that somebody opens; `None` has none. A browser writes escapes, and nothing is trimmed at the end of an
        address, nor, if somebody pasted it, before a fragment."""
        given = [quote(address, ALLOWED) for address in addresses if address is not None]
        judged = iter(self._judged(address if "#" in address else address + "#go" for address in given))
        return [None if address is None else next(judged) for address in addresses]

    def pasted(self, texts):
        """The verdicts on texts that somebody pastes."""
        texts = [text.strip() for text in texts]
        of_lines = iter(self._judged(text for text in texts if "\n" not in text))
        return [self._judged_alone(text) if "\n" in text else next(of_lines) for text in texts]

    def _judged_alone(self, text):
        done = json.loads(subprocess.run([TOOL, "decode", *self.read, "--json", text], capture_output=True, check=False).stdout)
        return {"verdict": "found" if done["referrer"] else "rejected", "referrer": done["referrer"]}

    def count(self, verdicts):
        def judgment(verdict, name):
            if verdict is None:
                return "not linked"
            if verdict["verdict"] != "found":
                return "rejected"
            return "right" if verdict["referrer"] == name else "wrong"

        return Counter(judgment(*pair) for pair in zip(verdicts, self.names, strict=True))
