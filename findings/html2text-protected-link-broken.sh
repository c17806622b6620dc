#!/usr/bin/env bash
# html2text 2025.4.15 breaks an address inside the angle brackets that are to protect it.
#
# Software:  html2text 2025.4.15 (PyPI), which makes the text part of a newsletter from its HTML part.
# Behavior:  the option `protect_links` is described as protecting links from line breaks by angle brackets, and `wrap_links = False` as not
#            wrapping links. Both leave a link alone whose text differs from its address. If the text is the address itself, it is written as
#            <https://…> and wrapped like prose, so the line breaks at a hyphen in the address.
# Seen:      'Get the game: <https://example.com/get?via=spring-newsletter-for-the-friends-\nof-the-board> until Sunday.\n\n'
# Surprise:  with both options, one expects no line break in any address. The brackets help only a reader that removes white space between
#            them, as RFC 3986 suggests in appendix C.
# Hurts:     whoever sends names of campaigns or people in addresses: what is left at the line's end is a valid address with another name
#            (`…for-the-friends-`), so another name is counted, and nobody sees an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -r "${folder:?}"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check html2text==2025.4.15
"$folder/venv/bin/python" - <<'PYTHON'
import html2text

address = "https://example.com/get?via=spring-newsletter-for-the-friends-of-the-board"
converter = html2text.HTML2Text(bodywidth=78)
converter.protect_links = True
converter.wrap_links = False


def converted(text):
    return converter.handle(f'<p>Get the game: <a href="{address}">{text}</a> until Sunday.</p>')


named, bare = converted("here"), converted(address)
print(repr(named), repr(bare), sep="\n")
assert f"<{address}>" in named, "a link with a text of its own is no longer whole"
assert address not in bare and address in bare.replace("\n", ""), "an address that is its own text is no longer broken"
PYTHON
echo "still so: the address is broken inside its angle brackets"
