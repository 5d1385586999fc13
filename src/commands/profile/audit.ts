import type { Resources } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Options, OptionsOf } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, usageError } from "../kit/failures/command-error.ts";
import { chosenProfile, profileArgument, profileFinder } from "../kit/finders/profile.ts";
import { emptyText } from "../kit/output/empty.ts";
import { printFollowed } from "../kit/output/followed.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { createNames } from "./who.ts";

const DAY_MS = 86_400_000;
/** Longest time one search of the platform covers. */
const SPAN_MS = 7 * DAY_MS;
/** Events one search returns at most. */
const SEARCH_EVENTS = 1_000;
const DEFAULT_LIMIT = 20;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;
const SEARCH_MS = 5 * 60_000;
const FOLLOW_MS = 3_000;

const kinds = [
  "action",
  "am",
  "analysis",
  "connector",
  "dashboard",
  "device",
  "dictionary",
  "network",
  "profile",
  "run",
  "runuser",
] as const;

interface AuditEvent {
  readonly resourceName: string;
  readonly resourceID: string;
  readonly message: string;
  readonly who: string;
  readonly date: Date;
}

/** An event as it is shown. */
interface AuditRow {
  /** Name or email of who changed it; its id where nobody knows it. */
  readonly who: string;
  readonly date: Date;
  readonly resource_name: string;
  readonly resource_id: string;
  readonly message: string;
  readonly who_id: string;
}

const columns: readonly Column<AuditRow>[] = [
  { key: "who", rank: 1 },
  { key: "date", kind: "time", exact: true },
  { key: "resource_name", header: "kind" },
  { key: "message", rank: 1 },
  { key: "resource_id", header: "resource", kind: "id", hidden: true },
  { key: "who_id", kind: "id", hidden: true },
];

interface Search {
  readonly profile: string;
  readonly find?: string;
  readonly resourceID?: string;
  readonly resourceName?: (typeof kinds)[number];
}

const options = [
  { name: "from", kind: "instant", summary: "start time (-7d; now with --follow)" },
  {
    name: "to",
    kind: "instant",
    summary: "end time (now)",
    conflicts: { flags: ["follow"], next: "Use --for to stop after a time." },
  },
  { name: "find", value: "text", summary: "only events whose message contains this text" },
  { name: "kind", value: "kind", summary: "only changes to this kind of resource", choices: kinds },
  { name: "resource", value: "id", summary: "only changes to the resource with this id" },
  { name: "limit", kind: "integer", least: 0, summary: `maximum number of events (${DEFAULT_LIMIT})` },
  { name: "all", summary: "every event in the time range", conflicts: ["limit"] },
  { name: "follow", summary: "print new events as they happen" },
  { name: "for", kind: "duration", summary: "stop --follow after this time", needs: ["follow"] },
  { name: "count", kind: "integer", summary: "stop --follow after this many events", needs: ["follow"] },
] as const satisfies Options;

const searchOf = ({ find, resource, kind }: OptionsOf<typeof options>, profile: string): Search =>
  defined({ profile, find, resourceID: resource, resourceName: kind });

/** One search of the platform, waited for. Newest event first. */
async function searchOnce(
  ctx: CommandContext,
  { profiles }: Resources,
  { profile, ...filter }: Search,
  [fromMs, toMs]: readonly [number, number],
): Promise<AuditEvent[]> {
  const untilMs = ctx.clock.elapsed() + SEARCH_MS;
  let log = await lookUp(ctx, profileFinder, profile, () =>
    profiles.auditLog(profile, {
      ...filter,
      start_date: new Date(fromMs).toISOString(),
      end_date: new Date(toMs).toISOString(),
      limit: SEARCH_EVENTS,
    }),
  );
  for (let waitMs = FIRST_WAIT_MS; log.status === "Running"; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    if (ctx.clock.elapsed() > untilMs) throw failed("Timeout");
    await ctx.clock.sleep(waitMs);
    log = await profiles.auditLogQuery(profile, log.queryId);
  }
  if (log.status === "Failed" || log.status === "Timeout") throw failed(log.status);
  return [...(log.events ?? [])].sort((a, b) => timeOf(b) - timeOf(a));
}

const timeOf = ({ date }: AuditEvent): number => new Date(date).getTime();

const keyOf = (event: AuditEvent): string =>
  JSON.stringify([timeOf(event), event.resourceName, event.resourceID, event.message, event.who]);

function failed(status: string): CommandError {
  return new CommandError("The audit log search did not finish.", {
    code: "profile.audit_failed",
    exit: 1,
    why: `Its status is ${status}.`,
    next: "Narrow the search with --from and --to, or try again.",
  });
}

/** Events from the newest to the oldest; a long time is searched in pieces. */
async function* backwards(
  ctx: CommandContext,
  client: Resources,
  search: Search,
  span: readonly [number, number],
): AsyncGenerator<AuditEvent> {
  const [fromMs] = span;
  let toMs = span[1];
  const seen = new Set<string>();
  while (toMs >= fromMs) {
    const startMs = Math.max(fromMs, toMs - SPAN_MS);
    const events = await searchOnce(ctx, client, search, [startMs, toMs]);
    const fresh = events.filter((event) => !seen.has(keyOf(event)));
    for (const event of fresh) seen.add(keyOf(event));
    yield* fresh;
    // A full response may lack older events of the same piece; the next piece begins where this one ended.
    const last = events.at(-1);
    const isCut = events.length >= SEARCH_EVENTS && last !== undefined && fresh.length > 0;
    toMs = isCut ? timeOf(last) : startMs - 1;
  }
}

