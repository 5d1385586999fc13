import { lines, type Topic, title } from "./blocks.ts";

export const resume: Topic = {
  name: "resume",
  summary: "resuming interrupted commands",
  blocks: () => [
    "Long-running commands keep a journal: exports and imports, uploads and downloads, conversion of many files, dashboard migrations, profile apply. However they were interrupted, including power loss and kill -9, the same command with --resume continues where it stopped, with the same result as an uninterrupted run.",
    lines(
      "iot device data export --tag device_type=freezer --out fleet/ --yes",
      "iot device data export --tag device_type=freezer --out fleet/ --yes --resume",
    ),
    title("After a finished run"),
    "A finished run is recorded together with the content of its input: --resume then does nothing and says so. If there is no earlier run, --resume asks before it starts from the beginning; without a terminal, or with --yes, it exits with 2. --again starts over and ignores earlier runs. A journal is deleted 90 days after its last entry. Where there are more than 500, those of finished runs are deleted before, the oldest first; an unfinished run is not.",
    "A run locks its journal. A second process that starts the same work exits with 7 and shows the first one.",
    title("Ctrl-C"),
    "The first Ctrl-C lets the current request finish and saves the progress; the second one stops at once. Both exit with 130.",
    title("Incomplete files"),
    "A file gets its final name only when it is complete. Without --resume, an interrupted run starts over. If the source has changed, the command says so and never mixes old and new data. Input from stdin cannot be resumed.",
    title("Partly done"),
    "A batch continues after a failed item, reports it, and exits with 8. With --report, a file lists every item with its result and reason; running the command again with --resume retries the failed ones.",
    'Dashboard changes can be undone: "iot dashboard snapshot list" lists the saved snapshots, "iot dashboard rollback" restores one. "iot profile rollback" undoes a profile apply.',
  ],
};
