import { countText } from "../../../text/count.ts";
import { BILLING_NOTICE } from "../../kit/devices/cost.ts";
import { lines, type Topic, terms, title } from "./blocks.ts";

export const dataCosts: Topic = {
  name: "data-costs",
  summary: "what reading and writing device data costs",
  blocks: () => [
    "The platform bills device data: every record read counts as data output, every record sent as data input, each against a monthly limit.",
    `Before reading more than ${countText(BILLING_NOTICE)} records, and before any server-side export, stderr shows the approximate number of records and their share of the remaining monthly limit. On a terminal you are asked to confirm. Without a terminal, the command continues only with one of these:`,
    terms([
      ["--yes", "confirm"],
      ["--max-records <n>", "stop after n records; also confirms"],
    ]),
    title("To read less"),
    terms([
      ["--variable, --from, --to, --last", "read only what you need"],
      ["--query last, avg, sum ...", "aggregate on the platform: one record instead of thousands"],
      ["iot device data count", "count the records"],
    ]),
    lines(
      'iot device data list "name:Freezer 1" --query last',
      'iot device data export "name:Freezer 1" --out f.csv --max-records 50000',
    ),
    "Requests are rate-limited per minute, too. Commands that send many wait for the next minute and show a countdown; if the limit is still exceeded after waiting, the command exits with 9.",
    'To see usage and limits: "iot profile limits" and "iot profile statistics". The sandbox is free.',
  ],
};
