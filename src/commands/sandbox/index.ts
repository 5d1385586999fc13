import type { Command } from "../kit/command/define.ts";
import { resetCommand, seedCommand, statusCommand, stopCommand } from "./control.ts";
import { execCommand } from "./exec.ts";
import { gapsCommand } from "./gaps.ts";
import { logsCommand } from "./logs.ts";
import { openCommand } from "./open.ts";
import { snapshotCreate, snapshotDelete, snapshotList, snapshotRestore } from "./snapshot.ts";
import { startCommand } from "./start.ts";
import { exportCommand, importCommand } from "./transfer.ts";
import { clockCommand, faultCommand, limitsCommand } from "./trouble.ts";

export const commands: readonly Command[] = [
  startCommand,
  stopCommand,
  statusCommand,
  openCommand,
  seedCommand,
  resetCommand,
  snapshotList,
  snapshotCreate,
  snapshotRestore,
  snapshotDelete,
  exportCommand,
  importCommand,
  logsCommand,
  faultCommand,
  clockCommand,
  limitsCommand,
  gapsCommand,
  execCommand,
];
