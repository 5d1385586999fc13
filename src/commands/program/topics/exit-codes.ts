import { exitCodeTexts } from "../../kit/failures/exit-codes.ts";
import { lines, type Topic, terms, title } from "./blocks.ts";

export const exitCodes: Topic = {
  name: "exit-codes",
  summary: "what the program ends with",
  blocks: () => [
    title("Exit codes"),
    terms(Object.entries(exitCodeTexts)),
    'They do not depend on the output format. "iot sandbox exec" alone ends with the code of the program it ran. A closed pipe (iot ... | head) ends with 0.',
    "Codes 0, 1 and 2 can come from every command; the help of a command names the others it is known to end with.",
    "Code 9 has two causes, which the error code tells apart: limit.reached passes by itself, limit.plan only with another plan. Code 10 with network.maybe_sent means that a change may have been made although its answer was lost: look before you run the command again.",
    lines(
      'iot device get "name:Pump 3" > pump.json',
      "case $? in",
      '  6) echo "there is no such device" ;;',
      '  10) echo "try again later" ;;',
      "esac",
    ),
  ],
};
