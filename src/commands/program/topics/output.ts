import { lines, type Topic, terms, title } from "./blocks.ts";

export const output: Topic = {
  name: "output",
  summary: "formats, fields, jq",
  blocks: () => [
    "Results go to stdout, everything else to stderr.",
    'On a terminal a list is a table that fits the width: long text is truncated, ids never are, and on a narrow terminal the least important columns are hidden. Times are relative ("7 min ago") where the exact time does not matter; --time and --tz change this. In a pipe the same columns are tab-separated text with a header row, full values and ISO times; --no-header omits the header. Characters that would control a terminal are shown as signs there, too; csv, and files that a command passes on, are exact, and JSON and YAML escape them.',
    title("Formats (-o, --output)"),
    terms([
      ["table", "the default"],
      ["json", "one document; --json is short for -o json"],
      ["ndjson", "one object per line, written as pages arrive"],
      ["csv", "RFC 4180; --csv-safe and --csv-bom for spreadsheets"],
      ["tsv", "tab-separated text"],
      ["yaml", "human-readable document"],
      ["md", "a Markdown table"],
      ["id", "one id per line, for xargs"],
    ]),
    title("Fields"),
    terms([
      ["--fields id,tags", "fields to show, in this order"],
      ["--fields name,tags.site", "also the value of one tag, or a field inside a JSON value"],
      ["--fields help", "list the fields"],
    ]),
    title("Templates"),
    terms([
      ["--template '{{id}} {{name}}'", "one line per row; {{a.b}} is a nested field, {{.}} the row itself"],
      ["{{tags | json}}", "the value as JSON; use \\n and \\t for newline and tab"],
    ]),
    title("jq"),
    terms([["--jq '.[].name'", "filters the JSON of the result; strings are printed raw unless -o json is given"]]),
    'Within a major version, fields of json and ndjson may be added but are never renamed. "iot help schema device list" prints the JSON Schema of the result of one command, "iot help schema" those of all; "x-flags" in them has the flags that need or exclude others.',
    title("Examples"),
    lines(
      "iot device list --fields name,last_input",
      "iot device list -o csv --all > devices.csv",
      "iot device list --jq '.[] | select(.active) | .name'",
    ),
  ],
};
