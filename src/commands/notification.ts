import type { Command } from "./kit/define.ts";
import { crudCommands } from "./notification/crud.ts";
import { markCommands } from "./notification/marks.ts";
import { pushCommands } from "./notification/push.ts";

export const commands: readonly Command[] = [...crudCommands, ...markCommands, ...pushCommands];
