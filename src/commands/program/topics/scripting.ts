import { lines, type Topic, terms, title } from "./blocks.ts";

export const scripting: Topic = {
  name: "scripting",
  summary: "using iot in scripts",
  blocks: () => [
    title("Flags for scripts (every command works without a terminal)"),
    terms([
      ["-o json, -o ndjson", "stable fields; never parse a table"],
      ["-o id", "one id per line"],
      ["--no-input", "never prompt; CI=1 means the same"],
      ["--yes, --confirm name", "skip yes/no questions, confirm by name"],
      ["--dry-run", "print the requests that would make changes, without sending them"],
      ["--quiet", "fewer messages on stderr"],
    ]),
    "Pass the token as a variable, not as an argument: other users of the machine can see arguments.",
    lines("IOT_TOKEN=$TOKEN iot device list -o ndjson --all"),
    'Check the exit code: "iot help exit-codes". With -o json an error is one JSON line on stderr with a stable code: "iot help errors". stdout stays empty when nothing matches, except for json and yaml, which print an empty list.',
    title("Creating only what is missing"),
    "A create command with a name that is taken warns and creates a second resource. With --if-missing it prints the existing one and creates nothing; several with that name end with 7.",
    lines('iot device create --name "Pump 3" --if-missing -o id'),
    title("Retries"),
    "Requests without a response and those that failed with 408, 429 or 5xx are retried up to four times; --retries or IOT_RETRIES changes the number, 0 disables retries. Refused connections and unknown hosts are tried twice.",
    "A change that may have been made is never sent again: the command exits with 10 and the code network.maybe_sent, and suggests a command to check whether the change was made.",
    "Each retry is a line on stderr, or a countdown on a terminal; --quiet hides it.",
    title("Files and stdin"),
    terms([
      ["-", "as a file name: stdin or stdout; as an id: ids on stdin, one per line"],
      ["@file", "as the value of a flag that takes JSON or long text: read from this file, no quoting needed"],
      ["--", "end of flags; the rest are arguments, even if they start with -"],
    ]),
    lines(
      "iot device list --tag room=roof -o id | xargs -n 1 iot device get --json",
      `echo '{"variable": "temperature", "value": -18}' > record.json`,
      'cat record.json | iot device data send "name:Freezer 1" --input -',
    ),
    'To try a script safely, run it against a local platform: "iot sandbox exec -- ./script.sh".',
  ],
};
