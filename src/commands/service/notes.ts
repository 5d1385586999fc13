import { basename } from "node:path";
import type { AttachmentArchive, NotificationSend } from "../../index.ts";
import { dashboardFinder } from "../dashboard/finder.ts";
import { option } from "../kit/command/arguments.ts";
import type { Command } from "../kit/command/define.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { attachedFile } from "./attachments.ts";
import { defineService } from "./define-service.ts";

const notification = defineService({
  verb: "notification",
  summary: "Notify the account as an analysis does",
  details: "With --dashboard everybody the dashboard is shared with is notified, and the notification opens it.",
  path: "/analysis/services/notification/send",
  fields: [
    { flag: "title", summary: "title" },
    { flag: "message", summary: "text; @file reads it" },
  ],
  options: [{ name: "dashboard", value: "id", summary: "dashboard to open: id, name:… or tag:…" }],
  needs: { title: "--title Tank", message: '--message "It is full."' },
  examples: [
    'iot service notification --title Tank --message "It is full." --analysis name:alert',
    'iot service notification --title Tank --message "It is full." --dashboard "name:Plant, old widgets" --dry-run',
  ],
  related: ["iot notification create"],
  async complete(ctx, input, body) {
    const dashboard = option(input, "dashboard");
    if (dashboard !== undefined) body["ref_id"] = (await resolveId(ctx, dashboardFinder, dashboard)).id;
  },
  send: (services, body) => services.notification.send(body as unknown as NotificationSend),
});

const attachment = defineService({
  verb: "attachment",
  summary: "Hand a file to the platform to keep",
  details: 'Files of the profile have commands of their own: "iot file upload".',
  path: "/analysis/services/attachment/upload",
  fields: [
    { flag: "name", summary: "name of the file (that of --file)" },
    { flag: "type", value: "mime", summary: "MIME type: text/csv" },
  ],
  options: [{ name: "file", value: "file", summary: "file to send, 5 MB at most" }],
  needs: { name: "--name report.csv", content: "--file report.csv", type: "--type text/csv" },
  examples: [
    "iot service attachment --file report.js --type text/javascript --analysis name:alert",
    "iot service attachment --file report.js --name alarm.js --type text/javascript --dry-run",
  ],
  related: ["iot file upload"],
  async complete(ctx, input, body) {
    const path = option(input, "file");
    if (path === undefined) return;
    body["content"] = (await attachedFile(ctx, path, "--file")).archive;
    body["name"] ??= basename(path);
  },
  wire({ name, content, ...body }) {
    return { ...body, archive: content, filename: name };
  },
  send: (services, body) => services.attachment.upload(body as unknown as AttachmentArchive),
});

const consoleLine = defineService({
  verb: "console",
  summary: "Write a line to the console of an analysis",
  path: "/analysis/services/console/send",
  fields: [
    { flag: "message", summary: "the line; @file reads it" },
    { flag: "time", member: "timestamp", kind: "time", summary: "when it happened (now)" },
  ],
  needs: { message: '--message "The tank is full."' },
  examples: [
    'iot service console --message "The tank is full." --analysis name:alert',
    'iot service console --message "The tank was full." --time -1h --dry-run',
  ],
  related: ["iot analysis console"],
  send(services, { message, timestamp }) {
    const time = typeof timestamp === "string" || typeof timestamp === "number" ? new Date(timestamp) : undefined;
    return services.console.log(String(message), time);
  },
});

export const noteCommands: readonly Command[] = [notification, attachment, consoleLine];
