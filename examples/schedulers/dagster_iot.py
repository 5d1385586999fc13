"""Dagster: an asset with a partition for each day. A partition that is made again has the same files."""

import json
import subprocess
from datetime import timedelta

from dagster import Backoff, DailyPartitionsDefinition, Failure, MaterializeResult, RetryPolicy, asset

# A limit of the platform, and the network: the next attempt may succeed.
PASSING = (9, 10)


def iot(*args: str) -> dict:
    done = subprocess.run(["iot", *args, "--yes", "--no-input", "-o", "ndjson"], capture_output=True, text=True)
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    raise Failure(done.stderr, allow_retries=done.returncode in PASSING)


@asset(
    partitions_def=DailyPartitionsDefinition(start_date="2026-11-01"),
    retry_policy=RetryPolicy(max_retries=5, delay=300, backoff=Backoff.EXPONENTIAL),
)
def plant_records(context) -> MaterializeResult:
    window = context.partition_time_window
    last = window.end - timedelta(milliseconds=1)  # --to belongs to the range.
    result = iot(
        *("device", "data", "export", "--tag", "site=plant", "--dataset", "--out", f"lake-{context.partition_key}/"),
        *("--from", window.start.isoformat(), "--to", last.isoformat()),
    )
    return MaterializeResult(metadata={"records": result["records"], "files": result["files"]})
