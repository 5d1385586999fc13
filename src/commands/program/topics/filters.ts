import { lines, type Topic, terms, title } from "./blocks.ts";

export const filters: Topic = {
  name: "filters",
  summary: "filtering and sorting lists, selecting a resource",
  blocks: () => [
    title("List flags"),
    terms([
      ["--limit <n>", "maximum number of rows (20)"],
      ["--page <n>", "first page to read"],
      ["--all", "read all pages"],
      ["--sort field[:desc]", "sort by this field"],
      ["--filter field=value", "only rows with this value; * matches any text; repeatable"],
      ["--filter field!=value", "only rows with another value; <, <=, > and >= compare numbers, times and text"],
      ["--filter tags.KEY=value", "compares a tag; also with --sort and --fields"],
      ["--filter 'a=1 or b=2'", "only rows that match one of several comparisons"],
      ["--tag key=value", "only rows with this tag; repeatable"],
    ]),
    "Several filters are combined with AND. If there are more rows than printed, stderr says so.",
    "A field that the rows do not have, or a value that does not fit it (active=flase, created_at=soon), is an error, and nothing is read. --fields help lists the fields. Case does not matter in values and tag keys.",
    "A time without seconds is the whole minute, a date the whole day. last_input=never finds rows without a time. Relative times such as -24h need < or >.",
    "The platform applies field=value to some fields, such as name, active and tags, and sorts by some. All other comparisons and orders are made on this machine, which reads all rows for them. Rows of the platform are checked again.",
    lines(
      "iot device list --filter 'name=Silo*' --tag site=plant --sort last_input:desc",
      "iot device list --filter 'last_input<-24h or active=false'",
      "iot device list --filter 'tags.site!=plant' --fields name,tags.site",
    ),
    title("Selecting one resource"),
    terms([
      ["5eed00010000000000000001", "full id, 24 hexadecimal characters"],
      ["name:Pump 3", "unique name"],
      ["tag:site=7", "unique tag (devices and other resources with tags)"],
      ["serial:0012", "serial number of a device"],
      ["-", "ids on stdin, one per line, as -o id prints them; several where the command takes several"],
    ]),
    "If several resources match, the command lists them and exits with 2. A bare word is never treated as a name, since it might be an id; on a terminal you are asked which one you mean. Without an id, a terminal shows a searchable list.",
    lines(
      'iot device get "name:Freezer 1"',
      "iot device list --tag site=plant -o id | xargs iot device watch",
      "iot device list --tag site=plant -o id | iot device delete - --dry-run",
    ),
    title("Selecting many devices"),
    "iot device update, delete, param set and token create take --tag, --where and --ids instead of an id. --where has the comparisons of --filter, also on tags: tags.KEY=value. All of them must hold; --ids reads a file with one id per line.",
    lines(
      'iot device update --tag site=plant --where "last_input<-30d" --inactive',
      "iot device list --name 'Retired*' --all -o id > retired.txt",
      "iot device delete --ids retired.txt --dry-run",
    ),
    title("Times and durations"),
    terms([
      ["2026-01-31T08:00:00Z", "ISO 8601; without a zone it is local time"],
      ["now, today, yesterday", "current time, or start of the day"],
      ["-24h, +1h", "relative to now"],
      ["30s, 5m, 24h, 7d", "durations; also 1h30m"],
    ]),
  ],
};
