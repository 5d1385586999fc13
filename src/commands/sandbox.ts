import type { Command } from "./kit/define.ts";
import { resetCommand, seedCommand, statusCommand, stopCommand } from "./sandbox/control.ts";
import { execCommand } from "./sandbox/exec.ts";
import { startCommand } from "./sandbox/start.ts";

export const commands: readonly Command[] = [
  startCommand,
  stopCommand,
  statusCommand,
  seedCommand,
  resetCommand,
  execCommand,
];
