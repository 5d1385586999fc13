import type { Command } from "./kit/define.ts";
import { crudCommands } from "./network/crud.ts";
import { ownCommands } from "./network/own.ts";
import { tokenCommands } from "./network/tokens.ts";

export const commands: readonly Command[] = [...crudCommands, ...tokenCommands, ...ownCommands];
