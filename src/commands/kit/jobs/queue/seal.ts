import type { CommandContext } from "../../context.ts";
import { usageError } from "../../failures/command-error.ts";
import { readTextIfThere } from "../../files/files.ts";
import { rememberSecret } from "../../say/redact.ts";

const LEAST_CHARACTERS = 32;

/** The key that submitter and workers share, from IOT_QUEUE_KEY or the file of `queue-key-file`. Never printed. */
export function queueKey(ctx: Pick<CommandContext, "env" | "user">): string | undefined {
  const file = ctx.user.settings.get("queue-key-file")?.value;
  const key = ctx.env["IOT_QUEUE_KEY"] || (file === undefined ? undefined : keyIn(file));
  if (key === undefined) return undefined;
  if (key.length >= LEAST_CHARACTERS) {
    rememberSecret(key);
    return key;
  }
  throw usageError("The key of the queue is too short.", {
    code: "queue.weak_key",
    why: `It has ${key.length} characters; ${LEAST_CHARACTERS} are needed.`,
    next: "Make one with: openssl rand -hex 32",
  });
}

function keyIn(file: string): string {
  const text = readTextIfThere(file)?.trim();
  if (text !== undefined) return text;
  throw usageError("The file of the queue's key does not exist.", {
    code: "queue.no_key",
    why: `IOT_QUEUE_KEY_FILE (queue-key-file) names ${file}.`,
    next: "Correct the path, or set IOT_QUEUE_KEY.",
  });
}

/** HMAC-SHA256 over the parts; empty without a key. */
export function sealOf(key: string | undefined, parts: readonly unknown[]): string {
  if (key === undefined) return "";
  const { createHmac } = process.getBuiltinModule("node:crypto");
  return createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");
}

/** Why a seal does not hold; undefined when it does. */
export function brokenSeal(key: string | undefined, parts: readonly unknown[], seal: unknown): string | undefined {
  const expected = sealOf(key, parts);
  const given = typeof seal === "string" ? seal : "";
  if (key === undefined && given !== "") return "it is signed, and this process has no key (IOT_QUEUE_KEY)";
  if (key !== undefined && given === "") return "it is not signed, and this process has a key";
  const { timingSafeEqual } = process.getBuiltinModule("node:crypto");
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  if (one.length === other.length && timingSafeEqual(one, other)) return undefined;
  return "its signature is wrong: it was changed, or signed with another key";
}
