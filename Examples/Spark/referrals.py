"""Referral links in Apache Spark: every task sends its partition through `referral-tool` and reads its output.

    spark-submit --files referral-tool Examples/Spark/referrals.py

`--files` brings the command, one static file, to every executor. The job at the end makes a few links;
a job of your own takes `links` and `write_links`, with the options of the command.
"""

import shlex
from operator import itemgetter

from pyspark import SparkFiles
from pyspark.sql import SparkSession
from pyspark.sql.functions import struct, to_json
from pyspark.sql.types import StructType

LINK = {"link": "string"}


def links(frame, *options):
    """The frame with a column `link`."""
    return json_lines(frame, LINK, "links", *options)


def write_links(stream, folder, checkpoint, *options):
    """Writes each micro-batch of a stream with its links, into a folder that a repetition replaces."""

    def write(batch, number):
        links(batch, *options).write.mode("overwrite").json(f"{folder}/batch={number}")

    return stream.writeStream.foreachBatch(write).option("checkpointLocation", checkpoint)


# 65 means that there were bad rows, and that all others were written. Any other failure is the task's.
BAD_ROWS_ARE_FINE = '"$0" "$@"; status=$?; [ $status = 65 ] || exit $status'


def json_lines(frame, added, *command):
    """As JSON lines, which can contain any text. Bad rows are returned after the good ones, with a `reason`."""
    # A missing member makes a bad row, but a null member does not.
    lines = frame.select(to_json(struct("*"), {"ignoreNullFields": "false"})).rdd.map(itemgetter(0))
    tool = ["sh", "-c", BAD_ROWS_ARE_FINE, "referral-tool", *command]
    answers = piped(lines, *tool, "--from", "jsonl", "--rejects", "/dev/stdout", *IN_A_TASK)
    schema = extended(frame, {**added, "reason": "string"})
    return frame.sparkSession.read.schema(schema).json(answers, mode="FAILFAST")


# One thread, since there is already a task per core.
IN_A_TASK = ["--jobs", "1", "--quiet"]


def piped(lines, *command):
    """Pipes each partition of the lines through its own command."""
    # `--files` copies the command to an executor's working directory, or to a folder of Spark's in local mode.
    path = f"{SparkFiles.getRootDirectory()}:.:/usr/local/bin:/usr/bin:/bin"
    return lines.pipe(shlex.join(command), env={"PATH": path}, checkCode=True)


def extended(frame, added):
    """The frame's columns, followed by the added ones."""
    schema = StructType(list(frame.schema.fields))
    for name, kind in added.items():
        if name.lower() in map(str.lower, frame.columns):
            raise ValueError(f"there is a column {name!r} already; rename or drop it")
        schema.add(name, kind)
    return schema


def main():
    spark = SparkSession.builder.appName("referrals").getOrCreate()
    people = spark.createDataFrame(
        [("anna", "Anna"), ("bed & breakfast", 'Bed\n"and" breakfast'), ("", "Nobody")], "referrer string, name string"
    )

    invitations = links(people, "--app-id", "1300230302", "--landing", "https://example.com/get")
    invitations.show(truncate=False)


if __name__ == "__main__":
    main()
