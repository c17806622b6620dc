#!/usr/bin/env bash
# PDFium gives U+FFFE in the place of a hyphen that ends a line, also in an address.
#
# Software:  PDFium as in pypdfium2 5.1.0 (PyPI), the PDF library of Chromium; the PDF is made by reportlab 4.4.4.
# Behavior:  if a line ends with a letter and a hyphen, the text has neither the hyphen nor the line break before the next line, but the
#            noncharacter U+FFFE. After a digit, hyphen and line break stay.
# Seen:      'https://example.com/get?via=friends-of\ufffetrestle'       from the lines "https://example.com/get?via=friends-of-" and "trestle"
#            'https://example.com/get?via=spring-2026-\r\ntrestle'       from "https://example.com/get?via=spring-2026-" and "trestle"
# Surprise:  a line that ends with a hyphen might be expected with the hyphen (as text that is on the page), or without (as a word that was
#            divided). A noncharacter is neither: Unicode reserves it for a program's own use.
# Hurts:     whoever looks for addresses or names in the text of a PDF, such as a flyer with campaign links: the hyphen belongs to the address,
#            no address contains U+FFFE, and the part before it is a valid address with another name.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -r "${folder:?}"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pypdfium2==5.1.0 reportlab==4.4.4
"$folder/venv/bin/python" - <<'PYTHON'
import io

import pypdfium2
from reportlab.pdfgen import canvas


def text(*lines):
    file = io.BytesIO()
    page = canvas.Canvas(file, pagesize=(400, 200))
    for number, line in enumerate(lines):
        page.drawString(20, 150 - 14 * number, line)
    page.save()
    return pypdfium2.PdfDocument(file.getvalue())[0].get_textpage().get_text_range()


start = "https://example.com/get?via="
letter, digit = text(start + "friends-of-", "trestle"), text(start + "spring-2026-", "trestle")
whole = text(start + "friends-of-trestle")
print(repr(letter), repr(digit), repr(whole), sep="\n")
assert letter == start + "friends-of\ufffetrestle", "a hyphen after a letter is no longer U+FFFE"
assert digit == start + "spring-2026-\r\ntrestle", "a hyphen after a digit no longer stays"
assert whole == start + "friends-of-trestle"
PYTHON
echo "still so: the hyphen of the address is U+FFFE"
