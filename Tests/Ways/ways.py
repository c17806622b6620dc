"""Lets programs process addresses, and prints who counts: see README.md. Called by `run`, which has installed them."""

import base64
import html
import io
import json
import os
import random
import re
import string
import subprocess
import sys
import textwrap
from html.parser import HTMLParser
from pathlib import Path

from addresses import PAGE, TOOL, Kind, written

FOLDER, DEBIAN = Path(sys.argv[1]), os.environ["DEBIAN"]
SIGNS = [".", ",", ";", ":", "!", "?", "'", '"', ")", "]", "}", ">", "*", "…", "。", "、", "！", "）", "”", "’", "»", "です"]
COLUMNS = ["right", "wrong", "rejected", "not linked"]


def output(*command, text="", **environment):
    return subprocess.run(command, input=text.encode(), capture_output=True, env={**os.environ, **environment}, check=True).stdout.decode()


def linkers():
    """Programs that make links of the addresses in a text, by their names."""
    import bbcode
    import bleach
    import creole
    import django.conf
    import jinja2
    import markdown
    import marko
    import mistune
    import pypandoc
    from django.utils.html import urlize
    from docutils.core import publish_parts
    from markdown_it import MarkdownIt

    if not django.conf.settings.configured:
        django.conf.settings.configure()
    ruby = f"{DEBIAN}/lib/ruby/vendor_ruby:{DEBIAN}/lib/x86_64-linux-gnu/ruby/3.1.0:{DEBIAN}/lib/ruby/3.1.0"
    [asciidoctor] = Path(DEBIAN).glob("share/rubygems-integration/all/gems/asciidoctor-*/lib")

    def txt2tags(text):
        # Its first three lines are a title.
        file = FOLDER / "text.t2t"
        file.write_text(f"\n\n\n{text}")
        return output(Path(sys.executable).with_name("txt2tags"), "-t", "html", "-H", "-o", "-", file)

    programs = {
        "asciidoctor": lambda text: output("ruby3.1", "--disable-gems", "-I", asciidoctor, "-e",
                                           'require "asciidoctor"; puts Asciidoctor.convert($stdin.read, safe: :safe)', text=text,
                                           RUBYLIB=ruby, LANG="C.UTF-8"),
        "bbcode": lambda text: bbcode.render_html(text),
        "bleach": lambda text: bleach.linkify(html.escape(text)),
        "cmark-gfm": lambda text: output("cmark-gfm", "-e", "autolink", text=text),
        "discount": lambda text: output("markdown", "-f", "autolink", text=text),
        "Django": lambda text: urlize(text, autoescape=True),
        "docutils": lambda text: publish_parts(text, writer="html5", settings_overrides={"report_level": 5})["body"],
        "Jinja2": lambda text: jinja2.Environment(autoescape=True).from_string("{{ text | urlize }}").render(text=text),
        "lowdown": lambda text: output("lowdown", "-Thtml", "--parse-no-metadata", text=text),
        "markdown-it-py": lambda text: MarkdownIt("gfm-like").render(text),
        "marko": lambda text: marko.Markdown(extensions=["gfm"]).convert(text),
        "mdx_linkify": lambda text: markdown.markdown(text, extensions=["mdx_linkify"]),
        "mistune": lambda text: mistune.create_markdown(plugins=["url"])(text),
        "pymdown magiclink": lambda text: markdown.markdown(text, extensions=["pymdownx.magiclink"]),
        "python-creole": lambda text: creole.creole2html(text),
        "txt2tags": txt2tags,
    }
    for reader in ["gfm", "rst", "mediawiki", "org", "jira", "vimwiki", "creole"]:
        programs[f"pandoc {reader}"] = lambda text, reader=reader: pypandoc.convert_text(text, "html", format=reader, extra_args=["--wrap=none", "--quiet"])
    return programs


class Paragraphs(HTMLParser):
    """The first link and the text of each paragraph, which begins with `Item` and its number."""

    def __init__(self, page):
        super().__init__()
        self.links, self.texts, self.number = {}, {}, None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        address = dict(attributes).get("href") or ""
        if tag == "a" and address.startswith("http"):
            self.links.setdefault(self.number, address)

    def handle_data(self, data):
        for part in re.split(r"(?=\bItem \d+:)", data):
            if begin := re.match(r"Item (\d+):", part):
                self.number = int(begin[1])
            self.texts[self.number] = self.texts.get(self.number, "") + part


def linked(kind, program, after):
    """The verdicts on the links that a program makes, and on the texts that it shows, if somebody pastes them."""
    page = program("Links\n\n" + "".join(f"Item {number}: {address}{after}\n\n" for number, address in enumerate(kind.addresses)))
    found = Paragraphs(page)
    numbers = range(len(kind.addresses))
    verdicts = {"tapped": kind.opened([found.links.get(number) for number in numbers])}
    # In a text, only the paste button reads a store link, and the command has none.
    if PAGE in kind.addresses[0]:
        verdicts["pasted"] = kind.pasted([" ".join(found.texts.get(number, "").split()) for number in numbers])
    return verdicts


