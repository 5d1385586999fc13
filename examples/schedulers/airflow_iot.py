"""Airflow: exports each day once it is over. A task that runs again leaves the same files."""

import json
import subprocess
from datetime import datetime, timedelta, timezone

from airflow.decorators import dag, task
from airflow.exceptions import AirflowFailException

# A limit of the platform, and the network: the next attempt may succeed.
PASSING = (9, 10)


def iot(*args: str) -> dict:
    done = subprocess.run(["iot", *args, "--yes", "--no-input", "-o", "ndjson"], capture_output=True, text=True)
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    if done.returncode in PASSING:
        raise RuntimeError(done.stderr)
    raise AirflowFailException(done.stderr)  # Another attempt would fail, too.


@dag(schedule="@daily", start_date=datetime(2026, 11, 1, tzinfo=timezone.utc), catchup=True, max_active_runs=1)
def iot_export():
    @task(retries=5, retry_delay=timedelta(minutes=5), retry_exponential_backoff=True)
    def export(data_interval_start=None, data_interval_end=None) -> dict:
        last = data_interval_end - timedelta(milliseconds=1)  # --to belongs to the range.
        day = f"{data_interval_start:%Y-%m-%d}"
        return iot(
            *("device", "data", "export", "--tag", "site=plant", "--dataset", "--out", f"lake-{day}/"),
            *("--from", data_interval_start.isoformat(), "--to", last.isoformat()),
        )

    return export()


iot_export()
