import type { Command } from "../kit/command/define.ts";
import { copyFiles } from "./copy.ts";
import { deleteFiles } from "./delete.ts";
import { downloadFiles } from "./download.ts";
import { listFiles } from "./list.ts";
import { moveFiles } from "./move.ts";
import { filePermission } from "./permission.ts";
import { syncFiles } from "./sync.ts";
import { uploadFiles } from "./upload.ts";
import { fileUrl } from "./url.ts";

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
