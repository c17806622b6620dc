#!/usr/bin/env bash
# What markdownify makes of an address in a text, Markdown's renderers link to another address.
#
# Software:  markdownify 1.2.0 (PyPI), which makes Markdown of HTML; cmarkgfm 2025.10.22, markdown-it-py 4.3.0 with linkify-it-py 2.1.0, and
#            mistune 3.4.0 (PyPI), which render it.
# Behavior:  markdownify writes a backslash before each underscore and asterisk of a text, so that it isn't emphasis. An address that is a text,
#            and no link, gets them too. The renderers make links of bare addresses, and a backslash is a part of an address, not an escape.
# Seen:      the text      https://example.com/docs/how_to_play
#            in Markdown   https://example.com/docs/how\_to\_play
#            the link      https://example.com/docs/how%5C_to%5C_play
# Surprise:  either program follows its rules: backslashes keep the text as it is in every renderer without bare links, and the extension for
#            bare links knows no escapes. Together they change an address that was plain before. html2text 2025.4.15 writes no backslash
#            within a word, where an underscore is no emphasis, and the address stays.
# Hurts:     whoever keeps web pages or newsletters as Markdown, in a wiki or an issue: addresses that nobody had to tap before become links that
#            lead to "not found", if their path or query has an underscore.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -r "${folder:?}"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check markdownify==1.2.0 html2text==2025.4.15 cmarkgfm==2025.10.22 \
    markdown-it-py==4.3.0 linkify-it-py==2.1.0 mistune==3.4.0
"$folder/venv/bin/python" - <<'PYTHON'
import re

import cmarkgfm
import html2text
import mistune
from markdown_it import MarkdownIt
from markdownify import markdownify

renderers = {
    "cmarkgfm": cmarkgfm.github_flavored_markdown_to_html,
    "markdown-it-py": MarkdownIt("gfm-like").render,
    "mistune": mistune.create_markdown(plugins=["url"]),
}
page = "<p>See https://example.com/docs/how_to_play for the rules.</p>"
changed, whole = "https://example.com/docs/how%5C_to%5C_play", "https://example.com/docs/how_to_play"
print(markdownify(page).strip())
for name, render in renderers.items():
    links = [re.findall('href="([^"]*)"', render(convert(page))) for convert in (markdownify, html2text.html2text)]
    print(f"{name}: {links[0][0]}, and by way of html2text {links[1][0]}")
    assert links == [[changed], [whole]], f"{name} now links to {links}"
PYTHON
echo "still so: the link leads to another address than the text named"
