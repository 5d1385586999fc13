import { defineCommand } from "../kit/command/define.ts";

export const readAll = defineCommand({
  path: ["read-all"],
  result: { shape: "none" },
  effect: "changes",
  summary: "Mark all notifications as read",
  examples: ["iot notification read-all", "iot notification read-all --dry-run"],
  related: ["iot notification read"],
  async run(ctx) {
    if (await ctx.dryRun({ method: "PUT", path: "/notification/markallread" })) return;
    await (await ctx.client()).notifications.markAllAsRead();
    await ctx.done("Marked all notifications as read");
  },
});
