import type { Command } from "../kit/command/define.ts";
import { enterCommands } from "./enter.ts";
import { notificationCommands } from "./notifications.ts";
import { otpCommands } from "./otp.ts";
import { storageCommands } from "./storage.ts";

export const commands: readonly Command[] = [
  ...enterCommands,
  ...notificationCommands,
  ...otpCommands,
  ...storageCommands,
];
