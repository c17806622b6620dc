#!/usr/bin/env bash
# courlan 1.4.0 drops the item that tells pages apart, if its name begins like that of a tracker.
#
# Software:  courlan 1.4.0 (PyPI), which cleans and compares the addresses that a crawler finds; trafilatura uses it.
# Behavior:  `clean_url` removes items that trackers add. Its list has names such as `ref`, `gl` and `source`, and where a name ends isn't
#            compared: `reference`, `refund`, `reform`, `globe` and `glossary` go as well. `number`, `article` and `id` stay.
# Seen:      https://example.com/law?reform=12  ->  https://example.com/law
#            https://example.com/law?number=12  ->  https://example.com/law?number=12
# Surprise:  the sources that the code names for its list, ClearURLs' rules among them, have whole names: `ref` is one, `reference` isn't.
#            Unalix 0.9, which has these rules, drops `ref` and keeps `reference`.
# Hurts:     whoever collects texts from a site whose pages have such an item: a thousand pages are one address, so one is loaded and the
#            others count as known. Nothing is reported.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -r "${folder:?}"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check courlan==1.4.0 Unalix==0.9
"$folder/venv/bin/python" - <<'PYTHON'
import courlan
import unalix


def dropped(clean, names):
    return [name for name in names if "?" not in clean(f"https://example.com/law?{name}=12")]


names = ["article", "glossary", "globe", "id", "number", "ref", "reference", "reform", "refund"]
print(courlan.clean_url("https://example.com/law?reform=12"), courlan.clean_url("https://example.com/law?number=12"))
print("dropped:", *dropped(courlan.clean_url, names))
assert dropped(courlan.clean_url, names) == ["glossary", "globe", "ref", "reference", "reform", "refund"]
assert dropped(unalix.clear_url, names) == ["ref"]
pages = courlan.UrlStore()
pages.add_urls([courlan.clean_url(f"https://example.com/law?reform={number}") for number in range(1000)])
assert pages.total_url_number() == 1, pages.total_url_number()
PYTHON
echo "still so: a thousand pages are one address"
