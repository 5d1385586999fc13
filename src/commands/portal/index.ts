import type { Command } from "../kit/command/define.ts";
import { info } from "./info.ts";
import { login } from "./login.ts";
import { notificationCommands } from "./notification.ts";

export const commands: readonly Command[] = [info, login, ...notificationCommands];
