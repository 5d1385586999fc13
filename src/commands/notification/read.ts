import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { resolveSeveral } from "../kit/resource/resolve-id.ts";
import { idForms, notificationFinder } from "./notification.ts";

const markColumns: readonly Column<{ readonly id: string; readonly read: boolean }>[] = [
  { key: "id", kind: "id" },
  { key: "read", kind: "flag" },
];

export const read = defineCommand({
  path: ["read"],
  result: rows(markColumns),
  effect: "changes",
  summary: "Mark notifications as read",
  args: [{ name: "id", summary: idForms, variadic: true }],
  options: [{ name: "unread", summary: "mark as unread instead" }],
  examples: ['iot notification read "name:Freezer 1"', 'iot notification read "name:Freezer 1" name:Welcome --unread'],
  related: ["iot notification read-all", "iot notification list"],
  async run(ctx, input) {
    const isRead = !input.options.unread;
    const ids = (await resolveSeveral(ctx, notificationFinder, input.args.id)).map(({ id }) => id);
    const body = { notification_ids: ids, read: isRead };
    if (await ctx.dryRun({ method: "PUT", path: "/notification/read", body })) return;
    const { notifications } = await ctx.client();
    await (isRead ? notifications.markAsRead(ids) : notifications.markAsUnread(ids));
    await ctx.out.list(
      ids.map((id) => ({ id, read: isRead })),
      { columns: markColumns, empty: "No changes." },
    );
    const what = countOf(ids.length, "notification");
    await ctx.done(`Marked ${what} as ${isRead ? "read" : "unread"}`);
  },
});
