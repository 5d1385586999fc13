import type { Command } from "../kit/command/define.ts";
import { confirm } from "./confirm.ts";
import { info } from "./info.ts";
import { login } from "./login.ts";
import { notificationCommands } from "./notification.ts";
import { otpCommands } from "./otp.ts";
import { reset } from "./password-reset.ts";
import { signup } from "./signup.ts";
import { storageCommands } from "./storage.ts";

export const commands: readonly Command[] = [
  info,
  signup,
  confirm,
  login,
  reset,
  ...notificationCommands,
  ...otpCommands,
  ...storageCommands,
];
