"""Writes a table of campaigns, the same one each time: generate.py ROWS >table.csv"""

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


sys.stdout.reconfigure(encoding="utf-8", newline="")
table = csv.writer(sys.stdout, lineterminator="\n")
table.writerow(["referrer", "ct", "name"])
table.writerows(map(row, range(int(sys.argv[1]))))
