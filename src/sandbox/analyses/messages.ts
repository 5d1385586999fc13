import { createHash } from "node:crypto";
import { isRecord } from "../../lib/core/json.ts";
import { isId } from "../core/ids.ts";

/** Fields that contain a secret, or the id of one. */
const SECRETS: readonly string[] = ["twilio_sid", "twilio_token", "smtp_secret", "sqs_secret", "sendgrid_api_key"];
/** Of larger attachments only size and md5 are stored. */
const KEPT_ATTACHMENT_CHARS = 256 * 1024;

/** A message in the form the outbox stores: with the ids of secrets, without their values. */
export function withoutSecrets(message: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => [
      name,
      SECRETS.includes(name) && value !== undefined && !isId(value) ? "(not kept)" : value,
    ]),
  );
}

/** A number without a country code is North American. */
export const phoneNumber = (to: string): string => (to.startsWith("+") ? to : `+1${to}`);

export interface Attachment {
  readonly filename: string;
  readonly type?: string;
  readonly size: number;
  readonly md5: string;
  readonly archive?: string;
}

/** The bytes of an attachment: base64 when its type says so, else text. */
function attachmentBytes(archive: string, type: unknown): Buffer {
  return Buffer.from(archive, type === "base64" ? "base64" : "utf8");
}

/** Attachments of an email, one or a list, in the form the outbox stores. */
export function readAttachments(value: unknown): Attachment[] {
  const items = (Array.isArray(value) ? value : [value]).filter(isRecord);
  return items.map(({ archive, filename, type }) => {
    const text = typeof archive === "string" ? archive : JSON.stringify(archive ?? "");
    const bytes = attachmentBytes(text, type);
    return {
      filename: typeof filename === "string" ? filename : "attachment",
      ...(typeof type === "string" && { type }),
      size: bytes.length,
      md5: createHash("md5").update(bytes).digest("hex"),
      ...(text.length <= KEPT_ATTACHMENT_CHARS && { archive: text }),
    };
  });
}
