import { exportData } from "./device/bulk/export-command.ts";
import { importData } from "./device/bulk/import-command.ts";
import { chartData } from "./device/chart/command.ts";
import { exportDevices } from "./device/fleet/export.ts";
import { importDevices } from "./device/fleet/import.ts";
import type { Command } from "./kit/define.ts";

/** Data and devices in bulk. */
export const commands: readonly Command[] = [exportData, importData, chartData, exportDevices, importDevices];
