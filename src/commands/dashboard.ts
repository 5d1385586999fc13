import { applyDashboards } from "./dashboard/apply.ts";
import { copyDashboards } from "./dashboard/copy.ts";
import { dashboardCrud } from "./dashboard/crud.ts";
import { diffDashboards } from "./dashboard/diff.ts";
import { duplicateDashboard } from "./dashboard/duplicate.ts";
import { exportDashboards } from "./dashboard/export.ts";
import { importDashboards } from "./dashboard/import.ts";
import { migrateDashboards } from "./dashboard/migrate.ts";
import { openDashboard } from "./dashboard/open.ts";
import { analysesOfDashboard, devicesOfDashboard } from "./dashboard/related.ts";
import { shareDashboard } from "./dashboard/share.ts";
import { rollbackDashboard, snapshotCommands } from "./dashboard/snapshot.ts";
import type { Command } from "./kit/define.ts";

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
