"""The job of `referral-tool decode --each` in plain Python: decode.py APP-ID NOW <links.txt >verdicts.jsonl"""

import json
import sys
from base64 import urlsafe_b64decode
from urllib.parse import parse_qs, urlsplit

HOSTS = {"apps.apple.com", "itunes.apple.com"}
WINDOW = 300_000
TOLERANCE = 30_000

app_id, now = sys.argv[1:]
app = f"id{app_id}"
now = int(now)
# Once: `json.dumps` with options makes an encoder for each call.
encode_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def judge(line):
    """A link's verdict, referrer, timestamp and parameters."""
    try:
        address = urlsplit(line.strip())
        host = address.hostname
    except ValueError:
        host = None
    if host not in HOSTS:
        return "notALink", None, None, None
    if address.path.rpartition("/")[2] != app:
        return "wrongApp", None, None, None
    ed = parse_qs(address.query).get("ed")
    if not ed:
        return "noPayload", None, None, None
    try:
        payload = json.loads(urlsafe_b64decode(ed[-1] + "=" * (-len(ed[-1]) % 4)).decode())
        timestamp = payload.pop("timestamp")
        referrer = payload.pop("referrer")
        if not referrer or not isinstance(referrer, str) or not isinstance(timestamp, (int, float)):
            raise ValueError
    except (ValueError, KeyError, AttributeError):
        return "malformedPayload", None, None, None
    parameters = {name: value for name, value in sorted(payload.items()) if isinstance(value, str)}
    if timestamp > now + TOLERANCE:
        verdict = "fromTheFuture"
    elif timestamp <= now - WINDOW:
        verdict = "expired"
    else:
        verdict = "found"
    return verdict, referrer, timestamp, parameters


def result(line):
    verdict, referrer, timestamp, parameters = judge(line)
    values = {"verdict": verdict, "referrer": referrer, "timestamp": timestamp, "parameters": parameters}
    return encode_json(values) + "\n"


sys.stdin.reconfigure(encoding="utf-8")
sys.stdout.reconfigure(encoding="utf-8", newline="")
sys.stdout.writelines(map(result, sys.stdin))
