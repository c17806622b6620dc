"""Takes pictures of the pages, as people see them: narrow as an iPhone, and wide; in the light and in the dark.

    python web/tests/browsers/screenshots.py                      those that the README shows, into web/screenshots
    python web/tests/browsers/screenshots.py FOLDER PAGE.html...  all of any pages
"""

import base64
import io
import sys
from pathlib import Path

from PIL import Image

from browser import IPHONE, chromium
from display import Display
from server import WEB, Server

SIZES = {"narrow": (390, 844, True), "wide": (1280, 800, False)}


def take(driver, address, size, scheme, scale=1):
    """A picture of what a window of a size shows of a page, as PNG, in the few colours that it has."""
    width, height, is_iphone = SIZES[size]
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": is_iphone})
    driver.execute_cdp_cmd("Emulation.setUserAgentOverride", {"userAgent": IPHONE if is_iphone else "Mozilla/5.0 (X11; Linux x86_64)"})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    driver.get(address)
    picture = base64.b64decode(driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"])
    small = io.BytesIO()
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(64, dither=0).save(small, "png", optimize=True)
    return small.getvalue()


ALL = [(size, scheme) for size in SIZES for scheme in ("light", "dark")]
README = {"example": [("wide", "light"), ("narrow", "dark")], "index": [("wide", "light")]}

# What a page shows in them: whoever sent people to the one, a campaign in the other.
ADDRESSES = {"index": "#app=1300230302&storefront=us&slug=trestle&pt=9&ct=spring-2027&referrer=spring-newsletter&param.pack=gold"
                      "&landing=https://example.com/get"}
NAMES = {"index": "builder"}


def main(folder=WEB / "screenshots", *pages):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    server, display = Server(), Display()
    # Under an address that is the same each time, since the page shows it as a code.
    driver = chromium(display.environment, None, f"--host-resolver-rules=MAP example.com 127.0.0.1:{server.port}")
    try:
        for page in map(Path, pages or [WEB / f"{name}.html" for name in README]):
            path = server.add(page.read_text(), path=f"/{page.stem}.html")
            for size, scheme in ALL if pages else README[page.stem]:
                driver.get("about:blank")  # since a fragment alone loads nothing anew
                picture = take(driver, f"http://example.com{path}{ADDRESSES.get(page.stem, '?via=anna')}", size, scheme)
                (folder / f"{NAMES.get(page.stem, page.stem)}-{size}-{scheme}.png").write_bytes(picture)
    finally:
        driver.quit()
        display.close()
        server.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
