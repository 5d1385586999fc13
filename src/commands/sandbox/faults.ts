import { defined } from "../../lib/core/defined.ts";
import type { FaultRule } from "../../sandbox/core/fault-rules.ts";
import { parseDuration, quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";

const KINDS = ["status", "latency", "drop", "truncate", "cut", "stall", "duplicate", "delay"] as const;

/** Kinds without a value; the others and all settings have one. */
const BARE = ["drop", "truncate", "cut", "stall", "duplicate"];

const SETTING = new RegExp(
  `^((${BARE.join("|")})$|(status|latency|delay)(=|$)|(count|rate|retry-after|after|for|channel)=)`,
);

/**
 * Reads `--fault`: what happens, how often, and to which route, separated by spaces.
 * `status=503 count=2 GET /device*`, `latency=100ms-400ms rate=0.5 *`, `drop POST /data`, `cut after=3 GET /events`.
 */
export function parseFault(text: string): FaultRule {
  const words = text.trim().split(/\s+/);
  const settings = words.filter((word) => SETTING.test(word));
  const route = words.filter((word) => !settings.includes(word)).join(" ");
  const strange = route.replace(/^(\*|(\*|[A-Z]+) [/*]\S*|\/\S*|TIP [A-Z*]+ [a-z*]+)$/, "");
  if (strange !== "") throw wrong(text, `${quote(strange)} is not a setting or a route.`);
  const values = new Map(settings.map((word) => [word.split("=", 1)[0] ?? "", word.split("=")[1]]));
  const kinds = KINDS.filter((kind) => values.has(kind));
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    throw wrong(text, `It needs exactly one of ${KINDS.slice(0, -1).join(", ")} and ${KINDS.at(-1)}.`);
  }
  return {
    kind,
    ...(route === "" ? {} : { route }),
    ...rangeOf(values.get("latency") ?? values.get("delay"), `--fault ${kind}`),
    ...pointOf(values.get("after")),
    ...defined({
      status: numberOf("status"),
      count: numberOf("count"),
      rate: numberOf("rate"),
      retryAfterSeconds: numberOf("retry-after"),
      forMs: durationOf(values.get("for"), "--fault for"),
      channel: values.get("channel"),
    }),
  };

  function numberOf(name: string): number | undefined {
    const value = values.get(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (value === "" || Number.isNaN(number)) throw wrong(text, `${name} needs a number.`);
    return number;
  }
}

/** Rejects rules that can be read but make no sense, before anything is started or changed. */
export async function checkFaults(texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return;
  const { faultProblem } = await import("../../sandbox/core/fault-rules.ts");
  for (const text of texts) {
    const problem = faultProblem(parseFault(text));
    if (problem !== undefined) throw wrong(text, `${problem}.`);
  }
}

/** A duration; a bare number is milliseconds. */
function durationOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  return parseDuration(/^\d+$/.test(text) ? `${text}ms` : text, name);
}

/** `300ms`, or `100ms-400ms` for a random delay in between. */
function rangeOf(text: string | undefined, name: string): Pick<FaultRule, "delayMs" | "jitterMs"> {
  const [least, most] = text?.split("-", 2) ?? [];
  const delayMs = durationOf(least, name);
  const mostMs = durationOf(most, name);
  if (delayMs === undefined) return {};
  if (mostMs === undefined) return { delayMs };
  if (mostMs >= delayMs) return { delayMs, jitterMs: mostMs - delayMs };
  throw usageError(`Invalid ${name} ${quote(text ?? "")}.`, { next: "Put the shorter duration first: 100ms-400ms." });
}

/** `3` events, or `2s`. */
function pointOf(text: string | undefined): Pick<FaultRule, "after" | "afterMs"> {
  if (text === undefined) return {};
  if (/^\d+$/.test(text)) return { after: Number(text) };
  return defined({ afterMs: durationOf(text, "--fault after") });
}

function wrong(text: string, why: string): Error {
  return usageError(`Invalid --fault ${quote(text)}.`, {
    why,
    next: 'Use the form --fault "status=503 count=2 GET /device*".',
  });
}