interface FollowLimits {
  readonly forMs: number;
  readonly count: number;
}

/** Events as they happen, the oldest first, until the time or the number is reached or Ctrl-C is pressed. */
async function* forwards(
  ctx: CommandContext,
  client: Resources,
  search: Search,
  fromMs: number,
  limits: FollowLimits,
): AsyncGenerator<AuditEvent> {
  const endMs = ctx.clock.elapsed() + limits.forMs;
  const seen = new Map<string, number>();
  let sinceMs = fromMs;
  let given = 0;
  while (!ctx.signal.aborted) {
    const nowMs = ctx.clock.now();
    const known = new Set(seen.keys());
    const events: AuditEvent[] = [];
    for await (const event of backwards(ctx, client, search, [sinceMs, nowMs + DAY_MS])) {
      if (!known.has(keyOf(event))) events.unshift(event);
    }
    for (const event of events) {
      seen.set(keyOf(event), timeOf(event));
      yield event;
      given += 1;
      if (given >= limits.count) return;
    }
    // Events may be written late, so the last minute is looked at again.
    sinceMs = Math.max(sinceMs, nowMs - 60_000);
    for (const [key, timeMs] of seen) if (timeMs < sinceMs) seen.delete(key);
    const leftMs = endMs - ctx.clock.elapsed();
    if (leftMs <= 0) return;
    await ctx.clock.sleep(Math.min(FOLLOW_MS, leftMs)).catch((reason: unknown) => {
      if (!ctx.signal.aborted) throw reason;
    });
  }
}

/** Events with the names of who made the changes. */
async function* withNames(
  events: AsyncIterable<AuditEvent>,
  client: Resources,
  profile: string,
): AsyncGenerator<AuditRow> {
  const nameOf = createNames(client, profile);
  for await (const { resourceName, resourceID, message, who, date } of events) {
    const names = { resource_name: resourceName, resource_id: resourceID };
    yield { who: await nameOf(who), date, ...names, message, who_id: who };
  }
}

/** `31/01/2026, 08:00:00  Jo Doe  device  Device Freezer 1 was updated`. */
function readable({ date, who, resource_name: kind, message }: AuditRow, zone: string | undefined): string {
  return `${new Date(date).toLocaleString("en-GB", { timeZone: zone })}  ${who}  ${kind}  ${message}`;
}

async function* firstOf<T>(all: AsyncIterable<T>, limit: number, onMore: () => void): AsyncGenerator<T> {
  let given = 0;
  for await (const one of all) {
    if (given === limit) return onMore();
    given += 1;
    yield one;
  }
}

const audit = defineCommand({
  path: ["audit"],
  result: rows(columns),
  effect: "reads",
  summary: "Show who changed what in a profile, newest first",
  details:
    "who is the name or email of an account, an analysis or a portal user, or the id of one that is gone or that the token cannot read; " +
    "who_id is always the id. Shows the last seven days unless --from is given. Longer ranges are searched seven days at a time. With --follow, waits " +
    "for new events and prints one per line until --for, --count or Ctrl-C.",
  args: [profileArgument],
  options,
  examples: [
    "iot profile audit --find logged",
    "iot profile audit --from -30d --kind device --all --json",
    "iot profile audit --follow --for 1s",
  ],
  exitCodes: [130, 143],
  related: ["iot profile statistics"],
  async run(ctx, { args, options: given }) {
    const { follow, from, to, for: forMs = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY } = given;
    const toMs = to?.getTime() ?? ctx.clock.now();
    const fromMs = from?.getTime() ?? (follow ? toMs : toMs - SPAN_MS);
    if (fromMs > toMs) throw usageError("--from is after --to.", { next: "Swap them." });
    const limit = given.all ? Number.POSITIVE_INFINITY : (given.limit ?? DEFAULT_LIMIT);
    const target = await chosenProfile(ctx, args.id);
    const search = searchOf(given, target.id);
    const client = await ctx.client();
    if (follow) {
      ctx.say.info(`Following changes to profile "${await target.name()}". Press Ctrl-C to stop.`);
      const list = { columns, empty: "No events.", idKey: "resource_id" } as const;
      const events = withNames(forwards(ctx, client, search, fromMs, { forMs, count }), client, target.id);
      await printFollowed(ctx, events, list, (event) => readable(event, ctx.flags.tz));
      return;
    }
    let more = false;
    const events = firstOf(backwards(ctx, client, search, [fromMs, toMs]), limit, () => {
      more = true;
    });
    await ctx.out.list(withNames(events, client, target.id), {
      columns,
      empty: emptyText(limit, "No matching events."),
      idKey: "resource_id",
    });
    if (more) ctx.say.hint(`${countOf(limit, "event")} shown; more exist. Use --limit <n> or --all.`);
  },
});

export const commands: readonly Command[] = [audit];
