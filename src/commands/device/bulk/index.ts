import type { Command } from "../../kit/command/define.ts";
import { chartData } from "../chart/command.ts";
import { exportDevices } from "../fleet/export.ts";
import { importDevices } from "../fleet/import.ts";
import { exportData } from "./export-command.ts";
import { importData } from "./import-command.ts";

/** Data and devices in bulk. */
export const commands: readonly Command[] = [exportData, importData, chartData, exportDevices, importDevices];
