import { lines, type Topic, terms, title } from "./blocks.ts";

export const dataCosts: Topic = {
  name: "data-costs",
  summary: "what reading and writing device data costs the account",
  blocks: () => [
    "The platform bills device data: every record that is read counts as data output, every record that is sent as data input, each against a limit per month.",
    "Before more than 10,000 records are read, and before any export that the server makes, stderr shows about how many records that is and which share of the rest of the month's limit. On a terminal a question follows. Without one the command goes on only with one of these:",
    terms([
      ["--yes", "yes, read them"],
      ["--max-records <n>", "read at most so many; also an answer"],
    ]),
    title("To read less"),
    terms([
      ["--variable, --from, --to, --last", "only what is needed"],
      ["--query last, avg, sum ...", "let the platform count: one record instead of thousands"],
      ["iot device data count", "how many there are"],
    ]),
    lines(
      'iot device data list "name:Freezer 1" --variable temperature --query avg',
      'iot device data export "name:Freezer 1" --out f.csv --max-records 50000',
    ),
    "Requests are limited per minute too. Commands that send many wait for the next minute and show a countdown; a limit that is still there after waiting ends the command with 9.",
    'What is used and left: "iot profile limits" and "iot profile statistics". The sandbox costs nothing.',
  ],
};
