#!/usr/bin/env bash
# lxml's `autolink` links the address of a profile, such as https://social.trestle.example/@anna, to the front page.
#
# Software:  lxml_html_clean 0.4.6 with lxml 6.1.3 (PyPI), which was `lxml.html.clean` until lxml 5.2; markdown-it-py 4.3.0 with
#            linkify-it-py 2.1.0 beside it.
# Behavior:  the function makes links of the addresses in a document. An address ends, in the link and in its text, before the first sign that
#            isn't a letter of ASCII, a digit or one of  / - _ . , % & ? ; = ~ ( ).  So `@`, `+`, `:`, `#` and `!` end it, also the colon of a
#            port, and so does a `?` right behind the host. What follows stays in the document as text.
# Seen:      <p>Follow me: <a href="https://social.trestle.example/">https://social.trestle.example/</a>@anna</p>
# Surprise:  RFC 3986 allows these signs in a path or a query, and browsers write them bare. The link is a valid address of the same site, and
#            the reader sees the whole address, since only the link's end is elsewhere. markdown-it-py links each of them whole.
#            A test with a host of RFC 2606, such as example.com, shows nothing of it: these hosts are never linked.
# Hurts:     whoever shows people's texts with this function: a profile leads to the front page, `?via=anna+ben` counts for `anna`, `?at=10:30` is
#            10 o'clock, and an address of a single-page app (`/#/board/7`) is its start. Nobody sees an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -r "${folder:?}"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check lxml_html_clean==0.4.6 lxml==6.1.3 markdown-it-py==4.3.0 linkify-it-py==2.1.0
"$folder/venv/bin/python" - <<'PYTHON'
from lxml.html import fromstring
from lxml_html_clean import autolink_html
from markdown_it import MarkdownIt

markdown = MarkdownIt("js-default", {"linkify": True}).enable("linkify")


def links(html):
    return [link.get("href") for link in fromstring(html).iter("a")]


site = "https://social.trestle.example"
seen = autolink_html(f"<p>Follow me: {site}/@anna</p>")
print(seen)
assert seen == f'<p>Follow me: <a href="{site}/">{site}/</a>@anna</p>'

for path, kept in [
    ("/get?via=anna+ben", "/get?via=anna"),
    ("/tour?at=10:30", "/tour?at=10"),
    ("/#/board/7", "/"),
    (":8443/get?via=anna", ""),
    ("?via=anna", ""),
    ("/get?via=anna-ben_c~d%20e", "/get?via=anna-ben_c~d%20e"),
]:
    text = f"<p>See {site}{path} now</p>"
    print(f"{site}{path}  ->  {links(autolink_html(text))}")
    assert links(autolink_html(text)) == [site + kept]
    assert links(markdown.render(f"See {site}{path} now")) == [site + path]

for host in ["example.com", "www.example.org"]:
    assert links(autolink_html(f"<p>See https://{host}/get now</p>")) == []
PYTHON
echo "still so: the link of a profile leads to the front page"
