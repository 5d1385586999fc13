import type { Command } from "../kit/command/define.ts";
import { commands as notificationCommands } from "./notification.ts";
import { press } from "./press.ts";
import { read } from "./read.ts";
import { readAll } from "./read-all.ts";

export const commands: readonly Command[] = [...notificationCommands, read, readAll, press];
