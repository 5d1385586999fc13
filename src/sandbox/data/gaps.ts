import type { Gap } from "../core/gap.ts";

/** Assumptions about device data. */
export const dataGaps = {
  brokenRow: {
    subject: "Row that breaks a rule",
    choice:
      "400 Error on Body parameters, problems by field; nothing is stored; forbidden characters in a variable are rejected, not replaced",
  },
  equalTimes: {
    subject: "Equal times",
    choice: "by arrival; an extreme value that occurs twice: the newest row",
    general: true,
  },
  everyVariable: {
    subject: "Per-variable queries without variables",
    choice: "every variable of the device, by name",
  },
  numbersOnly: {
    subject: "Numeric queries",
    choice: "look at values of type number only, not at strings that look like numbers",
    general: true,
  },
  month: { subject: "avg, sum: about one month", choice: "at most 32 days, so that whole days at both ends fit" },
  overflow: {
    subject: "avg, sum that overflow",
    choice: "the largest number JSON can carry",
    general: true,
  },
  aggregate: {
    subject: "aggregate",
    choice: "no default qty, 10,000 rows at most; unknown interval or function: 400",
  },
  summary: {
    subject: "avg_by_variable and its kin",
    choice: "start_date is optional; variables without a matching row are left out",
  },
  conditional: {
    subject: "conditional",
    choice: "newest first over all variables together, up to qty; only numbers compare",
  },
  unknownQuery: { subject: "Unknown query", choice: "400 Invalid query" },
  unknownTimezone: { subject: "Unknown timezone", choice: "400 Invalid timezone" },
  unreadable: { subject: "Unreadable qty, skip, ordination", choice: "their defaults" },
  commas: {
    subject: "Commas",
    choice: "one string of variables or ids is split at commas; groups and values are not",
  },
  hybridChanges: {
    subject: "Edits and deletions on a hybrid device",
    choice: "rows on the immutable side are skipped",
  },
  deletionWithoutRows: {
    subject: "DELETE with queries that return no rows",
    choice: "400 Invalid query, also for aggregate",
  },
  unknownChunk: { subject: "Unknown chunk", choice: "404 Chunk Not Found" },
  fullChunk: {
    subject: "Chunk above 1,000,000 rows",
    choice: "400 The chunk has reached the limit of 1000000 data registers",
  },
  pattern: {
    subject: "mutable_variable_regex",
    choice:
      "matched with RE2, in linear time: lookaround, backreferences and repetitions above 700 steps return 400; a name is " +
      "matched anywhere, case counts",
  },
  retention: {
    subject: "Retention",
    choice: "applied when the data of the device is next read or written, not by a task at 00:00 UTC",
    general: true,
  },
  deletion: {
    subject: "Deleting data",
    choice: "at once; on the platform a read may still find the rows for 30 s",
    general: true,
  },
  simulator: { subject: "Simulator devices", choice: "no data of their own", general: true },
  mqttSessions: {
    subject: "MQTT sessions of devices",
    choice: "none, and no inspector messages about them",
    general: true,
  },
  dataLimits: {
    subject: "Limits and prices of data services, Control Tower",
    choice:
      "counted where shown, never rejected; no warnings; imports need no free storage; exports are not rounded up",
    general: true,
  },
  parserFails: {
    subject: "Payload parser that fails",
    choice: "400, its error with the parser and line in brackets; 64 MB for each parser, 16 MB for what it leaves",
  },
  parserOrder: {
    subject: "Payload parsers: order",
    choice: "network, connector (unless connector_parse is false), device",
  },
  parserScope: {
    subject: "Payload parsers: what they find",
    choice:
      "also Buffer, atob, btoa, TextEncoder, TextDecoder, and dayjs with utc, timezone and customParseFormat; times " +
      "without an offset are UTC; a parameter of connector or network is the device's of this key, else its default",
    general: true,
  },
  asyncParsers: {
    subject: "Payload parsers: asynchronous code, try and catch",
    choice: "work; a promise as payload counts when it is settled as the code ends",
    general: true,
  },
  parserLeavesNull: { subject: "Payload parser that leaves null", choice: "0 Data Added" },
  backupMarks: {
    subject: "Data backup: marks of the address",
    choice:
      "without a chunk, $CHUNK$ is all, the dates those of the first and last row; $ORGID$ is the profile, " +
      "$ENVIRONMENT$ is sandbox",
  },
  backupContent: { subject: "Data backup", choice: "oldest row first, objects as JSON", general: true },
  chunkCopy: { subject: "Copying a chunk", choice: "as the backup of a chunk: a file, not another device" },
  transfers: {
    subject: "Backups and imports",
    choice:
      "start at once; what deletes rows of the device waits for them; an interrupted import goes on at the next start, " +
      "an interrupted backup is lost; a failure is in the log and the inspector",
    general: true,
  },
  importTypes: {
    subject: "Data restore: types",
    choice: "a value is a number or boolean when it looks like one, and is not quoted in a row whose variable is not",
    general: true,
  },
  importRefused: {
    subject: "Data restore: a row that is rejected",
    choice: "nothing of the file is stored; no actions, no events",
    general: true,
  },
  importTwice: {
    subject: "The same import ordered twice",
    choice: "before the first is done, one import; afterwards the rows are stored again",
  },
  throughWidget: {
    subject: "Rows sent through a widget",
    choice: "go through the parsers of their device; what a form adds to them goes past the parsers",
  },
} as const satisfies Readonly<Record<string, Gap>>;
