import { globalOptions, type SharedOption } from "../../kit/command/shared-options.ts";
import { aligned, helpFlag, optionName, optionText } from "../help/texts.ts";
import { type Block, type Topic, terms, title } from "./blocks.ts";

const sections: readonly SharedOption["section"][] = ["Output", "Connection", "Presentation", "General"];

const table = (options: readonly SharedOption[]): Block =>
  terms(options.map((option) => [aligned(optionName(option)), optionText(option)]));

export const flags: Topic = {
  name: "flags",
  summary: "the flags of every command",
  blocks: () => [
    "Every command takes these flags:",
    ...sections.flatMap((section) => [
      title(section),
      table([...globalOptions, helpFlag].filter((option) => option.section === section)),
    ]),
    'Flags of lists and of changes are in the help of the commands that take them ("iot help filters"). --help --all shows all flags of a command.',
    "-V and --version stand alone: they print the version of iot.",
  ],
};
