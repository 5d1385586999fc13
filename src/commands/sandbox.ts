import type { Command } from "./kit/define.ts";
import { resetCommand, seedCommand, statusCommand, stopCommand } from "./sandbox/control.ts";
import { execCommand } from "./sandbox/exec.ts";
import { gapsCommand } from "./sandbox/gaps.ts";
import { logsCommand } from "./sandbox/logs.ts";
import { openCommand } from "./sandbox/open.ts";
import { snapshotCreate, snapshotDelete, snapshotList, snapshotRestore } from "./sandbox/snapshot.ts";
import { startCommand } from "./sandbox/start.ts";
import { exportCommand, importCommand } from "./sandbox/transfer.ts";
import { clockCommand, faultCommand, limitsCommand } from "./sandbox/trouble.ts";

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
