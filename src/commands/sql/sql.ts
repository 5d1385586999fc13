import type { SQLInfo } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { mapLanes } from "../kit/lanes.ts";
import { type ListPlan, resource } from "../kit/resource/resource.ts";
import { resourceRoutes } from "../kit/resource/routes.ts";
import { queryFinder } from "./finder.ts";
import { paramOption, paramsOf } from "./params.ts";

const columns: readonly Column<SQLInfo>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "tags", kind: "tags" },
  { key: "active", kind: "flag", hidden: true },
  { key: "version", kind: "number", hidden: true },
  { key: "query", hidden: true },
  { key: "params", kind: "json", hidden: true },
  { key: "description", hidden: true },
  { key: "cache_ttl_seconds", header: "cache", kind: "number", hidden: true },
  { key: "rate_limit_rpm", header: "rate_limit", kind: "number", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

/** Fields the platform's list has; the others are requested query by query. */
const listed: readonly string[] = ["id", "name", "tags"];
const LANES = 4;

function planList(_ctx: CommandContext, _input: unknown, plan: ListPlan<SQLInfo>): ListPlan<SQLInfo> {
  if (plan.request.fields.every((field) => listed.includes(field))) return plan;
  return {
    ...plan,
    read: async (client, query) => mapLanes(await plan.read(client, query), LANES, ({ id }) => client.sql.info(id)),
  };
}

/** A time of 0 switches the cache off. */
const cacheOf = (seconds: number | undefined): object => (seconds === undefined ? {} : { cache_enabled: seconds > 0 });

/** The whole record, since the platform replaces all of it: what is there, what changes, and parameters that are used. */
function replacement(current: SQLInfo, changes: Partial<SQLInfo>): Record<string, unknown> {
  const { name, query, description, params = [], active, tags } = current;
  const { cache_enabled, cache_ttl_seconds, rate_limit_rpm } = current;
  const kept = { name, query, description, active, tags, cache_enabled, cache_ttl_seconds, rate_limit_rpm };
  const next = { ...defined(kept), ...changes };
  const used = new Set(next.query?.match(/\$\d+/g));
  const values = new Map([...params, ...(changes.params ?? [])].map(({ key, value }) => [key, value]));
  return { ...next, params: [...values].flatMap(([key, value]) => (used.has(key) ? [{ key, value }] : [])) };
}

export const commands: readonly Command[] = resource({
  finder: queryFinder,
  route: resourceRoutes.sql,
  api: ({ sql }) => sql,
  columns,
  fields: [
    {
      name: "name",
      kind: "content",
      needed: '--name "Warm rooms"',
      summary: "name of the query, at most 64 characters",
    },
    {
      name: "query",
      kind: "content",
      value: "sql",
      needed: '--query "SELECT … FROM device(…) AS d"',
      summary: "SELECT statement; @file reads it",
    },
    { name: "description", kind: "content", summary: "description" },
    { name: "active", off: "inactive", summary: "whether the query can run" },
    {
      name: "cache-ttl",
      kind: "number",
      value: "seconds",
      member: "cache_ttl_seconds",
      summary: "reuse a result for this long; 0 turns the cache off",
    },
    { name: "rate-limit", kind: "number", member: "rate_limit_rpm", summary: "runs per minute" },
  ],
  options: [paramOption("default of a parameter: 1=x for $1")],
  body: async (_ctx, { options }) => {
    const params = paramsOf(options.param);
    return { ...cacheOf(options.cacheTtl), ...(params.length > 0 && { params }) };
  },
  tags: true,
  list: {
    filterable: ["id", "name"],
    sortable: ["name", "active", "created_at", "updated_at"],
    fields: listed,
    filters: [
      { name: "name", value: "text", summary: "queries with this name; * matches any text" },
      { name: "active", summary: "active queries only", off: { name: "inactive", summary: "inactive queries only" } },
    ],
    details: "The platform lists only id, name and tags; each other field takes one more request per query.",
    examples: ["iot sql list", "iot sql list --tag site=plant --json"],
    plan: planList,
  },
  get: {
    examples: ['iot sql get "name:Warm freezer"', 'iot sql get "name:Warm freezer" --json --fields query,params'],
  },
  create: {
    details: "A statement is one SELECT; every table needs an alias (AS), every parameter ($1, $2 …) a default.",
    examples: [
      'iot sql create --name "Devices" --query "SELECT d.id, d.name FROM devices() AS d"',
      'iot sql create --name "Warm rooms" --query @examples/sql/warm-freezer.sql --param 1=-10 --tag site=plant',
    ],
    hint: ({ id }) => `Run it with "iot sql run ${id}".`,
  },
  update: {
    change: "--query @file.sql or --param 1=-10",
    details: "A new statement becomes a new version; everything that is not given stays as it is.",
    examples: [
      'iot sql update "name:Warm freezer" --param 1=-10',
      'iot sql update "name:Warm freezer" --query @examples/sql/warm-freezer.sql --dry-run',
    ],
    complete: async (ctx, _input, changes, { id }) => replacement(await (await ctx.client()).sql.info(id), changes),
  },
  delete: {
    examples: ['iot sql delete "name:Warm freezer" --dry-run', 'iot sql rm "name:Warm freezer" --dry-run'],
  },
});