def behind(program, kind):
    """How many of the signs behind an address are left out of the link, or at least of the referrer: without and with a fragment."""
    name = "Anna Lefèvre"
    address = kind.addresses[kind.names.index(name)]
    counts = []
    for ending in ["", "#go"]:
        page = program("Links\n\n" + "".join(f"Item {number}: {address}{ending}{sign} now\n\n" for number, sign in enumerate(SIGNS)))
        found = Paragraphs(page).links
        verdicts = kind.opened([found.get(number) for number in range(len(SIGNS))])
        counts.append(sum(verdict is not None and verdict["referrer"] == name for verdict in verdicts))
    return counts


def wrappers():
    """Programs that make text of a link whose text is its address."""
    import html2text
    import pypdfium2
    from reportlab.pdfgen import canvas

    def as_html(address):
        return f'<p>Play with me: <a href="{html.escape(address)}">{html.escape(address)}</a> until Sunday.</p>'

    def protected(address):
        converter = html2text.HTML2Text()
        converter.protect_links = True
        return converter.handle(as_html(address))

    def pdf(address):
        file = io.BytesIO()
        page = canvas.Canvas(file, pagesize=(700, 400))
        for number, line in enumerate(textwrap.wrap(f"Play with me: {address} until Sunday.", 60, break_long_words=False)):
            page.drawString(20, 380 - 14 * number, line)
        page.save()
        return pypdfium2.PdfDocument(file.getvalue())[0].get_textpage().get_text_range().replace("\r\n", "\n")

    return {
        "html2text": lambda address: html2text.html2text(as_html(address)),
        "html2text, protect_links": protected,
        "PDFium, of lines that break at hyphens": pdf,
        "Python's textwrap": lambda address: textwrap.fill(f"Play with me: {address} until Sunday.", 70),
        "w3m -dump": lambda address: output("w3m", "-dump", "-cols", "72", "-T", "text/html", "-I", "UTF-8", "-O", "UTF-8", text=as_html(address)),
        "HTML source": lambda address: html.escape(address),
        "quoted-printable, one line": lambda address: address.replace("=", "=3D"),
    }


def rewriters():
    """Libraries that rewrite addresses."""
    import courlan
    import furl
    import httpx
    import hyperlink
    import unalix
    import url_normalize
    import w3lib.url
    import yarl

    def node(script):
        def run(addresses):
            code = f'for (const line of require("fs").readFileSync(0, "utf8").split("\\n")) {{ const url = new URL(line); {script}; console.log(url.href) }}'
            return output("node", "-e", code, text="\n".join(addresses)).splitlines()
        return run

    def each(function):
        return lambda addresses: [function(address) for address in addresses]

    return {
        "courlan clean_url": each(courlan.clean_url),
        "courlan check_url": each(lambda address: (courlan.check_url(address) or [None])[0]),
        "furl": each(lambda address: furl.furl(address).url),
        "furl add": each(lambda address: furl.furl(address).add({"utm_source": "mail"}).url),
        "httpx": each(lambda address: str(httpx.URL(address))),
        "httpx copy_add_param": each(lambda address: str(httpx.URL(address).copy_add_param("utm_source", "mail"))),
        "httpx params=": each(lambda address: str(httpx.Request("GET", address, params={"utm_source": "mail"}).url)),
        "hyperlink": each(lambda address: hyperlink.URL.from_text(address).normalize().to_text()),
        "hyperlink DecodedURL": each(lambda address: hyperlink.DecodedURL.from_text(address).normalize().to_uri().to_text()),
        "Unalix": each(unalix.clear_url),
        "url-normalize": each(url_normalize.url_normalize),
        "w3lib canonicalize_url": each(w3lib.url.canonicalize_url),
        "w3lib safe_url_string": each(w3lib.url.safe_url_string),
        "yarl": each(lambda address: str(yarl.URL(address))),
        "yarl update_query": each(lambda address: str(yarl.URL(address).update_query(utm_source="mail"))),
        "URL of JavaScript": node(""),
        "URLSearchParams": node('url.searchParams.append("utm_source", "mail")'),
    }


