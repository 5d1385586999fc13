import type { Options, OptionsOf } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import type { BodyField } from "../kit/resource/body.ts";
import { attachedFile } from "./attachments.ts";

export const mailFields = [
  { name: "to", repeat: true, kind: "email", summary: "recipient" },
  { name: "from", kind: "content", value: "address", summary: "sender and reply-to address" },
  { name: "subject", kind: "content", summary: "subject" },
  { name: "message", kind: "content", summary: "plain text; @file reads a file", conflicts: ["html"] },
] as const satisfies readonly BodyField[];

export const mailOptions = [
  { name: "html", file: "in", value: "file", summary: "HTML file to send instead of --message; - is stdin" },
  { name: "attach", file: "in", value: "file", summary: "file to attach (5 MB at most)", repeat: true },
] as const satisfies Options;

export const mailNeeds = { to: "--to jo@example.test", subject: '--subject "Tank"' } as const;

/** Content and files of an email. */
export async function completeMail(
  ctx: CommandContext,
  options: OptionsOf<typeof mailOptions>,
  body: Record<string, unknown>,
): Promise<void> {
  const { html } = options;
  if (html !== undefined) body["html"] = await ctx.readInput(html, "--html");
  const files = await Promise.all(options.attach.map((path) => attachedFile(ctx, path, "--attach")));
  if (files.length > 0) body["attachment"] = files;
  if (Array.isArray(body["to"])) body["to"] = body["to"].join(",");
}

export function needContent(body: Readonly<Record<string, unknown>>): void {
  if (body["message"] !== undefined || body["html"] !== undefined) return;
  throw usageError("The message has no text.", {
    code: "usage.missing_value",
    next: 'Add --message "It is full." or --html page.html.',
  });
}
