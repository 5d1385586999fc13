import type { Command } from "./kit/define.ts";
import { mailCommands } from "./service/mail.ts";
import { noteCommands } from "./service/notes.ts";
import { phoneCommands } from "./service/phone.ts";
import { queueCommands } from "./service/queues.ts";

export const commands: readonly Command[] = [...mailCommands, ...phoneCommands, ...queueCommands, ...noteCommands];
