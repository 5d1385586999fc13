import { defined } from "../../lib/core/defined.ts";
import type { FaultRule } from "../../sandbox/http/faults.ts";
import { parseDuration, quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";

/**
 * Reads `--fault`: what happens, how often, and to which route, separated by spaces.
 * `status=503 count=2 GET /device*`, `latency=2s rate=0.5 *`, `drop POST /data`, `truncate GET /data`.
 */
export function parseFault(text: string): FaultRule {
  const words = text.trim().split(/\s+/);
  const settings = words.filter((word) => /^(status|latency|drop|truncate|count|rate|retry-after)(=|$)/.test(word));
  const route = words.filter((word) => !settings.includes(word)).join(" ");
  const strange = route.replace(/^(\*|(\*|[A-Z]+) [/*]\S*|\/\S*)$/, "");
  if (strange !== "") throw wrong(text, `${quote(strange)} is not a setting or a route.`);
  const values = new Map(settings.map((word) => [word.split("=", 1)[0] ?? "", word.split("=")[1]]));
  const kinds = (["status", "latency", "drop", "truncate"] as const).filter((kind) => values.has(kind));
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    throw wrong(text, "It needs exactly one of status, latency, drop and truncate.");
  const numbers = {
    status: numberOf("status"),
    count: numberOf("count"),
    rate: numberOf("rate"),
    retryAfterSeconds: numberOf("retry-after"),
  };
  const delay = values.get("latency");
  return {
    kind,
    ...(route === "" ? {} : { route }),
    ...(delay === undefined
      ? {}
      : { delayMs: parseDuration(/^\d+$/.test(delay) ? `${delay}ms` : delay, "--fault latency") }),
    ...defined(numbers),
  };

  function numberOf(name: string): number | undefined {
    const value = values.get(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (value === "" || Number.isNaN(number)) throw wrong(text, `${name} needs a number.`);
    return number;
  }
}

function wrong(text: string, why: string): Error {
  return usageError(`Invalid --fault ${quote(text)}.`, {
    why,
    next: 'Use the form --fault "status=503 count=2 GET /device*".',
  });
}
