import { ApiError } from "../../lib/core/errors.ts";
import type { CommandContext, Connection, Target } from "../kit/context.ts";
import { toFailure } from "../kit/failures/failures.ts";
import { isObject } from "../kit/files/files.ts";
import { maskToken } from "../kit/say/redact.ts";
import { describeToken } from "../kit/settings/exchange.ts";
import { type Diagnosis, failed, ok, problem, warning } from "./check.ts";

const largestDriftMs = 60_000;
const patienceMs = 10_000;

async function names(target: Target): Promise<Diagnosis> {
  const { hostname } = new URL(target.api);
  const { lookup } = await import("node:dns/promises");
  try {
    const { address } = await lookup(hostname.replace(/^\[|\]$/g, ""));
    return ok("name lookup", `${hostname} is ${address}`);
  } catch (error) {
    const word = error instanceof Error && "code" in error ? String(error.code) : "failed";
    return problem(
      "name lookup",
      `${hostname} could not be resolved (${word}).`,
      "Check the host name and the network.",
      10,
    );
  }
}

async function api(ctx: CommandContext, target: Target): Promise<readonly Diagnosis[]> {
  const { rawRequest } = await import("../../lib/api/raw.ts");
  const started = ctx.clock.now();
  try {
    const params = { timeoutMs: patienceMs, ...ctx.clientOptions(), region: { api: target.api, sse: target.events } };
    const reply = await rawRequest(params, { method: "GET", path: "/status" });
    const ended = ctx.clock.now();
    const version = isObject(reply.result) ? String(reply.result["version"] ?? "") : "";
    const found = ok(
      "API",
      `${target.api} responded in ${ended - started} ms${version === "" ? "" : `, version ${version}`}`,
    );
    return [found, drift(reply.header("date"), (started + ended) / 2)];
  } catch (error) {
    return [failed("API", error)];
  }
}

/** Expiry of tokens and times of data depend on the clock. */
function drift(date: string | undefined, nowMs: number): Diagnosis {
  const serverMs = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(serverMs))
    return warning("clock", "The platform's response has no date.", "Check the clock yourself.");
  const driftMs = Math.round(nowMs - serverMs);
  const detail = `${Math.abs(driftMs / 1000).toFixed(0)} s ${driftMs >= 0 ? "ahead of" : "behind"} the platform`;
  return Math.abs(driftMs) > largestDriftMs
    ? warning("clock", detail, "Fix the clock, or enable time synchronization.")
    : ok("clock", detail);
}

/** Any response of the event stream's address will do: without channels it is a 4xx error, and that is enough. */
async function events(ctx: CommandContext, target: Target): Promise<Diagnosis> {
  const { rawRequest } = await import("../../lib/api/raw.ts");
  const url = new URL(target.events);
  try {
    const params = {
      timeoutMs: patienceMs,
      ...ctx.clientOptions(),
      attempts: 1,
      region: { api: url.origin, sse: target.events },
    };
    await rawRequest(params, { method: "GET", path: url.pathname });
    return ok("event stream", target.events);
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return ok("event stream", `${target.events} responded`);
    return failed("event stream", error);
  }
}

async function token(ctx: CommandContext): Promise<readonly Diagnosis[]> {
  let connection: Connection;
  try {
    connection = await ctx.connection();
  } catch (error) {
    return [failed("token", error)];
  }
  const name = `${maskToken(connection.token)} from ${connection.tokenSource}`;
  try {
    const facts = await describeToken(ctx, connection, connection.token);
    const detail = `${name}: ${facts.type} token, permission ${facts.permission || "unknown"}, expires ${facts.expires || "unknown"}`;
    const found =
      facts.permission === "full" || facts.type === "device"
        ? ok("token", detail)
        : warning("token", detail, "Some commands need a token with full permission.");
    return facts.type === "profile" ? [found, await limits(ctx, connection)] : [found];
  } catch (error) {
    return [failed("token", error)];
  }
}

/** Services of which more than four fifths are used up. */
async function limits(ctx: CommandContext, connection: Connection): Promise<Diagnosis> {
  const { rawRequest } = await import("../../lib/api/raw.ts");
  const { api, events: sse, token: own } = connection;
  try {
    const params = { ...ctx.clientOptions(), region: { api, sse }, token: own };
    const { result } = await rawRequest(params, { method: "GET", path: "/profile/current/summary" });
    const limit = isObject(result) && isObject(result["limit"]) ? result["limit"] : {};
    const used = isObject(result) && isObject(result["limit_used"]) ? result["limit_used"] : {};
    const tight = Object.entries(limit).flatMap(([service, most]) => {
      const share = typeof most === "number" && most > 0 ? Number(used[service] ?? 0) / most : 0;
      return share >= 0.8 ? [`${service} ${Math.round(share * 100)} %`] : [];
    });
    if (tight.length === 0) return ok("service limits", "all below 80%");
    return warning("service limits", `Almost reached: ${tight.join(", ")}.`, "Use less, or raise the limits.");
  } catch (error) {
    const { message } = toFailure(error);
    return warning("service limits", message, "Reading limits needs a token that can read the profile.");
  }
}

/** Checks of the platform the command would talk to. */
export async function remoteChecks(ctx: CommandContext): Promise<readonly Diagnosis[]> {
  const target = await ctx.target();
  const [lookup, reach, stream] = await Promise.all([names(target), api(ctx, target), events(ctx, target)]);
  const isReachable = reach[0]?.state === "ok";
  return [lookup, ...reach, stream, ...(isReachable ? await token(ctx) : [])];
}
