import type { Gap } from "../core/gap.ts";

/** Choices about device data where no source shows the platform's behaviour. */
export const dataGaps: readonly Gap[] = [
  { subject: "Row that breaks a rule", choice: "400 Error on Body parameters, problems by field; nothing is stored" },
  { subject: "Forbidden characters in a variable", choice: "400, not replaced" },
  { subject: "Equal times", choice: "by arrival; an extreme value that occurs twice: the newest row" },
  { subject: "Per-variable queries without variables", choice: "every variable of the device, by name" },
  { subject: "Numeric queries", choice: "look at values of type number only, not at texts that look like numbers" },
  { subject: "avg, sum: about one month", choice: "at most 32 days, so that whole days at both ends fit" },
  { subject: "avg, sum that overflow", choice: "the largest number JSON can carry" },
  { subject: "aggregate", choice: "no default qty, 10,000 rows at most; unknown interval or function: 400" },
  {
    subject: "avg_by_variable and its kin",
    choice: "start_date is optional; variables without a matching row give none",
  },
  { subject: "conditional", choice: "newest first over all variables together, up to qty; only numbers compare" },
  { subject: "Unknown query", choice: "400 Invalid query" },
  { subject: "Unknown timezone", choice: "400 Invalid timezone" },
  { subject: "Unreadable qty, skip, ordination", choice: "their defaults" },
  { subject: "Commas", choice: "one text of variables or ids is split at commas; groups and values are not" },
  { subject: "Edits and deletions on a hybrid device", choice: "rows on the immutable side are skipped" },
  { subject: "DELETE with queries that answer no rows", choice: "400 Invalid query, also for aggregate" },
  { subject: "Unknown chunk", choice: "404 Chunk Not Found" },
  { subject: "Chunk above 1,000,000 rows", choice: "400 The chunk has reached the limit of 1000000 data registers" },
  {
    subject: "mutable_variable_regex",
    choice:
      "matched with RE2, in linear time: lookaround, backreferences and repetitions above 700 steps answer 400; a name is " +
      "matched anywhere, case counts",
  },
  {
    subject: "Retention",
    choice: "applied when the data of the device is next looked at, not by a task at 00:00 UTC",
  },
  { subject: "Deleting data", choice: "at once; on the platform a read may still find the rows for 30 s" },
  { subject: "Simulator devices", choice: "no data of their own" },
  { subject: "Parameter downlink", choice: "kept like any other: the next uplink sends nothing" },
  { subject: "MQTT sessions of devices", choice: "none, and no inspector messages about them" },
  {
    subject: "Limits and prices of data services, Control Tower",
    choice: "counted where shown, never refused; no warnings; imports need no free storage; exports are not rounded up",
  },
  {
    subject: "Payload parser that fails",
    choice: "400, its error with the parser and line in brackets; 64 MB for each parser, 16 MB for what it leaves",
  },
  { subject: "Payload parsers: order", choice: "network, connector (unless connector_parse is false), device" },
  {
    subject: "Payload parsers: what they find",
    choice:
      "also Buffer, atob, btoa, TextEncoder, TextDecoder, and dayjs with utc, timezone and customParseFormat; times " +
      "without an offset are UTC; a parameter of connector or network is the device's of this key, else its default",
  },
  {
    subject: "Payload parsers: asynchronous code, try and catch",
    choice: "work; a promise as payload counts when it is settled as the code ends",
  },
  { subject: "Payload parser that leaves null", choice: "0 Data Added" },
  {
    subject: "Data backup",
    choice:
      "oldest row first, objects as JSON; without a chunk, $CHUNK$ is all, the dates those of the first and last row; " +
      "$ORGID$ is the profile, $ENVIRONMENT$ is sandbox",
  },
  { subject: "Copying a chunk", choice: "as the backup of a chunk: a file, not another device" },
  {
    subject: "Backups and imports",
    choice:
      "start at once; what deletes rows of the device waits for them; an interrupted import goes on at the next start, " +
      "an interrupted backup is lost; a failure is in the log and the inspector",
  },
  {
    subject: "Data restore: types",
    choice: "a value is a number or boolean when it looks like one, and is not quoted in a row whose variable is not",
  },
  { subject: "Data restore: a row that is refused", choice: "nothing of the file is stored; no actions, no events" },
  {
    subject: "The same import ordered twice",
    choice: "before the first is done, one import; afterwards the rows are stored again",
  },
  {
    subject: "Rows sent through a widget",
    choice: "go through the parsers of their device; what a form adds to them goes past the parsers",
  },
];
