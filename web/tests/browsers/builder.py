"""What the tests of the builder, `web/index.html`, do in a browser."""

import subprocess

import pytest

from browser import KINDS, TOOL

# The builder doesn't ask which device it is on, so each browser is enough once.
each_browser_once = pytest.mark.parametrize("session", [f"{kind}-as-it-is" for kind in KINDS], indirect=True, scope="session")

APP = "1300230302"
AT = 1795224750690
PAGE = "/index.html"

HELP = """
window.fill = values => {
  for (const [name, value] of Object.entries(values)) {
    const field = document.getElementById(name);
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
};
window.injected = null;
"""


def visit(browser, fragment="", address=None):
    browser.console()
    browser.driver.get("about:blank")
    if address:
        browser.driver.get(address + fragment)
    else:
        browser.visit(PAGE + fragment)
    browser.run(HELP)


def fill(browser, **values):
    browser.run("fill(arguments[0])", {name.replace("_", "-"): value for name, value in values.items()})


def text(browser, name):
    return browser.run("return document.getElementById(arguments[0]).textContent", name)


def fragment(browser):
    """The page's fragment."""
    return browser.run("return location.hash")


def tool(*arguments, table=None):
    answer = subprocess.run([TOOL, *arguments], input=table, capture_output=True, timeout=20)
    assert answer.returncode in (0, 65), answer.stderr
    return answer.stdout


def saved(browser, button):
    """The name and the content of a downloaded file."""
    browser.driver.set_script_timeout(15)
    name, content = browser.driver.execute_async_script("""
        const [button, done] = arguments;
        const make = URL.createObjectURL;
        const click = HTMLAnchorElement.prototype.click;
        let blob;
        URL.createObjectURL = given => { blob = given; return 'blob:test'; };
        HTMLAnchorElement.prototype.click = async function () {
          URL.createObjectURL = make;
          HTMLAnchorElement.prototype.click = click;
          const bytes = new Uint8Array(await blob.arrayBuffer());
          done([this.download, Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')]);
        };
        document.getElementById(button).click();""", button)
    return name, bytes.fromhex(content)
