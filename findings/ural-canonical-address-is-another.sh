#!/usr/bin/env bash
# ural's `canonicalize_url`, whose result "is guaranteed to still lead to the same place", makes a space of a plus sign in a value.
#
# Software:  ural 1.6.2 (PyPI), as the crawlers of minet use it; Werkzeug 3.1.8 as what a server reads.
# Behavior:  by default, the function undoes escapes in the path and the query, except some. `%2B` becomes `+`, which a server reads as a space;
#            `%25` becomes `%`, so that a second call undoes an escape more; `%2F` in a path becomes `/`. With `quoted=True`, it doesn't.
#            The port 443 is dropped after http:// as well, and 80 after https://.
# Seen:      https://trestle.example/get?via=anna%2Bben  ->  https://trestle.example/get?via=anna+ben, where a server reads "anna ben"
#            ?code=50%2525  ->  ?code=50%25  ->  ?code=50%
# Surprise:  `&`, `=` and `#` in values stay escaped, so a check with these shows nothing. The documentation describes this function as the
#            careful one of three, for crawlers, and the other two as those that may lose something.
# Hurts:     whoever collects or follows addresses with it: mail addresses with a tag (anna+news@…), times with a zone (10:00+02:00), keys in
#            base64 and referrers are others after it, and a page for two names is that of one. Each still answers with status 200.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -r "${folder:?}"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check ural==1.6.2 Werkzeug==3.1.8
"$folder/venv/bin/python" - <<'PYTHON'
from urllib.parse import urlsplit

from ural import canonicalize_url
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request

site = "https://trestle.example"


def items(url):
    parts = urlsplit(url)
    return Request(EnvironBuilder(parts.path, query_string=parts.query).get_environ()).args.to_dict()


for query, made, before, after in [
    ("via=anna%2Bben", "via=anna+ben", "anna+ben", "anna ben"),
    ("via=10:00%2B02:00", "via=10:00+02:00", "10:00+02:00", "10:00 02:00"),
    ("via=50%2525", "via=50%25", "50%25", "50%"),
    ("via=a%26b%3Dc%23d", "via=a%26b%3Dc%23d", "a&b=c#d", "a&b=c#d"),
]:
    url = f"{site}/get?{query}"
    seen = canonicalize_url(url)
    print(f"{url}  ->  {seen}: {items(url)['via']!r} is read as {items(seen)['via']!r}")
    assert (seen, items(url)["via"], items(seen)["via"]) == (f"{site}/get?{made}", before, after)
    assert items(canonicalize_url(url, quoted=True))["via"] == before

assert canonicalize_url(canonicalize_url(f"{site}/get?via=50%2525")) == f"{site}/get?via=50%"
assert canonicalize_url(f"{site}/for/anna%2Fben") == f"{site}/for/anna/ben"
assert canonicalize_url("http://trestle.example:443/get") == "http://trestle.example/get"
PYTHON
echo "still so: a plus sign in a value is a space after it"
