import type { Command } from "../kit/command/define.ts";
import { commands as accountCommands } from "./account.ts";
import { confirm } from "./confirm.ts";
import { create } from "./create.ts";
import { commands as otpCommands } from "./otp.ts";
import { passwordReset } from "./password-reset.ts";
import { resend } from "./resend.ts";

export const commands: readonly Command[] = [
  ...accountCommands,
  create,
  confirm,
  resend,
  passwordReset,
  ...otpCommands,
];
