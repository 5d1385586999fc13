import type { Command } from "../kit/command/define.ts";
import { crudCommands } from "./crud.ts";
import { ownCommands } from "./own.ts";
import { tokenCommands } from "./tokens.ts";

export const commands: readonly Command[] = [...crudCommands, ...tokenCommands, ...ownCommands];
