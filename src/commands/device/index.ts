import type { Command } from "../kit/command/define.ts";
import { commands as chunkCommands } from "./chunk.ts";
import { convertDevice } from "./convert.ts";
import { copyDevice } from "./copy.ts";
import { backupData } from "./data/backup.ts";
import { chartData } from "./data/chart.ts";
import { countData } from "./data/count.ts";
import { deleteData } from "./data/delete.ts";
import { emptyData } from "./data/empty.ts";
import { exportData } from "./data/export.ts";
import { importData } from "./data/import.ts";
import { listData } from "./data/list.ts";
import { restoreData } from "./data/restore.ts";
import { sendData } from "./data/send.ts";
import { updateData } from "./data/update.ts";
import { deviceCommands } from "./device.ts";
import { sendDownlink } from "./downlink.ts";
import { exportDevices } from "./export.ts";
import { importDevices } from "./import.ts";
import { inspectDevice } from "./inspect.ts";
import { commands as paramCommands } from "./param.ts";
import { replaceDevice } from "./replace.ts";
import { simulateDevices } from "./simulate.ts";
import { rotateToken } from "./token/rotate.ts";
import { commands as tokenCommands } from "./token/token.ts";
import { deviceUsage } from "./usage.ts";
import { commands as watchCommands } from "./watch.ts";

export const commands: readonly Command[] = [
  ...deviceCommands,
  listData,
  sendData,
  updateData,
  deleteData,
  countData,
  emptyData,
  exportData,
  importData,
  chartData,
  exportDevices,
  importDevices,
  backupData,
  restoreData,
  ...chunkCommands,
  copyDevice,
  convertDevice,
  simulateDevices,
  inspectDevice,
  sendDownlink,
  ...paramCommands,
  ...tokenCommands,
  rotateToken,
  replaceDevice,
  deviceUsage,
  ...watchCommands,
];
