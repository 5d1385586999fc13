import { exitCodeTexts } from "../../kit/failures/exit-codes.ts";
import { lines, type Topic, terms, title } from "./blocks.ts";

export const exitCodes: Topic = {
  name: "exit-codes",
  summary: "meaning of the exit codes",
  blocks: () => [
    title("Exit codes"),
    terms(Object.entries(exitCodeTexts)),
    'They do not depend on the output format. Only "iot sandbox exec" exits with the code of the program it ran. A closed pipe (iot ... | head) exits with 0.',
    "Every command can exit with 0, 1 or 2; the help of a command lists its other exit codes.",
    "Code 9 has two causes: with the error code limit.reached, try again later; with limit.plan, you need another plan. Code 10 with network.maybe_sent means that a change may have been made but its response was lost: check before you run the command again.",
    lines(
      'iot device get "name:Freezer 1" > freezer.json',
      "case $? in",
      '  6) echo "device not found" ;;',
      '  10) echo "try again later" ;;',
      "esac",
    ),
  ],
};
