"""A referral's whole way, from a tap in a browser over a real clipboard to an app's delegate."""

import re
import subprocess

from server import WEB
from sessions import DESKTOP, IPHONE, runs_in


def test_a_tap_reaches_the_delegate_once(browser, app, tmp_path):
    store = "https://apps.apple.com/us/app/trestle/id1300230302"
    browser.open(browser.link(href=store, data_referral_pack="gold")
                 + "<script>addEventListener('click', event => event.preventDefault())</script>")
    browser.tap()
    link = browser.copied()
    assert link.startswith(store + "?ed=")

    def launch():
        return subprocess.run([app, tmp_path / "ledger"], env=browser.display.environment, capture_output=True,
                              text=True, timeout=20, check=True).stdout.splitlines()

    assert launch() == ["sent by spring", "with pack=gold", "A referral was found and reported."]
    told_again = [line for line in launch() if not line.startswith("No referral for this app")]
    assert told_again == []


@runs_in(IPHONE, DESKTOP)
def test_the_readme_s_page_works_when_it_is_pasted(browser):
    [block] = re.findall(r"^```html\n(.*?)^```$", (WEB.parent / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert 'src="referral-bridge.js" defer' in block
    page = block.replace('src="', 'src="/') + "<script>addEventListener('click', event => event.preventDefault())</script>"
    browser.open(page, head="")
    browser.run("document.querySelector('a').id = 'link'")
    browser.tap()
    if browser.is_iphone:
        referral = browser.referral()
        assert (referral["referrer"], referral["parameters"]) == ("spring-newsletter", {})
    else:
        browser.wait_for("window.ReferralBridge", "the snippet")
        browser.assert_nothing_copied()
