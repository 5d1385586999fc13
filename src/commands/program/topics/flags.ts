import { ruleNotes } from "../../kit/command/rules.ts";
import { globalOptions, type SharedOption } from "../../kit/command/shared-options.ts";
import { aligned, helpFlag, optionName, optionText } from "../help/texts.ts";
import { type Block, type Topic, terms, title } from "./blocks.ts";

const sections: readonly SharedOption["section"][] = ["Output", "Connection", "Presentation", "General"];

const notes = ruleNotes(globalOptions);

const table = (options: readonly SharedOption[]): Block =>
  terms(options.map((option) => [aligned(optionName(option)), optionText(option, notes(option.name))]));

export const flags: Topic = {
  name: "flags",
  summary: "global flags",
  blocks: () => [
    "Every command accepts these flags:",
    ...sections.flatMap((section) => [
      title(section),
      table([...globalOptions, helpFlag].filter((option) => option.section === section)),
    ]),
    'List and confirmation flags are in the help of the commands that accept them ("iot help filters"). --help --all shows all flags of a command.',
    "-V and --version print the version of iot.",
  ],
};
