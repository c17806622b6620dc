"""The job of `referral-tool links` in plain Python: links.py PAGE PT TIMESTAMP [by-hand] <in.csv >out.csv"""

import csv
import json
import sys
from base64 import urlsafe_b64encode
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

page, provider_token, timestamp, *way = sys.argv[1:]
timestamp = int(timestamp)
address = urlsplit(page)
items = [*parse_qsl(address.query), ("pt", provider_token)]
start = address._replace(query=urlencode(items), fragment="").geturl() + "&ct="
end = "#" + address.fragment if address.fragment else ""
# Once: `json.dumps` with options makes an encoder for each call.
encode_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def encoded_data(referrer):
    payload = encode_json({"timestamp": timestamp, "referrer": referrer})
    return urlsafe_b64encode(payload.encode()).rstrip(b"=").decode()


def link_by_url(referrer, campaign_token):
    """As one writes it first."""
    query = urlencode([*items, ("ct", campaign_token), ("ed", encoded_data(referrer))])
    return address._replace(query=query).geturl()


def link_by_hand(referrer, campaign_token):
    """As one writes it when that is too slow."""
    return f"{start}{quote(campaign_token, safe='')}&ed={encoded_data(referrer)}{end}"


link = link_by_hand if way == ["by-hand"] else link_by_url

sys.stdin.reconfigure(encoding="utf-8", newline="")
sys.stdout.reconfigure(encoding="utf-8", newline="")
rows = csv.reader(sys.stdin)
header = next(rows)
referrer, campaign_token = header.index("referrer"), header.index("ct")
output = csv.writer(sys.stdout, lineterminator="\n")
output.writerow([*header, "link"])
output.writerows([*row, link(row[referrer], row[campaign_token])] for row in rows)
