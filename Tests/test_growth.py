"""The command's work grows with its input, and not with the square of it, whoever wrote the input.

Each reader gets inputs of one kind that become eight times as long. Only the processors' own time counts, which hardly depends on
what else the machine does. The command is the one that REFERRAL_TOOL names.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOL = os.environ["REFERRAL_TOOL"]
APP = ["--app-id", "123456789"]
LINKS = ["links", *APP, "--at", "1790000000000"]
EACH = ["decode", "--each", *APP]
CATALOG = {"format": 1, "revision": 1}

# Eight times as much of it takes less than 24 times as long, and not 64 times: an exponent below 1.53.
FACTOR, BOUND = 8, 24
# What is too short to be compared, in seconds.
SHORT = 0.1
# Sizes for a line of a log, which isn't read if it has more than 256 KiB at last, and for many lines.
LINE, MANY = 24_576, 131_072


def marks(size):
    """A letter with marks that have to be put in order: Unicode's algorithm for that takes the square of their number."""
    return "a" + "\u0301\u0316" * (size // 4)


def plain(size):
    return "n" * size


def distinct(size, form="n{}"):
    """Many texts, each of them another."""
    return [form.format(number) for number in range(size // 16)]


def repeated(part):
    return lambda size: part * (size // len(part))


def row(name, value="x"):
    return json.dumps({"referrer": "anna", name: value}, ensure_ascii=False)


def catalog(**members):
    return json.dumps(CATALOG | members, ensure_ascii=False)


def item(**members):
    return {"id": "gold", "kind": "nonConsumable", "product": "com.example.gold", "grants": ["gold"]} | members


def request(target, agent="Mozilla/5.0 (iPhone)"):
    """A line of an access log."""
    return f'203.0.113.7 - - [01/Oct/2026:09:30:00 +0000] "GET {target} HTTP/1.1" 200 512 "-" "{agent}"\n'


def page(body):
    return f"<!doctype html><html><head><title>x</title></head><body>{body}</body></html>"


def association(*components, **members):
    details = [{"appIDs": ["ABCDE12345.com.example.app"], "components": list(components)}]
    return json.dumps({"applinks": {"details": details} | members}, ensure_ascii=False)


def property_list(keys):
    return f'<plist version="1.0"><dict>{"".join(f"<key>{key}</key><true/>" for key in keys)}</dict></plist>'


# The command, its arguments, and what standard input is at a size. In an argument, {file} is a file with that, and {text} is that
# itself: the system limits an argument to 128 KiB.
CASES = {}


def case(name, arguments, make, size=32_768):
    CASES[name] = (arguments, make, size)


for kind, text in {"marks": marks, "a plain text": plain, "quotes": repeated('""'), "references": repeated("&amp;")}.items():
    case(f"links: a column called {kind}", LINKS, lambda n, text=text: f'referrer,"{text(n)}"\nanna,x\n')
    case(f"links: a parameter called {kind}", LINKS, lambda n, text=text: f'referrer,"param.{text(n)}"\nanna,x\n')
    case(f"links: a referrer of {kind}", LINKS, lambda n, text=text: f'referrer\n"{text(n)}"\n')
    case(f"links: no referrer but {kind}", LINKS, lambda n, text=text: f'"{text(n)}"\nanna\n')
    case(f"links: a member called {kind}", [*LINKS, "--from", "jsonl"], lambda n, text=text: row(text(n)))
    case(f"links: a landing page's item {kind}", [*LINKS, "--from", "jsonl", "--landing", "https://example.com/"], lambda n, text=text: row("param.x", text(n)))
    case(f"decode: {kind}", ["decode", *APP], text)
    case(f"decode: an address with {kind}", ["decode", *APP], lambda n, text=text: f"https://apps.apple.com/app/id123456789?{text(n)}")
    case(f"decode: a landing page with {kind}", ["decode", *APP, "--landing", "https://example.com/get"], lambda n, text=text: f"https://example.com/get?via={text(n)}")
    case(f"decode --each: {kind}", EACH, text)
    case(f"catalog: a member called {kind}", ["catalog", "-"], lambda n, text=text: catalog(items=[item(**{text(n): 1})]))
    case(f"catalog: the kind {kind}", ["catalog", "-"], lambda n, text=text: catalog(items=[item(kind=text(n))]))
    case(f"catalog: the platform {kind}", ["catalog", "-"], lambda n, text=text: catalog(items=[item(platforms=[text(n)])]))
    case(f"catalog: the language {kind}", ["catalog", "-"], lambda n, text=text: catalog(items=[item(text={text(n): {"title": "x"}})]))
    case(f"check: an attribute called {kind}", ["check", "-"], lambda n, text=text: page(f"<a {text(n)}=x href=/>x</a>"))
    case(f"check: an attribute's value {kind}", ["check", "-", *APP], lambda n, text=text: page(f"<a data-referrer='{text(n)}' href='https://apps.apple.com/app/id123456789'>x</a>"))
    case(f"check: an element called {kind}", ["check", "-"], lambda n, text=text: page(f"<a{text(n)}>x"))
    case(f"check: a policy with {kind}", ["check", "-"], lambda n, text=text: f"<!doctype html><meta http-equiv=content-security-policy content='{text(n)}'><script>x</script>")
    case(f"check: a pattern of {kind}", ["check", "-"], lambda n, text=text: association({"/": text(n)}))
    case(f"check: a component's member {kind}", ["check", "-"], lambda n, text=text: association({text(n): "x"}))
    case(f"check: a property list with {kind}", ["check", "-", "--info-plist", "{file}"], lambda n, text=text: property_list([text(n)]))
    case(f"report: a log of {kind}", ["report", "--log", "-"], text, LINE)
    case(f"report: a referrer of {kind}", ["report", "--log", "-", "--html", "-"], lambda n, text=text: request(f"/get?via={text(n)}"), LINE)
    case(f"report: a query of {kind}", ["report", "--log", "-"], lambda n, text=text: request(f"/get?{text(n)}"), LINE)
    case(f"report: a user agent of {kind}", ["report", "--log", "-"], lambda n, text=text: request("/get?via=anna", text(n)), LINE)
    case(f"report: an event called {kind}", ["report", "--counts", "-"], lambda n, text=text: json.dumps({"version": 1, "rows": [{"day": "2026-10-01", "event": text(n)}]}))
    case(f"report: a link of {kind}", ["report", "--links", "-"], lambda n, text=text: f'referrer,link\n"{text(n)}",x\n')

case("report: many referrers", ["report", "--log", "-", "--html", "-"], lambda n: "".join(request(f"/get?via={name}") for name in distinct(n)), MANY)
case("report: many visits", ["report", "--log", "-", "--json", "-"], lambda n: "".join(request("/get?via=anna", name) for name in distinct(n)), MANY)
case("report: many user agents", ["report", "--log", "-"], lambda n: "".join(request("/get?via=anna", name + "bot") for name in distinct(n)), MANY)
case("report: many items", ["report", "--log", "-"], lambda n: request("/get?" + "&".join(distinct(n, "via=n{}"))), LINE)
case("report: backslashes", ["report", "--log", "-"], lambda n: request("/get?via=anna", "\\" * n), LINE)
case("report: brackets", ["report", "--log", "-"], lambda n: "[1" * (n // 2) + ' "GET /get?via=anna HTTP/1.1" 200', LINE)
case("report: quotation marks", ["report", "--log", "-"], lambda n: request("/get?via=anna", "x\" \"" * (n // 4)), LINE)
case("report: fields", ["report", "--log", "-"], lambda n: "#Fields: " + " ".join(distinct(n)) + "\n" + "2026-" + "\t" * n, LINE)
case("report: members of a line", ["report", "--log", "-"], lambda n: json.dumps(dict.fromkeys(distinct(n), 1)), LINE)
case("report: headers", ["report", "--log", "-"], lambda n: json.dumps({"request": {"headers": dict.fromkeys(distinct(n), ["x"])}, "status": 200}), LINE)
case("report: events", ["report", "--counts", "-"], lambda n: json.dumps({"version": 1, "rows": [{"day": "2026-10-01", "event": name} for name in distinct(n // 4)]}), MANY)
case("report: people", ["report", "--links", "-"], lambda n: "\n".join(["referrer,link,name", *distinct(n, "n{0},x,n{0}")]), MANY)
case("links: many columns", LINKS, lambda n: f"referrer,{','.join(distinct(n))}\nanna{',' * len(distinct(n))}\n")
case("links: many parameters", LINKS, lambda n: f"referrer,{','.join(distinct(n, 'param.n{}'))}\nanna{',' * len(distinct(n))}\n")
case("links: many members", [*LINKS, "--from", "jsonl"], lambda n: json.dumps({"referrer": "anna"} | dict.fromkeys(distinct(n), "x")))
case("links: rows with other members", [*LINKS, "--from", "jsonl"], lambda n: "\n".join(map(row, distinct(n))))
case("links: many rows", LINKS, lambda n: "\n".join(["referrer", *distinct(n)]))
case("links: rows that differ by letter case", LINKS, lambda n: "referrer\n" + "anna\nAnna\n" * (n // 10))
case("links: quoted line ends", LINKS, lambda n: 'referrer,x\n"a","' + "\n" * n + '"\n')
case("links: bad rows", LINKS, lambda n: "referrer\n" + "a,b\n" * (n // 4))
case("links --sheet: codes", [*LINKS, "--landing", "https://example.com/", "--sheet", "{file}.html"], lambda n: "\n".join(["referrer", *distinct(n // 64)]))
case("decode: addresses", ["decode", *APP], repeated("https://apps.apple.com/app/id123456789?ed=e30 "))
case("decode: beginnings of addresses", ["decode", *APP], repeated("https://"))
case("decode: items", ["decode", *APP], lambda n: "https://apps.apple.com/app/id123456789?" + "ed=e30&" * (n // 7))
case("decode: base64", ["decode", *APP], lambda n: "https://apps.apple.com/app/id123456789?ed=" + "QUFB" * (n // 4))
case("decode: percent signs", ["decode", *APP], lambda n: "https://apps.apple.com/app/id123456789?ed=" + "%25" * (n // 3))
case("decode --explain: lines", ["decode", *APP, "--explain"], repeated("https://example.com/?ed=e30\n"))
case("decode --play", ["decode", "--play"], repeated("ed=e30&"))
case("catalog: many items", ["catalog", "-"], lambda n: catalog(items=[item(id=name, product=name) for name in distinct(n // 8)]))
case("catalog: many wrong items", ["catalog", "-"], lambda n: catalog(items=[item(kind=name) for name in distinct(n // 8)]))
case("catalog: many members", ["catalog", "-"], lambda n: catalog(items=[item(**dict.fromkeys(distinct(n), 1))]))
case("catalog: many unlocks", ["catalog", "-"], lambda n: catalog(items=[item(grants=distinct(n))]))
case("catalog: many languages", ["catalog", "-"], lambda n: catalog(items=[item(text={name: {"title": "x"} for name in distinct(n // 2)})]))
case("catalog: many rewards", ["catalog", "-"], lambda n: catalog(items=[], rewards=[{"id": name, "for": "referred", "parameter": name, "grants": [name]} for name in distinct(n // 8)]))
case("catalog: many sections", ["catalog", "-"], lambda n: catalog(items=[item()], sections=[{"items": [name]} for name in distinct(n // 8)]))
case("check: links", ["check", "-", *APP], lambda n: page("<a href='https://apps.apple.com/app/id1?ed=1'>x</a>" * (n // 48)))
case("check: attributes", ["check", "-"], lambda n: page(f"<a {' '.join(distinct(n))}>x</a>"))
case("check: beginnings of tags", ["check", "-"], lambda n: page("<a " * (n // 3)))
case("check: beginnings of comments", ["check", "-"], lambda n: page("<!--" * (n // 4)))
case("check: open elements", ["check", "-"], lambda n: page("<div>" * (n // 5)))
case("check: closed elements", ["check", "-"], lambda n: page("<svg></a>" * (n // 9)))
case("check: scripts", ["check", "-"], lambda n: page("<script><!--<script>" * (n // 20)))
case("check: components", ["check", "-"], lambda n: association(*({"/": f"/{name}/*"} for name in distinct(n // 5))))
case("check: stars", ["check", "-"], lambda n: association({"/": "*a" * (n // 5)}))
case("check: members of components", ["check", "-"], lambda n: association(*({name: "x"} for name in distinct(n // 5))))
case("check: entries", ["check", "-"], lambda n: json.dumps({"applinks": {"details": [{"appID": name, "paths": ["*"]} for name in distinct(n // 5)]}}))
case("check: a property list", ["check", "-", "--info-plist", "{file}"], lambda n: property_list(distinct(n)))
for kind, text in {"marks": marks, "a plain text": plain}.items():
    case(f"link: a referrer of {kind}", ["link", *APP, "--referrer", "{text}"], text)
    case(f"link: a parameter of {kind}", ["link", *APP, "--referrer", "anna", "--param", "x={text}"], text)
    case(f"link: a page {kind}", ["link", "--page", "https://apps.apple.com/app/id1?{text}", "--referrer", "anna"], text)
    case(f"page: the name {kind}", ["page", *APP, "--name", "{text}", "--referrer", "anna"], text)
    case(f"page: the options {kind}", ["page", *APP, "--name", "Trestle", "--count-to", "{text}"], text)
    case(f"page: the address {kind}", ["page", *APP, "--name", "Trestle", "--image", "{text}"], text)
    case(f"the command {kind}", ["{text}"], text)
    case(f"an option {kind}", ["page", "--{text}"], text)
    case(f"catalog: the platform's option {kind}", ["catalog", "-", "--app-version", "1", "--platform", "{text}"], text)
    case(f"links: the format's option {kind}", [*LINKS, "--from", "{text}"], text)
    case(f"page: a sentence of {kind}", ["page", *APP, "--name", "Trestle", "--referrer", "anna", "--text", "button={text}"], text)
    case(f"site: a path of {kind}", ["site", *APP, "--team", "ABCDE12345", "--bundle", "com.example.app", "--domain", "example.com", "--path", "/{text}"], text)


def usage(arguments, text, folder, command=(TOOL,)):
    """What the command takes of the processors and of memory."""
    file = folder / "input"
    file.write_text(text, encoding="utf-8")
    arguments = [argument.replace("{file}", str(file)).replace("{text}", text) for argument in arguments]
    with open(file, "rb") as source:
        process = subprocess.Popen([*command, *arguments], stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 1, 64, 65), process.returncode
    return used


def time(*arguments):
    """The processors' time that the command takes, in seconds."""
    used = usage(*arguments)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("name", CASES)
def test_work_grows_with_its_input(name, tmp_path):
    arguments, make, size = CASES[name]
    if any("{text}" in argument for argument in arguments):
        size = 12_288
    small, large = make(size), make(size * FACTOR)
    took = time(arguments, large, tmp_path)
    if took < SHORT:
        return
    start = time(["--version"], "", tmp_path)
    least = min(time(arguments, small, tmp_path) for _ in range(3))
    assert took - start < BOUND * max(least - start, SHORT / FACTOR), f"{least - start:.3f} s, then {took - start:.3f} s"


def test_work_that_grows_faster_is_noticed(tmp_path):
    program = "import sys; n = len(sys.stdin.read()); sum(1 for i in range(n) for j in range(n))"

    def least(size):
        return min(time(["-c", program], "x" * size, tmp_path, ["python3"]) for _ in range(3))

    start = least(0)
    assert least(1_200 * FACTOR) - start > BOUND * (least(1_200) - start)


MEGABYTE = 1 << 20
LONG_NAMES = {
    "of a member": ([*LINKS, "--from", "jsonl"], row),
    "of a column": ([*LINKS, "--from", "csv"], lambda name: f"referrer,{name}\nanna,x\n"),
    "of a referrer": ([*LINKS, "--from", "csv"], lambda name: f"referrer\n{name}\n"),
    "of an item": (["catalog", "-"], lambda name: catalog(items=[item(id=name)])),
    "of a kind": (["catalog", "-"], lambda name: catalog(items=[item(kind=name)])),
    "of an unknown member": (["catalog", "-"], lambda name: catalog(items=[item(**{name: 1})])),
}


@pytest.mark.parametrize("kind", LONG_NAMES)
def test_a_long_name_takes_little_memory(kind, tmp_path):
    arguments, make = LONG_NAMES[kind]
    short, long = (usage(arguments, make(plain(size)), tmp_path).ru_maxrss * 1_024 for size in [1, MEGABYTE])
    assert long - short < 8 * MEGABYTE
