import type { Command } from "../kit/command/define.ts";
import { commands as addonsCommands } from "./addons.ts";
import { commands as applyCommands } from "./apply.ts";
import { commands as auditCommands } from "./audit.ts";
import { commands as deleteCommands } from "./delete.ts";
import { commands as diffCommands } from "./diff.ts";
import { commands as exportCommands } from "./export.ts";
import { commands as importCommands } from "./import.ts";
import { limits } from "./limits.ts";
import { commands as profileCommands } from "./profile.ts";
import { commands as rollbackCommands } from "./rollback.ts";
import { commands as servicesCommands } from "./services.ts";
import { commands as snapshotCommands } from "./snapshot.ts";
import { statistics } from "./statistics.ts";
import { summary } from "./summary.ts";
import { commands as switchCommands } from "./switch.ts";
import { commands as teamCommands } from "./team.ts";
import { commands as tokenCommands } from "./token.ts";

export const commands: readonly Command[] = [
  ...profileCommands,
  ...deleteCommands,
  ...switchCommands,
  summary,
  limits,
  statistics,
  ...auditCommands,
  ...addonsCommands,
  ...servicesCommands,
  ...tokenCommands,
  ...teamCommands,
  ...exportCommands,
  ...importCommands,
  ...diffCommands,
  ...applyCommands,
  ...rollbackCommands,
  ...snapshotCommands,
];
