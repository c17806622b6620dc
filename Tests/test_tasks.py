"""A task that can throw keeps its errors to itself where its handle is dropped, of which Swift 6.4 warns. `_ =` says that this is meant."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TASK = re.compile(r"(?m)(?:^|[{;])[ \t]*(Task(?:\.detached)?(?:\([^()\n]*\))?[ \t]*\{)")


def end(text, start):
    """Where the block ends that begins after `start`."""
    depth = 1
    for match in re.finditer(r'"(?:\\.|[^"\\\n])*"|[{}]', text[start:]):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return start + match.start()
    return len(text)


def without_caught(text):
    """The text without its `do` blocks whose errors are all caught: by a `catch` without a pattern."""
    while found := re.search(r"\bdo\b(?:[ \t]*throws\([^)]*\))?\s*\{", text):
        close = end(text, found.end())
        body, rest = text[found.end():close], text[close + 1:]
        while handler := re.match(r"\s*catch\b([^{]*)\{", rest):
            close = end(rest, handler.end())
            body = ("" if not handler[1].strip() else body) + rest[handler.end():close]
            rest = rest[close + 1:]
        text = text[:found.start()] + body + rest
    return text


def dropped(text):
    """The lines of tasks that can throw and whose handles are dropped."""
    lines = []
    for found in TASK.finditer(text):
        close = end(text, found.end())
        body = without_caught(text[found.end():close])
        if re.search(r"\btry\b(?![?!])", body) and not re.match(r"\}\s*\.", text[close:]):
            lines.append(text.count("\n", 0, found.start(1)) + 1)
    return lines


def test_no_task_drops_an_error():
    files = subprocess.check_output(["git", "ls-files", "*.swift", "*.md"], cwd=ROOT, text=True).split()
    texts = {file: re.sub(r"(?m)^([ \t]*)/// ?", r"\1", path.read_text()) for file in files if (path := ROOT / file).is_file()}
    assert [f"{file}:{line}" for file, text in texts.items() for line in dropped(text)] == []


@pytest.mark.parametrize("source", [
    "Task { try await buy() }",
    'Button("Buy") { Task { try await buy() } }',
    "for _ in 0..<3 { Task { results.append(try await buy()) } }",
    "Task { @MainActor in\n    try await buy()\n}",
    "Task(priority: .high) {\n    if isOpen { _ = try await buy() }\n}",
    "Task { do { try await buy() } catch is CancellationError {} }",
    'Task { print("}"); try await buy() }',
])
def test_a_dropped_handle_is_found(source):
    assert dropped(source) == [1]


@pytest.mark.parametrize("source", [
    "_ = Task { try await buy() }",
    "let purchase = Task { try await buy() }",
    "tasks.append(Task { try await buy() })",
    "try await Task { try await buy() }.value",
    "Task { try? await buy() }",
    "Task { do { try await buy() } catch { report(error) } }",
    "Task { do throws(ShopError) { try await buy() } catch .paused { wait() } catch { report(error) } }",
    "let tasks = (0..<2).map { _ in Task { try await buy() } }",
    "Task { do throws(ShopError) { try await buy() } catch { report(error) } }",
    "Task { await use() }",
])
def test_other_tasks_are_not(source):
    assert dropped(source) == []
