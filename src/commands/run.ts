import type { Command } from "./kit/define.ts";
import { commands as userCommands } from "./run/user.ts";

export const commands: readonly Command[] = [...userCommands];
