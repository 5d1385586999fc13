import { setTimeout as wait } from "node:timers/promises";
import { TipError } from "../../lib/tip/codec.ts";
import type { FaultRule } from "../core/fault-rules.ts";

/** Codes of statuses. */
const codes: Readonly<Record<number, string>> = {
  400: "invalid_payload",
  401: "invalid_token",
  404: "device_not_found",
  405: "invalid_method",
  409: "invalid_seq",
  413: "payload_too_large",
  429: "rate_limited",
};

const statuses: ReadonlyMap<string, number> = new Map([
  ...Object.entries(codes).map(([status, code]) => [code, Number(status)] as const),
  ["auth_failed", 401],
  ["variable_not_found", 404],
  ["envelope_too_large", 413],
  ["server_error", 500],
]);

/** The HTTP status of a code; over other transports it is only shown. */
export const statusOf = (code: string): number => statuses.get(code) ?? 400;

/** Injects the faults of a request. @throws TipError the one of a status */
export async function applyFaults(rules: readonly FaultRule[]): Promise<"drop" | "truncate" | undefined> {
  for (const { kind, delayMs = 0, status = 500 } of rules) {
    if (kind === "latency") await wait(delayMs, undefined, { ref: false });
    if (kind === "drop") return kind;
    if (kind === "status") throw new TipError(codes[status] ?? "server_error", "Injected fault");
  }
  return rules.some(({ kind }) => kind === "truncate") ? "truncate" : undefined;
}
