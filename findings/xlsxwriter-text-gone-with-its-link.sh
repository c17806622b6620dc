#!/usr/bin/env bash
# A table of addresses that pandas writes through XlsxWriter has empty cells after 65,530 of them.
#
# Software:  XlsxWriter 3.3.1, pandas 2.3.3 and openpyxl 3.1.5 (PyPI).
# Behavior:  XlsxWriter makes a link of each text that begins with https://, and a sheet has at most 65,530 links, each of at most 2,079
#            characters. It warns that it is "ignoring" an address beyond that. The cell then has no link and no text either. Reading the
#            workbook, pandas finds NaN there. Excel's limits are those of links; a cell may have 32,767 characters of text.
# Seen:      65,535 rows written, 5 cells of the column empty, each of them with this warning:
#            Ignoring URL 'https://example.com/get?via=user-65530' since it exceeds Excel's limit of 65,530 URLs per worksheet.
# Surprise:  nobody asked for links, and without a link the text of the cell would be what was asked for. pandas takes XlsxWriter by itself if it
#            is installed; with openpyxl, the same call writes every cell.
# Hurts:     whoever exports a table with a personal address for each row: the file has all rows, and the newest users have no address.
#            `engine_kwargs={"options": {"strings_to_urls": False}}` keeps all of them, as text.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -r "${folder:?}"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check XlsxWriter==3.3.1 pandas==2.3.3 openpyxl==3.1.5
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings

import pandas

LIMIT = 65_530


def empty_cells(links, **options):
    """How many cells are empty after the table was written and read, and the first warning."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        pandas.DataFrame({"row": range(len(links)), "link": links}).to_excel("links.xlsx", index=False, **options)
    table = pandas.read_excel("links.xlsx")
    assert len(table) == len(links)
    return int(table.link.isna().sum()), str(seen[0].message) if seen else None


links = [f"https://example.com/get?via=user-{number}" for number in range(LIMIT + 5)]
empty, warning = empty_cells(links)
print(f"{len(links):,} rows written, {empty} cells of the column empty\n{warning}")
assert empty == 5 and warning.startswith(f"Ignoring URL '{links[LIMIT]}'")
assert empty_cells(links[:LIMIT]) == (0, None)
assert empty_cells(links, engine="openpyxl") == (0, None)
assert empty_cells(links, engine_kwargs={"options": {"strings_to_urls": False}}) == (0, None)
long = ["https://example.com/get?via=" + "x" * 2100, links[0]]
assert empty_cells(long)[0] == 1 and empty_cells(long, engine="openpyxl") == (0, None)
PYTHON
echo "still so: an address beyond the limit of links is gone as a text, too"
