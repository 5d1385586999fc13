import { ApiError } from "../../../lib/core/errors.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import type { CommandContext } from "../../kit/context.ts";
import { isNotFound } from "../../kit/resource/not-found.ts";
import { type BulkAction, type BulkKind, bulkKind } from "./bulk.ts";
import type { BulkForm } from "./bulk-form.ts";

/** `device delete` by workers. */
export const deleteKind: BulkKind = bulkKind("device delete", deleting);

/** `device delete` for many. */
export const bulkDelete: BulkForm = {
  details: "Bulk form: without an id, --tag, --where and --ids select the devices to delete.",
  examples: [
    "iot device delete --tag device_type=freezer --dry-run",
    'iot device delete --where "last_input<-365d" --report deleted.csv --dry-run',
  ],
  action: deleting,
  kind: deleteKind,
};

async function deleting(ctx: CommandContext): Promise<BulkAction> {
  const { devices } = await batchClient(ctx);
  return {
    key: [],
    verbs: ["Delete", "Deleting", "Deleted"],
    level: 2,
    result: "deleted",
    changes: async ({ id }) => [{ field: "device", before: id, after: "deleted" }],
    requests: ({ id }) => [{ method: "DELETE", path: `/device/${id}` }],
    prepare:
      async ({ id }, isBegun) =>
      async () => {
        try {
          await devices.delete(id);
        } catch (error) {
          if (!isBegun || !(error instanceof ApiError) || !isNotFound(error)) throw error;
        }
        return { result: "deleted", id };
      },
  };
}
