import { lines, type Topic, title } from "./blocks.ts";

export const aliases: Topic = {
  name: "aliases",
  summary: "other names of commands, and your own",
  blocks: () => [
    "Nouns are singular; the plural means the same (iot devices list), as do these verbs: info for get, edit for update, rm for delete, ls for list.",
    title("Your own short forms"),
    'An alias stands for the first words of a command line. It is replaced before anything else is looked at, and never hides a command that is built in. "iot alias list" shows those there are.',
    lines('iot alias set fleet "device list --tag site=plant"', "iot fleet --json", "iot alias delete fleet"),
  ],
};
