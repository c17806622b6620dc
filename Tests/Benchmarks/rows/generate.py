"""Writes a table of campaigns, the same one each time: generate.py ROWS [escapes] >table.csv

With escapes, each row has cells in quotes with quotes in them, and a parameter with characters that JSON escapes.
"""

import csv
import sys

CAMPAIGNS = 1_000
GIVEN_NAMES = ["Anna", "Bilal", "Chiara", "Daan", "Elif", "Femi", "Goran", "Haruka", "İpek", "Jürgen", "Zoë"]
FAMILY_NAMES = ["Abe", "Berg", "Costa", "Diallo", "Evans", "Fischer", "García", "Huang", "Ivanov", "Jansen"]


def row(index):
    # Odd, so that no two rows of four billion have the same; and no row looks like its neighbour.
    number = index * 2_654_435_761 % 2**32
    referrer = f"user-{number:010}"
    name = f"{GIVEN_NAMES[number % 11]} {FAMILY_NAMES[number % 10]}"
    # As in a real table a few cells can't be copied blindly: one name in a hundred has to stand in quotes, and one
    # referrer in a thousand is not plain ASCII.
    if index % 100 == 17:
        name = f"{name}, Ph.D."
        if index % 1_000 == 117:
            name = f'{name} "the\nyounger"'
    if index % 1_000 == 42:
        referrer = f"{name} & {index}"
    return referrer, f"spring-{number % CAMPAIGNS:03}", name


def row_with_escapes(index):
    referrer, token, name = row(index)
    return f'{name.partition(",")[0]} "{referrer}"', token, f'Hello, "{referrer}" \\ welcome'


sys.stdout.reconfigure(encoding="utf-8", newline="")
table = csv.writer(sys.stdout, lineterminator="\n")
has_escapes = "escapes" in sys.argv[2:]
table.writerow(["referrer", "ct", "param.greeting" if has_escapes else "name"])
table.writerows(map(row_with_escapes if has_escapes else row, range(int(sys.argv[1]))))