def scanned(addresses):
    """What programs read from QR codes that others draw, by their names."""
    import cv2
    import numpy
    import PIL.Image
    import qrcode
    import segno
    import zxingcpp

    image = FOLDER / "code.png"

    def picture():
        return PIL.Image.open(image).convert("RGBA").convert("L")

    writers = {
        "qrencode": lambda address: output("qrencode", "-s", "6", "-o", image, text=address),
        "python-qrcode": lambda address: qrcode.make(address).save(image),
        "segno": lambda address: segno.make(address, micro=False).save(str(image), scale=6, border=4),
        "zint": lambda address: output("zint", "-b", "58", "--scale=3", "--quietzones", "-o", image, "-d", address),
    }
    readers = {
        "zbar": lambda: output("zbarimg", "--quiet", "--raw", image).rstrip("\n"),
        "OpenCV": lambda: cv2.QRCodeDetector().detectAndDecode(numpy.array(picture()))[0],
        "ZXing": lambda: next((found.text for found in zxingcpp.read_barcodes(picture())), ""),
    }
    found = {f"{writer}, read by {reader}": [] for writer in writers for reader in readers}
    for writer, write in writers.items():
        for address in addresses:
            write(address)
            for reader, read in readers.items():
                found[f"{writer}, read by {reader}"].append(" ".join(read().split("\n")))
    return found


def decoder_of_the_post():
    """How many of 300 store links the decoder of the blog post of 2019 reads, as it is and as *The wire format* changes it."""
    chance = random.Random(64)
    print("\n## Store links, read by the decoder of the blog post\n\n| names | as it is | changed |\n| --- | ---: | ---: |")
    for title, letters in [("of ASCII letters", string.ascii_lowercase), ("of letters beyond ASCII", "éüßñøяжλσあ李")]:
        given = ["".join(chance.choices(letters, k=chance.randint(3, 30))) for _ in range(300)]
        items = [address.split("&ed=")[1] for address in written(given, "--app-id", "1300230302", "--ct", "post", "--pt", "9")]

        def read(change):
            found = 0
            for name, item in zip(given, items, strict=True):
                try:
                    found += json.loads(base64.b64decode(change(item), validate=True))["referrer"] == name
                except ValueError:
                    continue
            return found

        def changed(item):
            return item.replace("-", "+").replace("_", "/") + "=" * (-len(item) % 4)

        print(f"| {title} | {read(str)} | {read(changed)} |")


def table(title, kind, rows):
    """Prints who counts: `rows` have the verdicts of each program, one list for each place where an address is read."""
    places = list(next(iter(rows.values())))
    columns = [(place, column) for place in places for column in COLUMNS if column != "not linked" or place == "tapped"]
    print(f"\n## {kind.title}, {title}\n\n| | " + " | ".join(f"{place}: {column}" for place, column in columns) + " |")
    print("| --- |" + " ---: |" * len(columns))
    for name, verdicts in rows.items():
        counted = {place: kind.count(verdicts[place]) for place in places}
        print(f"| {name} | " + " | ".join(str(counted[place][column]) for place, column in columns) + " |", flush=True)


def main():
    chosen = sys.argv[2:] or ["linkers", "signs", "wrappers", "rewriters", "codes", "post"]
    key = FOLDER / "key.pem"
    public = output(TOOL, "key", "--out", key).split()[-1]
    app, page = ["--app-id", "1300230302", "--window", "none"], ["--landing", PAGE]
    store = Kind("store link", ["--app-id", "1300230302", "--slug", "trestle", "--at", "1795224750690"], app)
    landing = Kind("landing address", page, [*app, *page])
    signed = Kind("signed landing address", [*page, "--app-id", "1300230302", "--sign", key, "--until", "2099-01-01T00:00:00Z"],
                  [*app, *page, "--signer", public], {"param.pack": "gold-2026_a.b-"})
    kinds = [store, landing, signed]
    if "linkers" in chosen:
        programs = linkers()
        for kind in kinds:
            for after in [" now", "."]:
                table(f"before `{after}`", kind, {name: linked(kind, program, after) for name, program in programs.items()})
    if "signs" in chosen:
        print(f"\n## {landing.title}, directly before one of {len(SIGNS)} signs: the referrer is right\n\n| | | with `#go` |\n| --- | ---: | ---: |")
        for name, program in linkers().items():
            print(f"| {name} | " + " | ".join(map(str, behind(program, landing))) + " |")
    if "wrappers" in chosen:
        for kind in [landing, signed]:
            table("as text", kind, {name: {"pasted": kind.pasted(map(program, kind.addresses))} for name, program in wrappers().items()})
    if "rewriters" in chosen:
        for kind in kinds:
            table("rewritten", kind, {name: {"opened": kind.opened(program(kind.addresses))} for name, program in rewriters().items()})
    if "codes" in chosen:
        beyond = "https://xn--bcher-kva.example/hören"
        kind = Kind(f"landing address of {beyond}", ["--landing", beyond], [*app, "--landing", beyond])
        table("as a QR code", kind, {name: {"scanned": kind.opened(texts)} for name, texts in scanned(kind.addresses).items()})
    if "post" in chosen:
        decoder_of_the_post()


main()
