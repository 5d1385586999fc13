import type { Command } from "../kit/command/define.ts";
import { mailCommands } from "./mail.ts";
import { noteCommands } from "./notes.ts";
import { phoneCommands } from "./phone.ts";
import { queueCommands } from "./queues.ts";

export const commands: readonly Command[] = [...mailCommands, ...phoneCommands, ...queueCommands, ...noteCommands];
