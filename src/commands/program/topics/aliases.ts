import { lines, type Topic, title } from "./blocks.ts";

export const aliases: Topic = {
  name: "aliases",
  summary: "alternative command names, and your own aliases",
  blocks: () => [
    "Nouns are singular; the plural works, too (iot devices list), as do these verbs: info for get, edit for update, rm for delete, ls for list.",
    title("Your own aliases"),
    'An alias replaces the first words of a command line. It is expanded before anything else is parsed and cannot hide a built-in command. "iot alias list" lists them.',
    lines('iot alias set plant "device list --tag site=plant"', "iot plant --json", "iot alias delete plant"),
  ],
};
