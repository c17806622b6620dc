#!/usr/bin/env bash
# Django's `urlize` makes another address of one whose query has an item such as `region`, and shows the right one.
#
# Software:  Django 5.2.19 and Jinja2 3.1.6 (PyPI), whose filters `urlize` make links of the addresses in a plain text.
# Behavior:  Django reads the text as if it were HTML before it makes the address: `&reg`, without a semicolon, is a registered sign, also at
#            the beginning of a longer word. So `&region=` becomes `®ion=`, and `&copy=`, `&section=`, `&currency=`, `&parameter=` and
#            `&notify=` change the same way. What follows belongs to the item before. The text of the link is what was written.
# Seen:      <a href="https://example.com/map?city=berlin%C2%AEion%3Deu" rel="nofollow">https://example.com/map?city=berlin&amp;region=eu</a>
# Surprise:  the filter escapes the text for HTML itself, as the text of the link shows, so the text isn't HTML. Jinja2's filter of the same name
#            keeps the address. By HTML's own rules, no sign is read before a letter or `=` in an attribute, where the address is.
# Hurts:     whoever shows comments or messages with links in a template: the visitor sees the right address, taps it, and gets the map of a city
#            called `berlin®ion=eu`. The server gets no item `region`, and most pages then choose another one, without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -r "${folder:?}"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check Django==5.2.19 Jinja2==3.1.6
"$folder/venv/bin/python" - <<'PYTHON'
import html
import re
from urllib.parse import parse_qsl, urlsplit

import jinja2
from django.conf import settings
from django.template import Context, Engine

settings.configure()


def items(page):
    """The items of the link's address, as a server reads them."""
    address = html.unescape(re.search('href="([^"]*)"', page)[1])
    return parse_qsl(urlsplit(address).query)


def django(text):
    return Engine().from_string("{{ text|urlize }}").render(Context({"text": text}))


def jinja(text):
    return jinja2.Environment(autoescape=True).from_string("{{ text|urlize }}").render(text=text)


text = "https://example.com/map?city=berlin&region=eu"
print(django(text))
assert items(jinja(text)) == [("city", "berlin"), ("region", "eu")]
assert items(django(text)) == [("city", "berlin®ion=eu")], "Django now keeps the item"
names = ["copy", "currency", "notify", "order", "page", "parameter", "region", "section", "timestamp"]
lost = [name for name in names if len(items(django(f"https://example.com/?a=1&{name}=2"))) == 1]
print("lost:", *lost)
assert lost == ["copy", "currency", "notify", "parameter", "region", "section", "timestamp"], lost
PYTHON
echo "still so: the link has another address than its text"
