import { basename } from "node:path";
import type { AttachmentArchive } from "../../index.ts";
import { attachedFile } from "./attachments.ts";
import { defineService } from "./define-service.ts";

export const attachment = defineService({
  verb: "attachment",
  summary: "Store a file on the platform as an analysis",
  details: 'To manage the files of a profile, use "iot file upload".',
  path: "/analysis/services/attachment/upload",
  fields: [
    { name: "name", kind: "content", summary: "file name (default: that of --file)" },
    {
      name: "mime-type",
      formerly: ["type"],
      member: "type",
      kind: "content",
      value: "mime",
      summary: "MIME type: text/csv",
    },
  ],
  options: [{ name: "file", file: "in", value: "file", summary: "file to send (5 MB at most)" }],
  needs: { name: "--name report.csv", content: "--file report.csv", type: "--mime-type text/csv" },
  examples: [
    "iot service attachment --file report.js --mime-type text/javascript --analysis name:alert",
    "iot service attachment --file report.js --name alarm.js --mime-type text/javascript --dry-run",
  ],
  related: ["iot file upload"],
  async complete(ctx, input, body) {
    const path = input.options.file;
    if (path === undefined) return;
    body["content"] = (await attachedFile(ctx, path, "--file")).archive;
    body["name"] ??= basename(path);
  },
  wire({ name, content, ...body }) {
    return { ...body, archive: content, filename: name };
  },
  send: (services, body) => services.attachment.upload(body as unknown as AttachmentArchive),
});
