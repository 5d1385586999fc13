import type { Command } from "../kit/command/define.ts";
import { countRows } from "./count.ts";
import { addRows } from "./data/add.ts";
import { deleteRows } from "./data/delete.ts";
import { exportRows } from "./data/export.ts";
import { importData } from "./data/import.ts";
import { listRows } from "./data/list.ts";
import { updateRows } from "./data/update.ts";
import { emptyEntity } from "./empty.ts";
import { entityCommands } from "./entity.ts";
import { schemaCommands } from "./schema.ts";

export const commands: readonly Command[] = [
  ...entityCommands,
  ...schemaCommands,
  countRows,
  emptyEntity,
  listRows,
  addRows,
  updateRows,
  deleteRows,
  importData,
  exportRows,
];
