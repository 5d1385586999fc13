import type { Command } from "./kit/define.ts";
import { enterCommands } from "./portal/enter.ts";
import { notificationCommands } from "./portal/notifications.ts";
import { otpCommands } from "./portal/otp.ts";
import { storageCommands } from "./portal/storage.ts";

export const commands: readonly Command[] = [
  ...enterCommands,
  ...notificationCommands,
  ...otpCommands,
  ...storageCommands,
];
