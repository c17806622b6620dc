"""What the tests of the builder, `web/index.html`, do in a browser."""

import subprocess
from itertools import count

from browser import TOOL
from display import PATIENCE
from sessions import DESKTOP, EACH_KIND, IPHONE, runs_in

# The builder doesn't ask which device it is on, so each browser is enough once. Only Chromium's driver tells the console, and has a
# dark theme and print.
in_one_browser = runs_in(IPHONE, long=EACH_KIND)
in_chromium = runs_in(DESKTOP, long=EACH_KIND)
in_each_browser = runs_in(*EACH_KIND, long=EACH_KIND)

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
window.goTo = fragment => {
  history.replaceState(null, '', fragment.replace(/^#?/, '#'));
  dispatchEvent(new HashChangeEvent('hashchange'));
};
window.injected = null;
"""

visits = count()


def visit(browser, fragment="", origin=None):
    """Loads the page."""
    browser.console()
    # With another query each time, since another fragment alone loads nothing.
    query = f"?{next(visits)}"
    browser.visit(PAGE + query + fragment, origin)
    # Firefox's driver doesn't wait for a page with the same fragment as the last one.
    browser.wait_for(f"location.search == '{query}' && document.readyState == 'complete'", "the page")
    browser.run(HELP)


def go_to(browser, fragment):
    """Opens another fragment on the page, which restores it as after loading."""
    browser.run("goTo(arguments[0])", fragment)


def fill(browser, **values):
    browser.run("fill(arguments[0])", {name.replace("_", "-"): value for name, value in values.items()})


def text(browser, name):
    return browser.run("return document.getElementById(arguments[0]).textContent", name)


def fragment(browser):
    """The page's fragment."""
    return browser.run("return location.hash")


def tool(*arguments, table=None):
    answer = subprocess.run([TOOL, *arguments], input=table, capture_output=True, timeout=PATIENCE)
    assert answer.returncode in (0, 65), answer.stderr
    return answer.stdout


def saved(browser, button):
    """The name and the content of a downloaded file."""
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
