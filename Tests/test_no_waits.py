"""No test waits for a time to pass, looks again and again, or depends on how fast the machine is.

Whoever waits is told: by a continuation, a clock that the test moves, a stream, a pipe or an exit. In Swift, that is `until` in
Tests/TestSupport, or a simulation on Tests/SimulatedRuntime's JobQueue. A time limit only ends a test that hangs.
"""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACES = ["Tests", "web/tests"]
# Data, declarations of Apple's frameworks, and programs that measure.
ELSEWHERE = ("Tests/Vectors/", "Tests/Availability/", "Tests/Benchmarks/", "Tests/Fuzz/")

WAITS = {
    r"\.swift$": r"""
        \bTask\.(?:sleep|yield)\b | \bThread\.sleep\b | \b(?:usleep|nanosleep)\( | \.timeLimit\(
        | (?<!\.)(?<!func\ )(?<!await\ )\bsleep\(
        | \b(?:Continuous|Suspending)Clock\b | \bDispatchTime\.now\b | \bclock_gettime\(
        | \bwhile\b.*\bDate\(\)
    """,
    r"\.py$": r"\btime\.(?:sleep|monotonic|perf_counter|process_time)\b | \basyncio\.sleep\b | \btime\.time\(\)\ *[-<>]",
    r"\.(?:mjs|js|html|py)$": r"\bset(?:Timeout|Interval)\([^()]*,\ *\d | \bperformance\.now\(",
    r"\.(?:c|h)$": r"\b(?:u|nano)?sleep\(",
    # In scripts, and in those within other tests.
    r"": r"(?<![\w.-])sleep\ +[\d.]+\b",
}

# Where a line may stay, a part of it, and why.
ALLOWED = {
    ("Tests/SimulatedRuntime/MainActorWatch.swift", "Task.sleep(for: .seconds(patience))"): "ends a test that hangs",
    ("Tests/TestSupport/Until.swift", ".timeLimit(.minutes(5))"): "ends a test that hangs",
    ("Tests/TestSupport/Linear.swift", "clock_gettime("): "how work grows: two times of one process are compared",
    ("Tests/UnlocksTests/ShopHistoriesTests.swift", "Task.yield()"): "lets other tests run between two histories",
    ("Tests/UnlocksTests/SimulatedShop/ShopHistoryRun.swift", "Task.yield()"): "a turn of the simulation's main actor",
    ("Tests/InvitationsTests/InviteCenterTests.swift", "Task.yield()"): "a turn of the simulation's main actor",
    ("Tests/ReferralBridgeTests/Launch/HistoriesTests.swift", "Task.yield()"): "lets other tests run between two histories",
    ("Tests/Packages/Optimized/TownTests/TownTests.swift", "Task.yield()"): "lets other tests run between two towns",
    ("Tests/Device/TrestleUITests/TrestleUITests.swift", "Thread.sleep"): "the system's own views tell nobody when they appear",
    ("Tests/Device/TrestleUITests/TrestleUITests.swift", "while Date() < deadline"): "the same",
    ("Tests/test_no_waits.py", ""): "this file",
    ("Tests/Packages/Optimized/Calls/supervise.c", "nanosleep("): "sees whether another process still makes progress",
    ("Tests/Packages/StandIns/ShopProbe/", ""): "it measures, or may be ended at any call; its clock is the real one, a thousand times as fast",
}


def waits(path, text):
    """The lines that wait."""
    patterns = [re.compile(what, re.VERBOSE) for name, what in WAITS.items() if re.search(name, path)]
    return [line.strip() for line in text.splitlines() if any(pattern.search(line) for pattern in patterns)]


def excuses(path, line):
    return [(place, part) for place, part in ALLOWED if path.startswith(place) and part in line]


def test_no_test_waits():
    listed = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *PLACES]
    paths = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    used, found = Counter(), []
    for path in filter(None, paths):
        if path.startswith(ELSEWHERE) or (ROOT / path).is_symlink() or not (ROOT / path).is_file():
            continue
        try:
            text = (ROOT / path).read_text()
        except UnicodeDecodeError:
            continue
        for line in waits(path, text):
            excuse = excuses(path, line)
            used.update(excuse)
            if not excuse:
                found.append(f"{path}: {line}")
    assert not found, "tests that wait:\n" + "\n".join(found)
    assert sorted(set(ALLOWED) - set(used)) == [], "nothing needs these any more"


@pytest.mark.parametrize(
    "path, line",
    [
        ("a.swift", "try await Task.sleep(for: .milliseconds(5))"),
        ("a.swift", "for _ in 0..<10 { await Task.yield() }"),
        ("a.swift", "Thread.sleep(forTimeInterval: 7)"),
        ("a.swift", "usleep(100)"),
        ("a.swift", '@Test("in time", .timeLimit(.minutes(1)))'),
        ("a.swift", "#expect(ContinuousClock().measure { work() } < .seconds(30))"),
        ("a.swift", "let start = DispatchTime.now().uptimeNanoseconds"),
        ("a.swift", 'let line = "(printf a; sleep 0.3; printf b)"'),
        ("a.py", "    time.sleep(0.01)"),
        ("a.py", "end = time.monotonic() + 30"),
        ("a.py", "assert time.time() - start < 3"),
        ("a.mjs", "await new Promise(later => setTimeout(later, 200));"),
        ("a.c", "nanosleep(&(struct timespec){.tv_nsec = 1}, NULL);"),
        ("all", "    sleep 0.1"),
    ],
)
def test_waits_are_noticed(path, line):
    assert waits(path, line)


@pytest.mark.parametrize(
    "path, line",
    [
        ("a.swift", "await until { clock.sleeping == 1 }"),
        ("a.swift", "DeviceClock(now: { now }, sleep: { _ in })"),
        ("a.swift", "await clock.sleep(30)"),
        ("a.swift", '@Test("a night\'s sleep and a clock that drifts")'),
        ("a.py", "now = time.time()"),
        ("a.mjs", "const { setTimeout } = window;"),
        ("all", "# sleep is for the others"),
    ],
)
def test_other_lines_are_not(path, line):
    assert not waits(path, line)
