import type { Resources } from "../../../index.ts";
import { ApiError } from "../../../lib/core/errors.ts";
import { ALL_ROWS_AMOUNT } from "../../../lib/core/limits.ts";
import type { CommandContext } from "../context.ts";
import { mapLanes } from "../lanes.ts";

/** Names of resources by their ids. */
export type Names = Readonly<Record<string, string>>;

/** A resource that something refers to: its type as access rules write it, and its id. */
export type Reference = readonly [type: string, id: string];

const LANES = 4;

const readers: Readonly<Record<string, (client: Resources, id: string) => Promise<string>>> = {
  analysis: async (client, id) => (await client.analysis.info(id)).name,
  connector: async (client, id) => (await client.integration.connectors.info(id)).name,
  dashboard: async (client, id) => (await client.dashboards.info(id)).label,
  device: async (client, id) => (await client.devices.info(id)).name,
  entity: async (client, id) => (await client.entities.info(id)).name,
  network: async (client, id) => (await client.integration.networks.info(id)).name,
  run_user: async (client, id) => (await client.run.userInfo(id)).name,
};

/** Names of all resources of a type, where the platform lists those of the profile. */
const listers: Readonly<
  Record<string, (client: Resources) => Promise<readonly (readonly [id: string, name: string])[]>>
> = {
  analysis: async (client) => named(await client.analysis.list({ amount: ALL_ROWS_AMOUNT, fields: ["id", "name"] })),
  dashboard: async (client) =>
    (await client.dashboards.list({ amount: ALL_ROWS_AMOUNT, fields: ["id", "label"] })).map(({ id, label }) => [
      id,
      label,
    ]),
  device: async (client) => named(await client.devices.list({ amount: ALL_ROWS_AMOUNT, fields: ["id", "name"] })),
  entity: async (client) => named(await client.entities.list({ amount: ALL_ROWS_AMOUNT, fields: ["id", "name"] })),
  run_user: async (client) => named(await client.run.listUsers({ amount: ALL_ROWS_AMOUNT, fields: ["id", "name"] })),
};

const named = (rows: readonly { readonly id: string; readonly name: string }[]) =>
  rows.map(({ id, name }) => [id, name] as const);

/** As `readNames`, with one request for all of a type that is listed: names beyond it stay unknown. */
async function listNames(client: Resources, references: readonly Reference[]): Promise<Names> {
  const types = [...new Set(references.map(([type]) => type))];
  const found = await mapLanes(types, LANES, async (type): Promise<Names> => {
    const own = references.filter((reference) => reference[0] === type);
    const list = listers[type];
    if (list === undefined || new Set(own.map(([, id]) => id)).size === 1) return readNames(client, own);
    try {
      return namesFor(own, Object.fromEntries(await list(client)));
    } catch (error) {
      if (error instanceof ApiError) return {};
      throw error;
    }
  });
  return Object.assign({}, ...found) as Names;
}

/** Asks for the names of resources, each once. Those that are gone, or that the token may not read, are left out. */
export async function readNames(client: Resources, references: readonly Reference[]): Promise<Names> {
  const wanted = [...new Map(references.map((each) => [each[1], each])).values()].filter(
    ([type, id]) => Object.hasOwn(readers, type) && /^[0-9a-f]{24}$/i.test(id),
  );
  const found = await mapLanes(wanted, LANES, async ([type, id]) => {
    try {
      return [[id, (await readers[type]?.(client, id)) ?? id]] as const;
    } catch (error) {
      if (error instanceof ApiError) return [];
      throw error;
    }
  });
  return Object.fromEntries(found.flat());
}

/** Those of the names that these references need. */
export function namesFor(references: readonly Reference[], names: Names): Names {
  return Object.fromEntries(
    references.flatMap(([, id]) => (names[id] === undefined ? [] : [[id, names[id]] as const])),
  );
}

/** A name with the id it stands for; the id alone where no name is known. */
export const withId = (id: string, names: Names | undefined): string =>
  names?.[id] === undefined ? id : `${names[id]} (${id})`;

/**
 * Adds the names of what rows refer to, where people read them; programs get the ids. Each name is asked for once, also
 * if rows arrive in pages, and those of many devices, analyses, dashboards, entities or users with one request.
 */
export function namesForPeople<Row extends object>(
  { out, io, flags }: CommandContext,
  client: Resources,
  referencesOf: ((row: Row) => readonly Reference[]) | undefined,
): (rows: readonly Row[]) => Promise<readonly Row[]> {
  if (referencesOf === undefined || out.format !== "table" || !io.stdoutIsTerminal || flags.jq !== undefined)
    return async (rows) => rows;
  let known: Names = {};
  return async (rows) => {
    const unknown = rows.flatMap(referencesOf).filter(([, id]) => known[id] === undefined);
    known = { ...known, ...(await listNames(client, unknown)) };
    return rows.map((row) => ({ ...row, names: namesFor(referencesOf(row), known) }));
  };
}
