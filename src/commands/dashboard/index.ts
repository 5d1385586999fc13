import type { Command } from "../kit/command/define.ts";
import { applyDashboards } from "./apply.ts";
import { copyDashboards } from "./copy.ts";
import { dashboardCrud } from "./crud.ts";
import { diffDashboards } from "./diff.ts";
import { duplicateDashboard } from "./duplicate.ts";
import { exportDashboards } from "./export.ts";
import { importDashboards } from "./import.ts";
import { migrateDashboards } from "./migrate/command.ts";
import { openDashboard } from "./open.ts";
import { analysesOfDashboard, devicesOfDashboard } from "./related.ts";
import { shareDashboard } from "./share.ts";
import { rollbackDashboard, snapshotCommands } from "./snapshot.ts";

export const commands: readonly Command[] = [
  ...dashboardCrud,
  duplicateDashboard,
  shareDashboard,
  devicesOfDashboard,
  analysesOfDashboard,
  openDashboard,
  exportDashboards,
  importDashboards,
  applyDashboards,
  diffDashboards,
  copyDashboards,
  migrateDashboards,
  ...snapshotCommands,
  rollbackDashboard,
];
