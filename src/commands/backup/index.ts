import type { Command } from "../kit/command/define.ts";
import { create, list, remove } from "./backup.ts";
import { download } from "./download.ts";
import { restore } from "./restore.ts";

export const commands: readonly Command[] = [create, list, download, restore, remove];
