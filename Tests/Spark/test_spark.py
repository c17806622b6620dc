"""The Spark example in local mode with two workers, row for row against the command alone.

    python -m pytest Tests/Spark        (REFERRAL_TOOL names the command)

It is skipped where there is no Java, but fails there if CI is set or REFERRAL_TOOL_REQUIRE_SPARK is 1.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

ROOT = Path(__file__).resolve().parents[2]
TOOL = Path(os.environ["REFERRAL_TOOL"]).absolute()

sys.path.insert(0, str(ROOT / "Examples/Spark"))
import referrals


def java_version():
    """Of the Java that Spark takes; 0 where there is none."""
    java = f"{os.environ['JAVA_HOME']}/bin/java" if os.environ.get("JAVA_HOME") else "java"
    if not shutil.which(java):
        return 0
    version = re.search(r'version "(\d+)', subprocess.run([java, "-version"], capture_output=True, text=True).stderr)
    return int(version[1]) if version else 0


if java_version() < 17:
    reason = "Spark needs Java 17 or newer; on Debian: apt-get install default-jre-headless"
    if os.environ.get("CI") or os.environ.get("REFERRAL_TOOL_REQUIRE_SPARK") == "1":
        raise RuntimeError(reason)
    pytest.skip(reason, allow_module_level=True)

APP = ["--app-id", "1300230302"]
PAGE = [*APP, "--pt", "118", "--ct", "spring", "--at", "2026-11-21T01:32:30Z"]
COLUMNS = ["referrer", "ct", "name", "param.pack"]


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spark")
    # Python's workers have to be of the version that runs the tests.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.warehouse.dir", folder / "warehouse")
        # A short run is not worth the better compiler.
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .getOrCreate()
    )
    # As `spark-submit --files` does it.
    shutil.copy(TOOL, folder / "referral-tool")
    session.sparkContext.addFile(str(folder / "referral-tool"))
    yield session
    session.stop()


# Rows

NAMES = ["Anna", "O'Neil, Pat", 'Bed "and" breakfast', "Zoë 名前 🎈", "", " blanks ", "#1", "back\\slash\\", '"', "'", "\t"]
BREAKS = ["two\nlines", "\r", "carriage\r\nreturn", "\n", "\u2028", 'both, "\n"']


def good_rows(count, names):
    """Rows that are taken, no two of them the same."""
    pick = random.Random(count).choice
    for number in range(count):
        referrer = pick(["user", "x, y", "Jürgen", '"q"', "a&b=c", "🎈"])
        token, pack = pick(["", "", "mail", "märz", "a,b"]), pick(["", "gold", 'si"l,ver', "Ö"])
        yield (f"{referrer}-{number}", token, pick(names), pack)


def with_bad_rows(rows):
    """The rows with some among them that are not taken, for two reasons."""
    for number, row in enumerate(rows):
        yield row
        if number % 97 == 0:
            yield ("", *row[1:])
        if number % 301 == 0:
            yield (row[0], "t" * 41, *row[2:])


def framed(spark, rows, columns=COLUMNS):
    """The rows as a frame of six partitions, one of them empty."""
    part = spark.sparkContext.parallelize
    third = len(rows) // 3
    schema = StructType()
    for column in columns:
        schema.add(column, "string")
    lines = part(rows[:third], 2).union(part([], 1)).union(part(rows[third:], 3))
    return spark.createDataFrame(lines, schema)


def alone(command, *, status=0):
    """What the command writes without Spark."""
    outcome = subprocess.run([TOOL, *map(str, command)], capture_output=True)
    assert outcome.returncode == status, outcome.stderr.decode()
    return outcome.stdout.decode()


def without_line(reject):
    """A rejected row without the number of its line, which is another one in a partition, and no column of the frame."""
    return {name: value for name, value in reject.items() if name != "line"}


def alone_as_json(folder, rows, *command, columns=COLUMNS, status=0):
    """The objects that the command makes of JSON lines, and the ones that it does not take."""
    lines = [json.dumps(dict(zip(columns, row)), ensure_ascii=False) for row in rows]
    (folder / "rows.jsonl").write_text("\n".join(lines))
    rejects = folder / "rejects.jsonl"
    answer = alone([*command, "--rejects", rejects, folder / "rows.jsonl"], status=status)
    return [json.loads(line) for line in answer.split("\n")[:-1]], [without_line(json.loads(line)) for line in open(rejects)]


# links


def test_links_through_json_lines_are_those_of_the_command_alone(spark, tmp_path):
    rows = [*with_bad_rows(good_rows(3000, NAMES + BREAKS))]
    answers = [row.asDict() for row in referrals.links(framed(spark, rows), *PAGE).collect()]

    good, bad = alone_as_json(tmp_path, rows, "links", *PAGE, status=65)
    assert (len(good), len(bad)) == (3000, len(rows) - 3000)
    assert [row for row in answers if row["reason"] is None] == [{**row, "reason": None} for row in good]
    assert [row for row in answers if row["reason"] is not None] == [{**row, "link": None} for row in bad]


# What goes wrong


def test_a_wrong_option_fails(spark):
    with pytest.raises((PySparkException, Py4JJavaError), match="exited with error code 64"):
        referrals.links(framed(spark, [("anna", "", "Anna", "")]), "--app-id", "trestle").collect()


def test_a_command_that_is_not_there_fails(spark):
    with pytest.raises(PySparkException, match="exited with error code 127"):
        referrals.piped(spark.sparkContext.parallelize(["anna"]), "sh", "-c", "no-such-tool").collect()


@pytest.mark.parametrize("column", ["link", "Reason"])
def test_a_column_that_would_be_there_twice_is_refused(spark, column):
    with pytest.raises(ValueError, match="rename or drop it"):
        referrals.links(framed(spark, [("anna", "")], ["referrer", column]), *PAGE)


# The rest of the example


def test_a_stream_writes_the_same_links_and_a_repeated_batch_no_others(spark, tmp_path):
    rows = [*good_rows(200, NAMES + BREAKS)]
    good, _ = alone_as_json(tmp_path, rows, "links", *PAGE)
    (tmp_path / "in").mkdir()
    lines = (tmp_path / "rows.jsonl").read_text().split("\n")
    (tmp_path / "in/1.json").write_text("\n".join(lines[:120]))
    (tmp_path / "in/2.json").write_text("\n".join(lines[120:]))

    schema = framed(spark, rows).schema
    for checkpoint in ("first", "lost"):
        stream = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).json(str(tmp_path / "in"))
        query = referrals.write_links(stream, f"{tmp_path}/out", f"{tmp_path}/{checkpoint}", *PAGE)
        query.trigger(availableNow=True).start().awaitTermination()

    written = spark.read.json(f"{tmp_path}/out")
    assert {row["batch"] for row in written.select("batch").collect()} == {0, 1}
    answers = [row.asDict() for row in written.drop("batch").collect()]
    assert sorted(answers, key=lambda row: row["referrer"]) == sorted(good, key=lambda row: row["referrer"])


def test_the_example_runs(spark, capsys):
    referrals.main()
    shown = capsys.readouterr().out
    assert "https://example.com/get?via=bed%20%26%20breakfast" in shown
    assert "referrer: missing" in shown
