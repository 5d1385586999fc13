import type { Command } from "../kit/command/define.ts";
import { commands as domainCommands } from "./domain.ts";
import { commands as loginCommands } from "./login.ts";
import { commands as portalCommands } from "./portal.ts";
import { commands as samlCommands } from "./saml.ts";
import { commands as userCommands } from "./user.ts";

export const commands: readonly Command[] = [
  ...portalCommands,
  ...userCommands,
  ...loginCommands,
  ...samlCommands,
  ...domainCommands,
];
