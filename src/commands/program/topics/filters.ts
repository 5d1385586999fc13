import { lines, type Topic, terms, title } from "./blocks.ts";

export const filters: Topic = {
  name: "filters",
  summary: "choosing and ordering rows, naming one thing",
  blocks: () => [
    title("Lists take these flags"),
    terms([
      ["--limit <n>", "at most n rows; 20 unless given"],
      ["--page <n>", "the page to start with"],
      ["--all", "every row; pages are read one after the other"],
      ["--sort field[:desc]", "order of the rows"],
      ["--filter field=value", "rows whose field has this value; * stands for any text; may be repeated"],
      ["--filter field!=value", "rows whose field has another value; <, <=, > and >= compare numbers, times and texts"],
      ["--filter 'a=1 or b=2'", "rows for which one of several comparisons is true"],
      ["--tag key=value", "rows with this tag; may be repeated"],
    ]),
    "Several filters must all be true. When there are more rows than were printed, a line on stderr says so.",
    "The platform checks field=value. All other comparisons are made on this machine, which reads every row for them.",
    lines(
      "iot device list --filter 'name=Pump*' --tag site=7 --sort last_input:desc",
      "iot device list --filter 'last_input<-24h' --filter 'type!=mutable or active=false'",
    ),
    title("One thing is named by"),
    terms([
      ["5eed00010000000000000001", "its full id, 24 hexadecimal characters"],
      ["name:Pump 3", "its name, where only one thing has it"],
      ["tag:site=7", "a tag that only one thing has (devices and other things with tags)"],
      ["serial:0012", "the serial number of a device"],
    ]),
    "A name that several things have lists them and ends with 2. A bare word is never taken for a name, as it could be an id tomorrow; on a terminal you are asked what it means. Without an id, a terminal gets a list to search.",
    lines('iot device get "name:Freezer 1"', "iot device list --tag site=plant -o id | xargs iot device watch"),
    title("Times and durations"),
    terms([
      ["2026-01-31T08:00:00Z", "ISO 8601; without a zone it is local time"],
      ["now, today, yesterday", "now, or the start of the day"],
      ["-24h, +1h", "before and after now"],
      ["30s, 5m, 24h, 7d", "durations; 1h30m too"],
    ]),
  ],
};
