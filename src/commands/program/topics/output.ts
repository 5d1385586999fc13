import { lines, type Topic, terms, title } from "./blocks.ts";

export const output: Topic = {
  name: "output",
  summary: "formats, fields, jq",
  blocks: () => [
    "Results go to stdout, everything else to stderr.",
    'On a terminal a list is a table fitted to its width: long text is cut, ids never are, and on a narrow terminal the least important columns are left out. Times read like "7 min ago" where the exact moment is not the point; --time and --tz choose another form. In a pipe it is the same columns as tab-separated text with a header row, full values and ISO times; --no-header drops the header.',
    title("Formats (-o, --output)"),
    terms([
      ["table", "the default"],
      ["json", "one document; --json is short for it"],
      ["ndjson", "one object per line, written as pages arrive"],
      ["csv", "RFC 4180; --csv-safe and --csv-bom for spreadsheets"],
      ["tsv", "tab-separated text"],
      ["yaml", "for reading"],
      ["md", "a Markdown table"],
      ["id", "one id per line, for xargs"],
    ]),
    title("Fields"),
    terms([
      ["--fields id,tags", "columns or members, in this order"],
      ["--fields help", "lists them"],
    ]),
    title("Templates"),
    terms([
      ["--template '{{id}} {{name}}'", "one line per row; {{a.b}} is a member of a member, {{.}} the whole row"],
      ["{{tags | json}}", "the value as JSON; \\n and \\t stand for a line end and a tab"],
    ]),
    title("jq"),
    terms([["--jq '.[].name'", "filters the JSON of the result; texts are printed bare unless -o json is given too"]]),
    'Members of json and ndjson are added, never renamed, within a major version. "iot help schema device list" prints the JSON Schema of the result of one command, "iot help schema" those of all.',
    title("Examples"),
    lines(
      "iot device list --fields name,last_input",
      "iot device list -o csv --all > devices.csv",
      "iot device list --jq '.[] | select(.active) | .name'",
    ),
  ],
};
