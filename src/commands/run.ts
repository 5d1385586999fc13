import type { Command } from "./kit/define.ts";
import { commands as domainCommands } from "./run/domain.ts";
import { commands as loginCommands } from "./run/login.ts";
import { commands as portalCommands } from "./run/portal.ts";
import { commands as samlCommands } from "./run/saml.ts";
import { commands as userCommands } from "./run/user.ts";

export const commands: readonly Command[] = [
  ...portalCommands,
  ...userCommands,
  ...loginCommands,
  ...samlCommands,
  ...domainCommands,
];
