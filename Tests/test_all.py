"""The list of steps in `Tests/all`, and how `steps.sh` runs any steps."""

import os
import re
import select
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(script, *arguments, logs=None):
    environment = {**os.environ, "TEST_LOGS": str(logs)}
    return subprocess.run([script, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)


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
step one "the first"
run_one() { echo here is one; }
step two --swift --after one "the second"
run_two() { echo here is two; }
step three --swift --after "two" "the third"
run_three() { echo here is three; }
"""


def passed(outcome):
    return re.findall(r"^(\w+) +passed +\d+:\d\d", outcome.stdout, re.MULTILINE)


def test_the_list_says_for_each_step_what_its_forms_cover():
    outcome = run("Tests/all", "--list")
    assert outcome.returncode == 0
    script = (ROOT / "Tests/all").read_text()
    declared = re.findall(r"^step (\w+)", script, re.MULTILINE)
    lines = [line for line in outcome.stdout.splitlines() if not line.startswith(" ")]
    assert [line.split()[0] for line in lines] == declared
    assert all(len(line.split()) > 3 for line in lines)
    assert set(declared) == set(re.findall(r"^run_(\w+)\(\)", script, re.MULTILINE))
    assert re.search(r"^mac +\(only with --long\) the platform files as on a Mac", outcome.stdout, re.MULTILINE)


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


FORMS = """
step plain "has one form"
run_plain() { echo "plain ${LONG_TESTS:-short}"; }
step both --touches "web Sources/tool" "a few" "all"
run_both() { if is_long; then echo "both long"; else echo "both short"; fi; }
step rare --touches Sources/rare "" "all"
run_rare() { echo "rare ${LONG_TESTS:-short}"; }
"""


def said(logs):
    return [path.read_text().strip() for path in sorted(logs.glob("*.log"))]


@pytest.mark.parametrize("arguments, expected", [
    ([], ["both short", "plain short"]),
    (["--long"], ["both long", "plain short", "rare 1"]),
    (["both"], ["both short"]),
    (["both", "--long"], ["both long"]),
    (["rare"], ["rare 1"]),
])
def test_the_long_form_runs_if_asked(steps, tmp_path, arguments, expected):
    # Whatever has been changed here since main.
    outcome = steps(re.sub(r'--touches ("[^"]*"|\S+)', "", FORMS), *arguments)
    assert outcome.returncode == 0, outcome.stderr
    assert said(tmp_path / "logs") == expected


@pytest.mark.parametrize("main", ["main", "origin/main"])
@pytest.mark.parametrize("how", ["committed", "changed", "new"])
@pytest.mark.parametrize("path, expected", [
    ("web/deep/page.js", ["both long", "plain short"]),
    ("website.js", ["both short", "plain short"]),
    ("Sources/tool", ["both long", "plain short"]),
    ("Sources/rare/a b.swift", ["both short", "plain short", "rare 1"]),
])
def test_the_long_form_runs_if_its_subject_has_changed_since_main(tmp_path, main, how, path, expected):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C", tmp_path]
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "steps.sh").write_text((ROOT / "Tests/steps.sh").read_text())
    (tmp_path / "all").write_text(f"set -euo pipefail\nsource steps.sh\n{FORMS}\nrun_steps \"$@\"\n")
    (tmp_path / ".gitignore").write_text("logs\n")
    if how != "new":
        file.write_text("before")

    def commit():
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-qm", "a change"], check=True)

    subprocess.run([*git, "init", "-qb", "main"], check=True)
    commit()
    if main == "origin/main":
        subprocess.run([*git, "update-ref", "refs/remotes/origin/main", "main"], check=True)
    else:
        subprocess.run([*git, "switch", "-qc", "branch"], check=True)
    file.write_text("after")
    if how == "committed":
        commit()
    outcome = subprocess.run(["bash", "all"], cwd=tmp_path, env={**os.environ, "TEST_LOGS": str(tmp_path / "logs")},
                             capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stderr
    assert said(tmp_path / "logs") == expected


def test_what_a_step_is_about_exists():
    script = (ROOT / "Tests/all").read_text().replace("$optimized", "Tests/Packages/Optimized")
    paths = [path for paths in re.findall(r'--touches "([^"]*)"', script) for path in paths.split()]
    assert len(paths) > 10 and [path for path in paths if not (ROOT / path).exists()] == []


def test_all_steps_run_and_each_has_a_log(steps, tmp_path):
    outcome = steps(THREE)
    assert outcome.returncode == 0
    assert passed(outcome) == ["one", "two", "three"]
    assert outcome.stdout.count("here is") == 0
    assert (tmp_path / "logs/two.log").read_text() == "here is two\n"
    assert re.search(r"^ +\d+:\d\d +\d+:\d\d  two +passed$", outcome.stdout, re.MULTILINE)
    assert re.search(r"^ +\d+:\d\d  in all$", outcome.stdout, re.MULTILINE)


def test_what_a_step_shows_is_in_its_log_and_among_the_results_even_of_a_run_that_writes_to_a_file(steps, tmp_path):
    steps(f"""
        exec >{tmp_path}/output
        step one "the first"
        run_one() {{ echo here is one; }}
        step two --after one "the second"
        run_two() {{ printf 'seen at once\\nand this\\n' | show; }}
    """)
    assert (tmp_path / "logs/two.log").read_text() == "seen at once\nand this\n"
    lines = (tmp_path / "output").read_text().splitlines()
    assert [line.split(" ")[0] for line in lines[1:5]] == ["one", "seen", "and", "two"]


def test_a_step_brings_the_steps_that_it_comes_after(steps):
    assert passed(steps(THREE, "two")) == ["one", "two"]
    assert passed(steps(THREE, "two", "one", "two")) == ["one", "two"]


def test_a_failure_shows_the_end_of_its_log_and_the_others_go_on(steps, tmp_path):
    outcome = steps("""
        step good "passes"
        run_good() { :; }
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
    assert re.search("^ +0:00 +0:00  later +not run, since bad has not passed$", outcome.stdout, re.MULTILINE)
    assert "\nbad failed:\n981\n" in outcome.stdout.replace("    ", "")
    assert re.search("^ +0:00 +0:00  last +not run, since later has not passed$", outcome.stdout, re.MULTILINE)
    assert "12 passed, 1 skipped in 3.45s" in outcome.stdout
    assert outcome.stdout.endswith("\n2 passed, 1 failed, 2 skipped\n")


def test_two_steps_run_at_a_time_but_only_one_that_builds_swift(steps, tmp_path):
    for name in ["three", "over"]:
        os.mkfifo(tmp_path / name)
    # `one` ends once the step beside it has written, and neither another one nor a step that builds Swift may begin until then.
    outcome = steps(f"""
        step one --swift "waits for the step beside it"
        run_one() {{
            mkdir {tmp_path}/building
            read -r <{tmp_path}/three
            rmdir {tmp_path}/building
            found=$(ls {tmp_path})
            echo >{tmp_path}/over
            [[ $found != *four* ]]
        }}
        step two --swift "builds, too"
        run_two() {{ mkdir {tmp_path}/building; rmdir {tmp_path}/building; }}
        step three "beside the first"
        # Another step would begin meanwhile.
        run_three() {{ for _ in {{1..50}}; do env true; done; echo >{tmp_path}/three; read -r <{tmp_path}/over; }}
        step four "not beside these"
        run_four() {{ touch {tmp_path}/four; }}""")
    assert outcome.returncode == 0, outcome.stdout


def test_ending_it_ends_its_steps(tmp_path):
    script, number = tmp_path / "script", tmp_path / "number"
    os.mkfifo(number)
    script.write_text(f"set -euo pipefail\nsource Tests/steps.sh\nstep slow about\n"
                      f"run_slow() {{ tail -f /dev/null & echo $! >{number}; wait; }}\nrun_steps\n")
    process = subprocess.Popen(["bash", script], cwd=ROOT, env={**os.environ, "TEST_LOGS": str(tmp_path)}, stdout=subprocess.DEVNULL)
    slow = os.pidfd_open(int(number.read_text()))
    process.terminate()
    assert process.wait(60) == 143
    assert select.select([slow], [], [], 60)[0], "the step's process goes on"


@pytest.fixture
def program(tmp_path):
    """Writes a program of the shell into a folder."""

    def write(name, text):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
        return file

    return write


@pytest.mark.parametrize(["given", "expected"], [
    (["--build-system", "swiftbuild"], ["build --build-system swiftbuild --build-tests", "test --build-system swiftbuild", "format lint"]),
    ([], ["build --build-tests", "test", "format lint"]),
])
def test_what_a_step_builds_uses_the_build_system_that_is_named(steps, program, tmp_path, monkeypatch, given, expected):
    program("tools/swift", 'echo "$@"')
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}:{os.environ['PATH']}")
    # Also where it isn't the shell that looks for `swift`.
    outcome = steps('step one "the first"\nrun_one() { swift build --build-tests; env swift test; swift format lint; }', *given)
    assert outcome.returncode == 0
    assert (tmp_path / "logs/one.log").read_text().splitlines() == expected


