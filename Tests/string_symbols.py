#!/usr/bin/env python3
"""Lists the symbols that Xcode 26 would make of the string catalogs, and the keys that would share one:

    Tests/string_symbols.py           every catalog of the project
    Tests/string_symbols.py FILE…     these catalogs

Xcode makes a symbol of each key that was added by hand, unless the entry has `"generatesSymbol": false`. It drops
placeholders, punctuation and letter case, so that `Get` and `Get %@` would be one symbol, which is an error in every app
that links the library. The line of a key begins with `-` if no symbol is made of it, otherwise with `+`. The status is 1
if two keys of one catalog would share a symbol.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def catalogs():
    """Every catalog, each once: `Tests` and `Examples` have links to folders that are found anyway."""
    found = [*ROOT.glob("Sources/**/*.xcstrings"), *ROOT.glob("Examples/*.swiftpm/**/*.xcstrings")]
    return sorted({file.resolve() for file in found})


def words(key):
    """The words of a key that are in its symbol, in lowercase letters."""
    key = re.sub(r"%(?:\d+\$)?[-+ 0#]*\d*(?:\.\d+)?(?:hh|h|ll|l|q|z|t|j)?[@a-zA-Z%]", " ", key)
    return [word.lower() for word in re.findall(r"[^\W_]+", key.replace("’", "").replace("'", ""))]


def symbol(key):
    """The name of a key's symbol, such as `everyDays` for `%@ every %lld days`."""
    first, *others = words(key) or ["_"]
    return first + "".join(word.capitalize() for word in others)


def is_made(entry):
    """Whether Xcode makes a symbol of an entry."""
    return entry.get("extractionState") == "manual" and entry.get("generatesSymbol") is not False


def collisions(strings):
    """The lists of keys with the same letters and digits, apart from their placeholders."""
    keys = {}
    for key in strings:
        keys.setdefault("".join(words(key)), []).append(key)
    return [sorted(same) for same in keys.values() if len(same) > 1]


def main(arguments):
    failed = False
    for file in [Path(argument) for argument in arguments] or catalogs():
        strings = json.loads(file.read_text())["strings"]
        print(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file)
        for key, entry in sorted(strings.items()):
            print(f"  {'+' if is_made(entry) else '-'} {symbol(key):<40}  {json.dumps(key, ensure_ascii=False)}")
        for same in collisions(strings):
            failed = True
            print("  one symbol: " + ", ".join(json.dumps(key, ensure_ascii=False) for key in same))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
