#!/usr/bin/env bash
# vobject 0.9.9 changes the address of an event when it writes it, and doesn't change it back when it reads it.
#
# Software:  vobject 0.9.9 and icalendar 6.3.1 (PyPI), which make and read calendar files.
# Behavior:  vobject writes a backslash before each comma and semicolon in the URL of an event, as in a text. RFC 5545 (3.3.13) has no such
#            backslashes in an address. Reading, it leaves them, so the address is another one. The same library writes them in the URL of a
#            contact, too, but removes them there again. icalendar writes none, and removes those of vobject.
# Seen:      wrote https://example.com/get;ref=anna,ben and read https://example.com/get\;ref=anna\,ben
# Surprise:  the property has a type of its own in the format, both characters are valid in an address, and writing a file and reading it with
#            the same library isn't a round trip for an event, though it is one for a contact.
# Hurts:     whoever puts an invitation's address with a list in it into an event: the server gets `anna\` and `ben`, and browsers write the
#            backslash in a path as another slash.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -r "${folder:?}"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check vobject==0.9.9 icalendar==6.3.1
"$folder/venv/bin/python" - <<'PYTHON'
import icalendar
import vobject

address = r"https://example.com/get;ref=anna,ben"
changed = r"https://example.com/get\;ref=anna\,ben"

calendar = vobject.iCalendar()
calendar.add("vevent").add("url").value = address
text = calendar.serialize()
contact = vobject.vCard()
contact.add("fn").value = "Anna"
contact.add("n").value = vobject.vcard.Name(given="Anna")
contact.add("url").value = address

same = vobject.readOne(text).vevent.url.value
other = str(icalendar.Calendar.from_ical(text).walk("VEVENT")[0]["URL"])
own = icalendar.Event()
own.add("url", address)
print(f"wrote {address} and read {same}")
assert same == changed, same
assert other == address, other
assert vobject.readOne(contact.serialize()).url.value == address, "a contact's address changes now, too"
assert address.encode() in own.to_ical(), "icalendar now writes another address"
PYTHON
echo "still so: the address of an event isn't the same after writing and reading"
