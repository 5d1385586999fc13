import type { Command } from "../kit/command/define.ts";
import { crudCommands } from "./crud.ts";
import { markCommands } from "./marks.ts";
import { pushCommands } from "./push.ts";

export const commands: readonly Command[] = [...crudCommands, ...markCommands, ...pushCommands];
