import type { NotificationSend } from "../../index.ts";
import { dashboardFinder } from "../kit/finders/dashboard.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { defineService } from "./define-service.ts";

export const notification = defineService({
  verb: "notification",
  summary: "Send a notification to the account as an analysis",
  details: "With --dashboard, also notifies everyone the dashboard is shared with; the notification opens it.",
  path: "/analysis/services/notification/send",
  fields: [
    { name: "title", kind: "content", summary: "title" },
    { name: "message", kind: "content", summary: "text; @file reads a file" },
  ],
  options: [{ name: "dashboard", value: "id", summary: "dashboard to open: id, name:… or tag:…" }],
  needs: { title: "--title Tank", message: '--message "It is full."' },
  examples: [
    'iot service notification --title Tank --message "It is full." --analysis name:alert',
    'iot service notification --title Tank --message "It is full." --dashboard "name:Plant, old widgets" --dry-run',
  ],
  related: ["iot notification create"],
  async complete(ctx, input, body) {
    const dashboard = input.options.dashboard;
    if (dashboard !== undefined) body["ref_id"] = (await resolveId(ctx, dashboardFinder, dashboard)).id;
  },
  send: (services, body) => services.notification.send(body as unknown as NotificationSend),
});
