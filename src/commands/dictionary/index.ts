import type { Command } from "../kit/command/define.ts";
import { applyDictionary } from "./apply.ts";
import { checkDictionaries } from "./check.ts";
import { commands as dictionaryCommands } from "./dictionary.ts";
import { languageCommands } from "./lang.ts";
import { pullDictionaries } from "./pull.ts";

export const commands: readonly Command[] = [
  ...dictionaryCommands,
  ...languageCommands,
  applyDictionary,
  pullDictionaries,
  checkDictionaries,
];
