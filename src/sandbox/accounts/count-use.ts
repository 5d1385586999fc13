import { isRecord } from "../../lib/core/json.ts";
import type { Principal } from "../core/principal.ts";
import type { RouteOptions } from "../http/handler.ts";
import type { Signals } from "../signals.ts";
import type { OutboxMessage } from "../store/outbox.ts";
import type { CountedService, Usage } from "./usage.ts";

/** Rows of a response; a number counts as one. In JSON text every row has a time. */
function rowsIn(result: unknown): number {
  if (typeof result === "number") return 1;
  if (Array.isArray(result)) return result.length;
  if (!isRecord(result)) return 0;
  const { content, json, rows: found } = result;
  if (Array.isArray(found)) return found.length;
  if (typeof json === "string") return Math.max(1, json.split('"time":').length - 1);
  if (!Array.isArray(content)) return 0;
  return content.filter(isRecord).reduce((sum, { result: rows }) => sum + (Array.isArray(rows) ? rows.length : 0), 0);
}

/** Counts the rows of responses. The server calls it with the result of a handler. */
export function countServed(usage: Usage): (options: RouteOptions, principal: Principal, result: unknown) => void {
  return ({ counts }, { profile }, result) => {
    if (counts !== undefined) usage.count(profile, counts, rowsIn(result));
  };
}

/** Billed kinds of message. */
const SENT: Readonly<Record<string, CountedService>> = { email: "email", sms: "sms", push: "push_notification" };

/** Recipients of a message: a list is separated by commas or semicolons. */
const receiversIn = (to: unknown): number =>
  typeof to === "string" ? Math.max(1, to.split(/[,;]/).filter((part) => part.trim() !== "").length) : 1;

/** Push messages to administrators are free. */
const isFree = ({ kind, run_user }: OutboxMessage): boolean => kind === "push" && run_user === undefined;

/** Counts messages sent for a profile, once per recipient. Emails about an account are not counted. */
export function countSent(usage: Usage): (message: OutboxMessage) => void {
  return (message) => {
    const { kind, profile, to } = message;
    const service = Object.hasOwn(SENT, kind) && !isFree(message) ? SENT[kind] : undefined;
    if (service !== undefined && typeof profile === "string") usage.count(profile, service, receiversIn(to));
  };
}

/** Counts incoming rows. */
export function countUse({ signals, usage }: { readonly signals: Signals; readonly usage: Usage }): void {
  signals.on("dataStored", ({ profile, records }) => usage.count(profile, "input", records.length));
}
