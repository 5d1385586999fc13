import type { Command } from "../kit/command/define.ts";
import { checkCommand } from "./check.ts";
import { runCommand } from "./run.ts";
import { commands as records } from "./sql.ts";
import { tablesCommand } from "./tables.ts";
import { versionsCommand } from "./versions.ts";

export const commands: readonly Command[] = [...records, runCommand, checkCommand, tablesCommand, versionsCommand];