def test_a_build_system_has_a_name(steps):
    outcome = steps(THREE, "--build-system")
    assert (outcome.returncode, outcome.stdout) == (64, "") and "native or swiftbuild" in outcome.stderr


@pytest.mark.parametrize(["programs", "passes"], [
    ({"AllPackageTests.xctest": 0}, True),
    ({"AllPackageTests.xctest": 1}, False),
    # Those of Swift Build, some of which have none of the tests.
    ({"A-test-runner": 0, "B-test-runner": 69}, True),
    ({"A-test-runner": 1, "B-test-runner": 0}, False),
    ({"A-test-runner": 69, "B-test-runner": 69}, False),
    ({"A": 0}, False),
])
def test_built_tests_run_and_at_least_one_does(steps, program, tmp_path, programs, passes):
    for name, status in programs.items():
        program(f"built/{name}", f'echo "$0 $@" >>{tmp_path}/ran; exit {status}')
    outcome = steps(f'step one "the first"\nrun_one() {{ run_tests {tmp_path}/built --filter A; }}')
    assert outcome.returncode == (0 if passes else 1)
    ran = (tmp_path / "ran").read_text().splitlines() if (tmp_path / "ran").exists() else []
    assert ran == [f"{tmp_path}/built/{name} --testing-library swift-testing --filter A" for name in programs if name != "A"]
