import { setImmediate as nextTurn } from "node:timers/promises";
import { isRecord } from "../../lib/core/json.ts";
import { toDataDevice } from "../data/device.ts";
import type { DataStore } from "../data/store.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { createCollector } from "./collect.ts";
import { type Item, parseStatement, type TableCall } from "./parse.ts";
import type { Values } from "./reader.ts";
import { type Column, notRun, refused } from "./refusals.ts";
import { DATA_COLUMNS, DEVICE_COLUMNS } from "./tables.ts";
import type { Row } from "./values.ts";

interface SqlParts extends Collections {
  readonly data: DataStore;
  readonly db: SandboxDatabase;
}

const MAX_MS = 5_000;
/** Yields to other requests after this time. */
const TURN_MS = 20;

/** A result in the format of `POST /sql/:id/execute`. */
export interface SqlResult {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly row_count: number;
  readonly execution_ms: number;
  readonly served_from_cache: false;
}

/** Number of arguments of each table. */
const TABLES: Readonly<Record<string, number>> = { device: 1, device_tag: 2, devices: 0 };

function columnsOf({ name, args }: TableCall): readonly Column[] {
  const wanted = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined;
  if (wanted === undefined) throw notRun(`the table ${name.slice(0, 100)}`);
  if (args.length !== wanted || args.some((value) => typeof value !== "string"))
    throw refused(`The table ${name} takes ${wanted} strings`);
  return name === "devices" ? DEVICE_COLUMNS : DATA_COLUMNS;
}

/** Tags of a record of any kind. */
const tagsOf = ({ tags }: EntityDocument): readonly Row[] => (Array.isArray(tags) ? tags.filter(isRecord) : []);

/** The rows of a table: only those of the profile's own devices. */
function* rowsOf(app: SqlParts, profile: string, { name, args }: TableCall): Generator<Row> {
  const devices = app.collection("device");
  if (name === "devices") {
    yield* devices.all(profile);
    return;
  }
  const [first, second] = args;
  const chosen =
    name === "device"
      ? [devices.need(String(first), profile)]
      : devices.all(profile).filter((one) => tagsOf(one).some(({ key, value }) => key === first && value === second));
  for (const device of chosen) {
    const stored = toDataDevice(device);
    // Drops rows past their retention.
    app.db.transaction(() => app.data.count(stored));
    for (const rows of app.data.pages(stored)) for (const row of rows) yield { ...row };
  }
}

function typeOf({ of, column }: Item): unknown {
  if (of === "count") return "integer";
  return of === "sum" || of === "avg" ? "number" : column?.type;
}

/**
 * Runs a statement over the data of a profile's devices, without blocking other requests.
 *
 * @throws PlatformError 501 for what the sandbox cannot run, 400 for mistakes and for results that take too long
 */
export async function runStatement(app: SqlParts, profile: string, query: string, values: Values): Promise<SqlResult> {
  const startMs = performance.now();
  const check = (): void => {
    if (performance.now() - startMs > MAX_MS) throw refused(`The query ran longer than ${MAX_MS / 1000} seconds`);
  };
  const statement = parseStatement(query, values, columnsOf, check);
  const { items, shown, where, table } = statement;
  const collector = createCollector(statement);
  let turnMs = startMs;
  let isOpen = statement.limit !== 0;
  for (const row of isOpen ? rowsOf(app, profile, table) : []) {
    check();
    if (where === undefined || where(row) === true) isOpen = collector.add(row);
    if (!isOpen) break;
    if (performance.now() - turnMs < TURN_MS) continue;
    await nextTurn();
    turnMs = performance.now();
  }
  const visible = items.slice(0, shown);
  const rows = collector.end().map((cells) => Object.fromEntries(visible.map(({ name }, at) => [name, cells[at]])));
  return {
    columns: visible.map((item) => ({ name: item.name, type: typeOf(item) })),
    rows,
    row_count: rows.length,
    execution_ms: Math.round(performance.now() - startMs),
    served_from_cache: false,
  };
}
