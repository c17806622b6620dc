"""A web server's access log in the Combined format: log.py LINES. Of its requests, 40 percent are views and taps that count."""

import random
import sys

PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_{} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.{} Mobile/15E148 Safari/604.1"
AGENTS = [PHONE.format(number % 6, number % 4) for number in range(12)] + ["Googlebot/2.1 (+http://www.google.com/bot.html)"]
DAYS = [f"{1 + day:02}/Oct/2026" for day in range(30)]


def lines(count):
    pick = random.Random(1)
    for number in range(count):
        second = number * 30 * 86_400 // count
        clock = f"{second // 3_600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"
        kind, referrer = pick.random(), int(300 * pick.random() ** 2)
        target = (
            f"/get?via=partner-{referrer}&utm_source=newsletter" if kind < 0.3
            else f"/count?event=tap&via=partner-{referrer}&copied=1" if kind < 0.43
            else f"/assets/trestle-{int(kind * 1_000)}.webp"
        )
        client = f"203.{pick.randrange(113, 116)}.{pick.randrange(256)}.{pick.randrange(256)}"
        agent = AGENTS[int(len(AGENTS) * pick.random())]
        size = 200 + int(kind * 9_000)
        yield f'{client} - - [{DAYS[second // 86_400]}:{clock} +0000] "GET {target} HTTP/2.0" 200 {size} "https://example.com/" "{agent}"\n'


sys.stdout.writelines(lines(int(sys.argv[1])))
