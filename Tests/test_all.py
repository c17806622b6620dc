"""The list of steps in `Tests/all`, and how `steps.sh` runs any steps."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(script, *arguments, logs=None):
    environment = {**os.environ, "TEST_LOGS": str(logs)}
    return subprocess.run([script, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)


@pytest.fixture
def steps(tmp_path):
    """Runs a script with some steps, and answers what came of it. Their logs go to a folder `logs`."""

    def run_steps(text, *arguments):
        script = tmp_path / "script"
        script.write_text(f"#!/usr/bin/env bash\nset -euo pipefail\nsource Tests/steps.sh\n{text}\nrun_steps \"$@\"\n")
        script.chmod(0o755)
        return run(script, *arguments, logs=tmp_path / "logs")

    return run_steps


THREE = """
prepare true
step one "the first"
run_one() { echo here is one; }
step two --swift --after one "the second"
run_two() { echo here is two; }
step three --swift --after "two" "the third"
run_three() { echo here is three; }
"""


def passed(outcome):
    return re.findall(r"^(\w+) +passed +\d+:\d\d", outcome.stdout, re.MULTILINE)


def test_the_list_has_a_line_for_each_step():
    outcome = run("Tests/all", "--list")
    assert outcome.returncode == 0
    script = (ROOT / "Tests/all").read_text()
    declared = re.findall(r"^step (\w+)", script, re.MULTILINE)
    assert [line.split()[0] for line in outcome.stdout.splitlines()] == declared
    assert all(len(line.split()) > 3 for line in outcome.stdout.splitlines())
    assert set(declared) == set(re.findall(r"^run_(\w+)\(\)", script, re.MULTILINE))


def test_a_step_comes_after_steps_above_it():
    above = set()
    for name, after in re.findall(r'^step (\w+)(?:.*--after ("[\w ]+"|\w+))?', (ROOT / "Tests/all").read_text(), re.MULTILINE):
        assert set(after.strip('"').split()) <= above, name
        above.add(name)


@pytest.mark.parametrize("name", ["nothing", "--lst", "", "build nothing"])
def test_an_unknown_step_is_an_error_that_names_the_steps(name):
    outcome = run("Tests/all", *(name.split() or [""]))
    assert outcome.returncode == 64
    assert outcome.stdout == ""
    assert "there is no step" in outcome.stderr and " build " in outcome.stderr and " browsers " in outcome.stderr


def test_a_step_of_the_list_runs_alone(tmp_path):
    outcome = run("Tests/all", "format", logs=tmp_path)
    # Whether it passes is for that step to say.
    expected = (0, "1 passed, 0 failed") if passed(outcome) == ["format"] else (1, "0 passed, 1 failed")
    assert (outcome.returncode, outcome.stdout.splitlines()[-1]) == (expected[0], f"{expected[1]}, 0 skipped")
    assert (tmp_path / "format.log").exists()


@pytest.mark.parametrize("arguments, expected", [
    (["availability"], ""), (["availability", "--all"], "--all"), (["--all", "availability"], "--all"),
])
def test_all_platforms_are_checked_if_asked(tmp_path, arguments, expected):
    def script(name, text):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)

    script("Tests/setup", "")
    for name in ["check", "required_reasons.py"]:
        script(f"Tests/Availability/{name}", f'echo "{name}: $*"')
    script(".venv/bin/python", "")
    for name in ["all", "steps.sh"]:
        shutil.copy(ROOT / "Tests" / name, tmp_path / "Tests")
    outcome = run(tmp_path / "Tests/all", *arguments, logs=tmp_path)
    assert passed(outcome) == ["availability"]
    assert (tmp_path / "availability.log").read_text() == f"check: {expected}\nrequired_reasons.py: {expected}\n"


def test_all_steps_run_and_each_has_a_log(steps, tmp_path):
    outcome = steps(THREE)
    assert outcome.returncode == 0
    assert passed(outcome) == ["one", "two", "three"]
    assert outcome.stdout.count("here is") == 0
    assert (tmp_path / "logs/two.log").read_text() == "here is two\n"
    assert re.search(r"^ +\d+:\d\d  two +passed$", outcome.stdout, re.MULTILINE)
    assert re.search(r"^ +\d+:\d\d  in all$", outcome.stdout, re.MULTILINE)


def test_a_step_brings_the_steps_that_it_comes_after(steps):
    assert passed(steps(THREE, "two")) == ["one", "two"]
    assert passed(steps(THREE, "two", "one", "two")) == ["one", "two"]


def test_a_failure_shows_the_end_of_its_log_and_the_others_go_on(steps, tmp_path):
    outcome = steps("""
        prepare true
        step good "passes"
        run_good() { sleep 0.3; }
        step bad "fails"
        run_bad() { seq 1000; false; echo not reached; }
        step later --after bad "needs the one that fails"
        run_later() { echo; }
        step last --after later "needs that one"
        run_last() { echo; }
        step other "passes"
        run_other() { echo "=== 12 passed, 1 skipped in 3.45s ==="; }""")
    assert outcome.returncode == 1
    assert passed(outcome) == ["good", "other"] or passed(outcome) == ["other", "good"]
    assert re.search(r"^bad +FAILED .* status 1; the end of .*/logs/bad.log:$", outcome.stdout, re.MULTILINE)
    assert "    1000\n" in outcome.stdout and "    900\n" not in outcome.stdout and "not reached" not in outcome.stdout
    assert "later      not run, since bad has not passed" in outcome.stdout
    assert "last       not run, since later has not passed" in outcome.stdout
    assert "12 passed, 1 skipped in 3.45s" in outcome.stdout
    assert outcome.stdout.endswith("\n2 passed, 1 failed, 2 skipped\n")


def test_two_steps_run_at_a_time_but_only_one_that_builds_swift(steps, tmp_path):
    def step(name, options=""):
        return f"step {name} {options} about\nrun_{name}() {{ echo +{name} >>{tmp_path}/order; sleep 0.5; echo -{name} >>{tmp_path}/order; }}\n"

    outcome = steps("prepare true\n" + step("a", "--swift") + step("b", "--swift") + step("c") + step("d"))
    assert outcome.returncode == 0
    running, together = set(), set()
    for line in (tmp_path / "order").read_text().split():
        (running.add if line[0] == "+" else running.discard)(line[1:])
        together.add("".join(sorted(running)))
    assert {"ac"} <= together and not {"ab", "abc", "acd", "abcd", "bcd"} & together


def test_nothing_runs_when_the_preparation_fails(steps):
    outcome = steps(THREE.replace("prepare true", "prepare false"))
    assert outcome.returncode == 1
    assert "passed" not in outcome.stdout


def test_ending_it_ends_its_steps(tmp_path):
    script = tmp_path / "script"
    script.write_text(f"set -euo pipefail\nsource Tests/steps.sh\nprepare true\nstep slow about\n"
                      f"run_slow() {{ sleep 59 & echo $! >{tmp_path}/number; wait; }}\nrun_steps\n")
    process = subprocess.Popen(["bash", script], cwd=ROOT, env={**os.environ, "TEST_LOGS": str(tmp_path)}, stdout=subprocess.DEVNULL)
    number = tmp_path / "number"
    while not (number.exists() and number.read_text()):
        time.sleep(0.02)
    process.terminate()
    assert process.wait(10) == 143
    for _ in range(100):
        if not Path(f"/proc/{number.read_text().strip()}").exists():
            return
        time.sleep(0.05)
    raise AssertionError("the step's process goes on")
