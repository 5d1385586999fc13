import type { Command } from "../kit/command/define.ts";
import { commands as domainCommands } from "./domain.ts";
import { emailTest } from "./email-test.ts";
import { notify } from "./notify.ts";
import { commands as runCommands } from "./run.ts";
import { commands as samlCommands } from "./saml.ts";
import { exportUsers } from "./user/export.ts";
import { importUsers } from "./user/import.ts";
import { commands as loginCommands } from "./user/login.ts";
import { commands as userCommands } from "./user/user.ts";

export const commands: readonly Command[] = [
  ...runCommands,
  emailTest,
  notify,
  ...userCommands,
  ...loginCommands,
  importUsers,
  exportUsers,
  ...samlCommands,
  ...domainCommands,
];
