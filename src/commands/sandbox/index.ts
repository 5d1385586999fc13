import type { Command } from "../kit/command/define.ts";
import { clockCommand } from "./clock.ts";
import { examplesCommand } from "./examples.ts";
import { execCommand } from "./exec.ts";
import { exportCommand } from "./export.ts";
import { faultCommand } from "./fault.ts";
import { gapsCommand } from "./gaps.ts";
import { importCommand } from "./import.ts";
import { limitsCommand } from "./limits.ts";
import { logsCommand } from "./logs.ts";
import { openCommand } from "./open.ts";
import { openapiCommand } from "./openapi.ts";
import { resetCommand } from "./reset.ts";
import { seedCommand } from "./seed.ts";
import { snapshotCreate, snapshotDelete, snapshotList, snapshotRestore } from "./snapshot.ts";
import { startCommand } from "./start.ts";
import { statusCommand } from "./status.ts";
import { stopCommand } from "./stop.ts";

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
  openapiCommand,
  examplesCommand,
  execCommand,
];
