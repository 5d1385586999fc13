import { lines, type Topic, title } from "./blocks.ts";

export const resume: Topic = {
  name: "resume",
  summary: "going on with what was interrupted",
  blocks: () => [
    "Commands that work for long keep a journal: exports and imports, uploads and downloads, conversion of many files, migration of dashboards. Whatever ended them, power cuts and kill -9 included, the same command with --resume continues where they were, and the result is the same as without the interruption.",
    lines(
      "iot device data export --tag device_type=freezer --out fleet/ --yes",
      "iot device data export --tag device_type=freezer --out fleet/ --yes --resume",
    ),
    title("After the end"),
    "A finished run is remembered together with the content of its input: --resume then does nothing and says so. Where no earlier run is known, --resume asks before it starts from the beginning; without a terminal, or with --yes, it ends with 2. --again starts from the beginning, whatever earlier runs did. Journals are kept for 90 days.",
    "A run locks its journal. A second process that starts the same work ends with 7 and names the first one.",
    title("Ctrl-C"),
    "The first one lets the running request end and notes how far the work is; the second one stops at once. Both end with 130.",
    title("What was left"),
    "A file has its name only when it is whole. Without --resume an interrupted run is started from the beginning. When the source changed since, the command says so, and never mixes old and new. What comes from stdin cannot be resumed.",
    title("Partly done"),
    "A batch goes on after an item that failed, names it, and ends with 8. Where a command has --report, the file lists every item with its result and reason; running the command again with --resume tries those that failed.",
    'Changes of dashboards can be taken back: "iot dashboard snapshot list" shows what was kept, "iot dashboard rollback" puts it back.',
  ],
};
