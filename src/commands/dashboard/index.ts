import type { Command } from "../kit/command/define.ts";
import { analysesOfDashboard } from "./analyses.ts";
import { applyDashboards } from "./apply.ts";
import { copyDashboards } from "./copy.ts";
import { dashboardCrud } from "./dashboard.ts";
import { devDashboard } from "./dev.ts";
import { devicesOfDashboard } from "./devices.ts";
import { diffDashboards } from "./diff.ts";
import { duplicateDashboard } from "./duplicate.ts";
import { exportDashboards } from "./export.ts";
import { importDashboards } from "./import.ts";
import { migrateDashboards } from "./migrate.ts";
import { openDashboard } from "./open.ts";
import { renderDashboard } from "./render.ts";
import { rollbackDashboard } from "./rollback.ts";
import { shareDashboard } from "./share.ts";
import { snapshotCommands } from "./snapshot.ts";
import { viewDashboard } from "./view.ts";

export const commands: readonly Command[] = [
  ...dashboardCrud,
  duplicateDashboard,
  shareDashboard,
  devicesOfDashboard,
  analysesOfDashboard,
  openDashboard,
  renderDashboard,
  viewDashboard,
  devDashboard,
  exportDashboards,
  importDashboards,
  applyDashboards,
  diffDashboards,
  copyDashboards,
  migrateDashboards,
  ...snapshotCommands,
  rollbackDashboard,
];
