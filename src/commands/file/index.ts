import type { Command } from "../kit/command/define.ts";
import { downloadFiles } from "./download.ts";
import { listFiles } from "./list.ts";
import { copyFiles, moveFiles } from "./move.ts";
import { filePermission, fileUrl } from "./permission.ts";
import { deleteFiles } from "./remove.ts";
import { syncFiles } from "./sync.ts";
import { uploadFiles } from "./upload.ts";

export const commands: readonly Command[] = [
  listFiles,
  uploadFiles,
  downloadFiles,
  copyFiles,
  moveFiles,
  deleteFiles,
  filePermission,
  fileUrl,
  syncFiles,
];
