import type { Command } from "../kit/command/define.ts";
import { commands as analysisCommands } from "./analysis.ts";
import { consoleCommand } from "./console.ts";
import { deployCommand } from "./deploy.ts";
import { devCommand } from "./dev.ts";
import { downloadCommand } from "./download.ts";
import { duplicateCommand } from "./duplicate.ts";
import { envCommands } from "./env.ts";
import { initCommand } from "./init.ts";
import { modeCommand } from "./mode.ts";
import { rollbackCommand } from "./rollback.ts";
import { runCommand } from "./run.ts";
import { tokenCommand } from "./token.ts";
import { versionsCommand } from "./versions.ts";

export const commands: readonly Command[] = [
  ...analysisCommands,
  duplicateCommand,
  initCommand,
  deployCommand,
  downloadCommand,
  versionsCommand,
  rollbackCommand,
  runCommand,
  consoleCommand,
  devCommand,
  modeCommand,
  tokenCommand,
  ...envCommands,
];
