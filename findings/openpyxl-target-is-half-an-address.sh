#!/usr/bin/env bash
# What openpyxl calls the target of a link depends on who wrote the workbook: the address, or the address up to its `#`.
#
# Software:  openpyxl 3.1.5, XlsxWriter 3.3.1 and python-docx 1.2.0 (PyPI).
# Behavior:  a workbook may keep what follows `#` in an attribute of its own, `location`. XlsxWriter writes it so, also through pandas, and
#            openpyxl writes one address. Reading, openpyxl hands over the two as they are stored: `target` is the whole address of a link that
#            openpyxl wrote, and half of the same link from XlsxWriter. No property has both.
# Seen:      written by openpyxl    target='https://trestle.example/#/board/7'  location=None
#            written by XlsxWriter  target='https://trestle.example/'           location='/board/7'
# Surprise:  a test that writes a workbook and reads it, both with openpyxl, is green with `target`. python-docx, which reads the same kind of
#            link from a document, has `address`, `fragment`, and `url` for both.
# Hurts:     whoever collects or checks the links of a spreadsheet: each board of a single-page app is its front page, which answers 200,
#            and copying `target` to another cell loses the rest.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -r "${folder:?}"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check openpyxl==3.1.5 XlsxWriter==3.3.1 python-docx==1.2.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import docx
import openpyxl
import xlsxwriter
from docx.text.hyperlink import Hyperlink

ADDRESS = "https://trestle.example/#/board/7"


def link(file):
    cell = openpyxl.load_workbook(file).active["A1"]
    assert cell.value == "Board 7"
    return cell.hyperlink.target, cell.hyperlink.location


workbook = openpyxl.Workbook()
workbook.active["A1"].value, workbook.active["A1"].hyperlink = "Board 7", ADDRESS
workbook.save("openpyxl.xlsx")
with xlsxwriter.Workbook("xlsxwriter.xlsx") as workbook:
    workbook.add_worksheet().write_url("A1", ADDRESS, string="Board 7")

for writer in ("openpyxl", "xlsxwriter"):
    target, location = link(f"{writer}.xlsx")
    print(f"written by {writer:10}  {target=}  {location=}")
assert link("openpyxl.xlsx") == (ADDRESS, None)
assert link("xlsxwriter.xlsx") == ("https://trestle.example/", "/board/7")

# The same form of a link in a document.
paragraph = docx.Document().add_paragraph()
element = paragraph._p.makeelement(docx.oxml.ns.qn("w:hyperlink"))
element.rId = paragraph.part.relate_to("https://trestle.example/", docx.opc.constants.RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
element.anchor = "/board/7"
hyperlink = Hyperlink(element, paragraph)
assert (hyperlink.address, hyperlink.fragment, hyperlink.url) == ("https://trestle.example/", "/board/7", ADDRESS)
PYTHON
echo "still so: the target of a link is its address only up to the number sign"
