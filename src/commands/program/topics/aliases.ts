import { lines, type Topic, title } from "./blocks.ts";

export const aliases: Topic = {
  name: "aliases",
  summary: "alternative command names, your own aliases and plugins",
  blocks: () => [
    "Nouns are singular; the plural works, too (iot devices list), as do these verbs: info for get, edit for update, rm for delete, ls for list.",
    title("Your own aliases"),
    'An alias replaces the first words of a command line. It is expanded before anything else is parsed and cannot hide a built-in command. "iot alias list" lists them.',
    lines('iot alias set plant "device list --tag site=plant"', "iot plant --json", "iot alias delete plant"),
    title("Plugins"),
    'A program called iot-hello in a folder of PATH runs as the command hello of iot. Commands, aliases and the words that iot explains (deploy, users and others) come first: a plugin with such a name does not run. "iot plugin list" shows the plugins there are, and which do not run.',
    "What follows the name is passed unchanged. stdin, stdout and stderr are those of iot, and its exit code is that of the plugin: 128 + n when signal n ended it.",
    "--env and --profile before the name become IOT_ENV and IOT_PROFILE of the plugin, so that iot in it uses the same environment; other flags there are rejected. Nothing else is added to the variables of your shell, and no stored token.",
    "Only absolute folders of PATH count, and only a line of your own runs a plugin: no alias and no call of iot mcp. A plugin has all permissions of your user.",
    lines("iot plugin list"),
  ],
};
