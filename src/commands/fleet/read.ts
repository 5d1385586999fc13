import type { Resources } from "../../index.ts";
import { ApiError } from "../../lib/core/errors.ts";
import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import { countText } from "../../text/count.ts";
import type { LimitRow } from "../kit/billing/limits.ts";
import { limitsOf } from "../kit/billing/limits.ts";
import { readingClient } from "../kit/client/batch-client.ts";
import type { CommandContext } from "../kit/context.ts";
import { readData } from "../kit/devices/data-read.ts";
import { CommandError, usageError } from "../kit/failures/command-error.ts";
import { mapLanes } from "../kit/lanes.ts";
import { meeting } from "../kit/resource/filter.ts";
import { expectTexts } from "../kit/resource/reply.ts";
import { type DeviceStateRow, dateOf, fleetRow, inOrder, type ListedDevice, type Thresholds } from "./rows.ts";
import { troubleIn } from "./trouble.ts";

/** Reading batteries takes a request and a billed record for each device. */
const MOST_BATTERIES = 1_000;
const BATTERY_MS = 3_600_000;
/** Analyses that ran last; the console of each takes a request. */
const MOST_ANALYSES = 20;
const MOST_ACTIONS = 50;
const DAY_MS = 86_400_000;
/** A run that started so long ago has ended: its console stays as it is. */
const RUN_MS = 180_000;

export interface FleetChoice extends Thresholds {
  readonly tags: readonly object[];
  readonly battery: string | undefined;
}

export interface FailingAnalysis {
  readonly id: string;
  readonly name: string;
  readonly last_run: Date;
  readonly line: string;
}

export interface FiredAction {
  readonly id: string;
  readonly name: string;
  readonly last_triggered: Date;
}

export interface Fleet {
  readonly atMs: number;
  /** Worst first. */
  readonly rows: readonly DeviceStateRow[];
  readonly plan: readonly LimitRow[];
  readonly analyses: readonly FailingAnalysis[];
  readonly actions: readonly FiredAction[];
  /** What could not be read, and why. */
  readonly problems: readonly string[];
}

/** By analysis: the failure its console shows, of a run that has ended. */
type Consoles = Map<string, { readonly runMs: number; readonly line: string | undefined }>;

/** Reads the fleet as often as asked for, and what seldom changes less often; `isAsked` reads all of it. */
export function createFleetReader(ctx: CommandContext, choice: FleetChoice) {
  let batteries: { readonly atMs: number; readonly values: ReadonlyMap<string, number> } | undefined;
  const consoles: Consoles = new Map();

  return async (isAsked: boolean): Promise<Fleet> => {
    const client = await readingClient(ctx);
    const problems: string[] = [];
    /** What is nice to have: a token need not be allowed to read it. */
    async function optional<T>(what: string, read: () => Promise<readonly T[]>): Promise<readonly T[]> {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof ApiError || error instanceof CommandError)) throw error;
        problems.push(`${what} could not be read: ${error.message}`);
        return [];
      }
    }
    const nowMs = ctx.clock.now();
    const [devices, plan, analyses, actions] = await Promise.all([
      listDevices(client, choice.tags),
      optional("The plan", async () => limitsOf(await client.profiles.summary("current"))),
      optional("Analyses", () => failingAnalyses(client, consoles, nowMs)),
      optional("Actions", () => firedActions(client, nowMs)),
    ]);
    if (choice.battery !== undefined && (isAsked || batteries === undefined || nowMs - batteries.atMs > BATTERY_MS)) {
      batteries = { atMs: nowMs, values: await readBatteries(ctx, client, devices, choice.battery) };
    }
    const rows = inOrder(devices.map((device) => fleetRow(device, batteries?.values.get(device.id), choice, nowMs)));
    return { atMs: nowMs, rows, plan, analyses, actions, problems };
  };
}

/** Oldest first, so that none is missed when others come meanwhile. */
async function listDevices(client: Resources, tags: readonly object[]): Promise<ListedDevice[]> {
  const found = new Map<string, ListedDevice>();
  for (let page = 1; ; page += 1) {
    const query = {
      page,
      amount: ALL_ROWS_AMOUNT,
      fields: ["id", "name", "active", "last_input", "tags"],
      filter: tags.length === 0 ? {} : { tags },
      orderBy: ["created_at", "asc"],
    } as Parameters<typeof client.devices.list>[0];
    const rows: readonly ListedDevice[] = await client.devices.list(query);
    expectTexts(rows, ["id", "name"], "with the devices");
    const before = found.size;
    for (const row of rows) found.set(row.id, row);
    if (rows.length < ALL_ROWS_AMOUNT || found.size === before) return [...found.values()].filter(meeting({ tags }));
  }
}

async function readBatteries(
  ctx: CommandContext,
  client: Resources,
  devices: readonly ListedDevice[],
  variable: string,
): Promise<ReadonlyMap<string, number>> {
  const sending = devices.filter((device) => device.active !== false && dateOf(device.last_input) !== null);
  if (sending.length > MOST_BATTERIES) {
    throw usageError(
      `--battery is for at most ${countText(MOST_BATTERIES)} devices, not ${countText(sending.length)}.`,
      {
        why: "It takes a request and a billed record for each device.",
        next: "Narrow the fleet with --tag, or leave --battery out.",
      },
    );
  }
  const values = await mapLanes(sending, ctx.flags.concurrency ?? 4, async ({ id }) => {
    const query = { variables: [variable], query: "last_value" };
    const [row] = await readData(client, id, query);
    const value = row?.value === undefined || row.value === "" ? Number.NaN : Number(row.value);
    return [id, value] as const;
  });
  return new Map(values.filter(([, value]) => Number.isFinite(value)));
}

/** Of the analyses that ran last, those whose console shows a failure. */
async function failingAnalyses(client: Resources, known: Consoles, nowMs: number): Promise<FailingAnalysis[]> {
  const listed = await client.analysis.list({
    amount: MOST_ANALYSES,
    fields: ["id", "name", "last_run"],
    orderBy: ["last_run", "desc"],
  });
  expectTexts(listed, ["id", "name"], "with the analyses");
  const failing = await mapLanes(listed, 4, async ({ id, name, last_run: run }): Promise<FailingAnalysis[]> => {
    const date = dateOf(run);
    if (date === null || nowMs - date.getTime() > DAY_MS) return [];
    const before = known.get(id);
    const isKnown = before?.runMs === date.getTime();
    const line = isKnown ? before.line : troubleIn(textsOf((await client.analysis.info(id)).console));
    if (nowMs - date.getTime() > RUN_MS) known.set(id, { runMs: date.getTime(), line });
    return line === undefined ? [] : [{ id, name, last_run: date, line }];
  });
  return failing.flat();
}

const textsOf = (lines: unknown): string[] => (Array.isArray(lines) ? lines.map(String) : []);

/** Actions that were triggered within a day, the last one first. */
async function firedActions(client: Resources, nowMs: number): Promise<FiredAction[]> {
  const listed = await client.actions.list({
    amount: MOST_ACTIONS,
    fields: ["id", "name", "last_triggered"],
    orderBy: ["last_triggered", "desc"],
  });
  expectTexts(listed, ["id", "name"], "with the actions");
  return listed.flatMap(({ id, name, last_triggered: moment }) => {
    const date = dateOf(moment);
    return date === null || nowMs - date.getTime() > DAY_MS ? [] : [{ id, name, last_triggered: date }];
  });
}
