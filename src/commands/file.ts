import { downloadFiles } from "./file/download.ts";
import { listFiles } from "./file/list.ts";
import { copyFiles, moveFiles } from "./file/move.ts";
import { filePermission, fileUrl } from "./file/permission.ts";
import { deleteFiles } from "./file/remove.ts";
import { syncFiles } from "./file/sync.ts";
import { uploadFiles } from "./file/upload.ts";
import type { Command } from "./kit/define.ts";

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
