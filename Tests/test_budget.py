"""`Tests/budget` fails for one line more than a module has left, and for a number that has been raised."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("budget").read_text()


@pytest.fixture
def house(tmp_path):
    """A repository whose main has a module of two lines, and a test of one. It answers with what the script prints."""

    def git(*arguments):
        subprocess.run(["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments], check=True)

    def write(**files):
        for name, text in files.items():
            path = tmp_path / {"room": "Sources/Room/Deep/A.swift", "other": "Sources/Other/B.swift", "test": "Tests/RoomTests/C.swift",
                               "table": "Tests/budget.txt", "script": "Tests/budget"}[name]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def run(*arguments, commit=False, **files):
        write(**files)
        if commit:
            git("add", ".")
            git("commit", "-qm", "a change")
        outcome = subprocess.run(["python3", "Tests/budget", *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert outcome.returncode == (1 if outcome.stdout else 0), outcome.stderr
        return outcome.stdout

    git("init", "-qb", "main")
    write(script=SCRIPT, room="1\n2\n", test="1\n", table="Sources/Room 2\nTests 1\n")
    git("add", ".")
    git("commit", "-qm", "a house")
    run.path = tmp_path
    run.git = git
    return run


def test_what_the_table_allows_passes(house):
    assert house() == ""
    assert house(room="1\n") == ""


def test_one_line_more_fails(house):
    assert house(room="1\n2\n3\n") == "Sources/Room has 3 lines, 1 more than its budget of 2\n"


def test_one_line_more_in_a_test_fails(house):
    assert house(test="1\n2\n") == "Tests has 2 lines, 1 more than its budget of 1\n"


@pytest.mark.parametrize("commit", [False, True])
@pytest.mark.parametrize("branch", [False, True])
def test_a_raised_number_fails(house, branch, commit):
    if branch:
        house.git("switch", "-qc", "branch")
    said = house(room="1\n2\n3\n", table="Sources/Room 3\nTests 1\n", commit=commit)
    assert said.startswith("the budget of Sources/Room was 2 and is 3: a number rises only if others fall as far\n")


def test_a_number_raised_two_commits_before_fails_on_a_branch(house):
    house.git("switch", "-qc", "branch")
    house(table="Sources/Room 3\nTests 1\n", commit=True)
    assert "the budget of Sources/Room was 2 and is 3" in house(room="1\n", commit=True)


def test_lines_that_move_take_their_number_along(house):
    house(other="1\n", room="1\n", table="Sources/Other 1\nSources/Room 1\nTests 1\n", commit=True)
    assert house(other="1\n2\n", room="", table="Sources/Other 2\nSources/Room 0\nTests 1\n") == ""


def test_lines_that_tests_lose_are_no_lines_for_a_module(house):
    said = house(room="1\n2\n3\n", test="", table="Sources/Room 3\nTests 0\n")
    assert said.startswith("the budget of Sources/Room was 2 and is 3: a number rises only if others fall as far\n")


def test_a_module_without_a_row_fails(house):
    assert house(other="1\n") == "Sources/Other has 1 lines and no row in Tests/budget.txt\n"


def test_a_new_module_needs_lines_that_another_had(house):
    assert house(other="1\n", table="Sources/Other 1\nSources/Room 2\nTests 1\n").startswith("the sum of Sources/ was 2 and is 3")
    assert house(room="1\n", table="Sources/Other 1\nSources/Room 1\nTests 1\n") == ""


def test_a_row_without_a_module_fails(house):
    assert "Sources/Gone has a row" in house(table="Sources/Gone 0\nSources/Room 2\nTests 1\n")


def test_lowering_writes_the_lines_that_are_left_and_never_raises(house):
    assert house("--lower", room="1\n", test="") == ""
    assert (house.path / "Tests/budget.txt").read_text() == "Sources/Room 1\nTests 0\n"
    assert house("--lower", room="1\n2\n") == "Sources/Room has 2 lines, 1 more than its budget of 1\n"


def test_lowering_ends_a_conflict_of_two_tables(house):
    conflict = "<<<<<<< HEAD\nSources/Room 2\n=======\nSources/Room 1\n>>>>>>> abc (a change)\nTests 1\n"
    assert house("--lower", room="1\n", table=conflict) == ""
    assert (house.path / "Tests/budget.txt").read_text() == "Sources/Room 1\nTests 1\n"
