import { lines, type Topic, terms, title } from "./blocks.ts";

export const scripting: Topic = {
  name: "scripting",
  summary: "using iot in programs",
  blocks: () => [
    title("Every command works without a terminal. For scripts"),
    terms([
      ["-o json, -o ndjson", "stable members; never parse a table"],
      ["-o id", "one id per line"],
      ["--no-input", "never ask; CI=1 means the same"],
      ["--yes, --confirm name", "answers questions: yes or no, and those that ask for a name"],
      ["--dry-run", "prints the requests that would change something, sends none"],
      ["--quiet", "fewer messages on stderr"],
    ]),
    "Give the token as a variable, not as an argument; other users of the machine can see arguments.",
    lines("IOT_TOKEN=$TOKEN iot device list -o ndjson --all"),
    'Check the exit code: "iot help exit-codes". With -o json a failure is one JSON line on stderr with a stable code: "iot help errors". stdout stays empty when nothing matches, except for json and yaml, which print an empty list.',
    title("Repetitions"),
    "A request that got no answer, and one that the platform could not serve (408, 429, 5xx), is repeated up to four times; --retries, or IOT_RETRIES, sets another number, and 0 repeats nothing. A server that refuses the connection, or whose name is unknown, is tried twice.",
    "A change that may have arrived is never sent again: the command ends with 10 and the code network.maybe_sent, and names the command that shows whether the change was made.",
    "Each repetition is a line on stderr, on a terminal a countdown; --quiet hides it.",
    title("Files and stdin"),
    terms([
      ["-", "as the name of a file: stdin or stdout"],
      ["@file", "as the value of a flag that takes JSON or a long text: that file, so that nothing has to be quoted"],
      ["--", "ends the flags; what follows is an argument even if it starts with -"],
    ]),
    lines(
      "iot device list --tag site=plant -o id | xargs -n 1 iot device get --json",
      'cat record.json | iot device data send "name:Freezer 1" --input -',
    ),
    'A script can be tried without touching anything: "iot sandbox exec -- ./script.sh" runs it against a local platform.',
  ],
};
