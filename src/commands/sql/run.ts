import type { Resources, SQLColumn, SQLResult } from "../../index.ts";
import { ApiError } from "../../lib/core/errors.ts";
import { clientAs } from "../kit/client/as-user.ts";
import { batchClient } from "../kit/client/batch-client.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { either, rows, value } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, usageError } from "../kit/failures/command-error.ts";
import { messageOf } from "../kit/resource/batch.ts";
import { expectLists, expectTexts } from "../kit/resource/reply.ts";
import { lookUp, resolveOrPick } from "../kit/resource/resolve-id.ts";
import { resourceRoutes } from "../kit/resource/routes.ts";
import { explain, explainColumns } from "./explain.ts";
import { queryFinder } from "./finder.ts";
import { paramOption, paramsOf } from "./params.ts";

type Row = SQLResult["rows"][number];

const kinds = { timestamp: "time", number: "number", integer: "number", boolean: "flag", json: "json" } as const;

/** A value of a device can be anything; a column of numbers is shown as one. */
function columnOf({ name, type }: SQLColumn, rows: readonly Row[]): Column<Row> {
  const isNumber = type === "json" && rows.every((row) => typeof row[name] === "number");
  const kind = isNumber ? "number" : Object.hasOwn(kinds, type) && type !== "string" ? kinds[type] : "text";
  return { key: name, kind, exact: true, value: (row) => row[name] };
}

const args = [
  { name: "id", summary: "Full id, or a unique name:…, tag:key=value; or a statement; - reads it from stdin" },
] as const satisfies Arguments;

const options = [
  {
    name: "query",
    value: "sql",
    summary: "statement to run instead of a stored query",
    conflicts: ["<id>", "file"],
  },
  {
    name: "file",
    file: "in",
    value: "file",
    summary: "file with the statement to run; - is stdin",
    conflicts: ["<id>"],
  },
  paramOption("value of a parameter: 1=x for $1"),
  { name: "as", value: "user", summary: "run it as a portal user: an id, or a unique name:…, tag:key=value" },
  {
    name: "after-device",
    value: "id",
    summary: "of device_data_by_tag, read the devices after this one",
  },
  {
    name: "all",
    summary: "of device_data_by_tag, run it again for the next devices until none is left",
  },
  {
    name: "explain",
    summary: "print what it reads of each table, without running it",
    conflicts: ["as", "after-device", "all"],
  },
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

/** A statement where the id of a stored query may be: no id starts like one. */
const typedStatement = (text: string | undefined): string | undefined =>
  text !== undefined && /^\s*(select|with)\s/i.test(text) ? text : undefined;

/** The file of the statement; a hyphen instead of an id is stdin, too. */
const statementFile = ({ args: { id }, options: { file } }: Given): string | undefined =>
  file ?? (id === "-" ? id : undefined);

/** The statement of `--query`, `--file` or the argument; undefined for a stored query. */
async function givenStatement(ctx: CommandContext, input: Given): Promise<string | undefined> {
  const file = statementFile(input);
  return file === undefined
    ? (input.options.query ?? typedStatement(input.args.id))
    : ctx.readInput(file, "The statement");
}

type Body = NonNullable<Parameters<Resources["sql"]["execute"]>[1]>;
type Execute = (id: string, body: Body) => Promise<SQLResult>;

/** Runs queries with the token in use, or with one of a portal user. */
async function executor(ctx: CommandContext, input: Given): Promise<Execute> {
  const user = input.options.as;
  const { sql } = await ctx.client();
  if (user === undefined) return (id, body) => sql.execute(id, body);
  const { client } = await clientAs(ctx, user, { expireTime: "1 hour" });
  return (id, body) => client.sql.execute(id, body).catch((error: unknown) => Promise.reject(asPermission(error, id)));
}

/** A portal user needs a rule: the token itself is a good one. */
function asPermission(error: unknown, id: string): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return error;
  return new CommandError("The portal user may not run this query.", {
    code: "auth.permission",
    exit: 5,
    why: `${error.method} ${new URL(error.url).pathname} returned ${error.status}: "${error.message}".`,
    next: `Allow it with "iot access create --who run_user --allow 'execute sql:id:${id}'".`,
    cause: error,
  });
}

function checked(result: SQLResult): SQLResult {
  expectLists(result, ["columns", "rows"], "to the query");
  expectTexts(result.columns, ["name", "type"], "to the query");
  expectTexts(result.rows, [], "to the query");
  return result;
}

/**
 * The device where the next page starts: the last one of rows that rise by device, from the one where this page started. Of
 * another order pages would leave out devices, and of another table each page is the first one again.
 */
function lastDevice({ rows }: SQLResult, after = ""): string {
  let last = after;
  for (const { device } of rows) {
    if (typeof device !== "string" || device <= last) {
      throw usageError("--all needs rows of device_data_by_tag in the order of their devices.", {
        why: "The next page starts behind the last device of this one.",
        next: 'Select device, and end the statement with "ORDER BY device".',
      });
    }
    last = device;
  }
  return last;
}

/** The result, with --all those of all pages of a fleet: the last page is empty. */
async function executeAll({ options: { all, afterDevice } }: Given, id: string, body: Body, execute: Execute) {
  const pageAfter = async (after: string | undefined): Promise<SQLResult> =>
    checked(await execute(id, after === undefined ? body : { ...body, after_device: after }));
  const first = await pageAfter(afterDevice);
  const rows = [...first.rows];
  let after = afterDevice;
  for (let page = first; all && page.rows.length > 0; rows.push(...page.rows)) {
    after = lastDevice(page, after);
    page = await pageAfter(after);
  }
  return { ...first, rows };
}

/** Stores the statement for as long as it runs: the platform runs stored queries only. */
async function runStatement(ctx: CommandContext, input: Given, query: string): Promise<SQLResult | undefined> {
  const body = { name: "iot sql run (temporary)", query, params: [...paramsOf(input.options.param)] };
  const plan = [
    { method: "POST", path: resourceRoutes.sql, body },
    { method: "POST", path: "/sql/{id}/execute", body: { test: true } },
    { method: "DELETE", path: "/sql/{id}" },
  ];
  if (await ctx.dryRun(plan)) return undefined;
  const execute = await executor(ctx, input);
  const steady = await batchClient(ctx);
  const created = await steady.sql.create(body);
  expectTexts([created], ["id"], "with the temporary query");
  const { id } = created;
  try {
    return await executeAll(input, id, { test: true }, execute);
  } finally {
    await steady.sql.delete(id).catch((error: unknown) => {
      ctx.say.warning(`The temporary query ${id} was not deleted: ${messageOf(error)}`);
      ctx.say.hint(`Delete it with "iot sql delete ${id}".`);
    });
  }
}

async function runStored(ctx: CommandContext, input: Given): Promise<SQLResult> {
  const { id } = await resolveOrPick(ctx, queryFinder, input.args.id);
  const params = [...paramsOf(input.options.param)];
  const execute = await executor(ctx, input);
  return lookUp(ctx, queryFinder, id, () => executeAll(input, id, params.length === 0 ? {} : { params }, execute));
}

/** Explains the statement, or the stored query with its defaults. */
async function explained(ctx: CommandContext, input: Given, statement: string | undefined): Promise<void> {
  const given = paramsOf(input.options.param).map(({ key, value: text }) => [key, text] as const);
  if (statement !== undefined) return explain(ctx, statement, new Map(given));
  const { id } = await resolveOrPick(ctx, queryFinder, input.args.id);
  const { sql } = await ctx.client();
  const { query, params } = await lookUp(ctx, queryFinder, id, () => sql.info(id));
  const defaults = (params ?? []).map(({ key, value: text }) => [key, text] as const);
  return explain(ctx, query, new Map([...defaults, ...given]));
}

export const runCommand: Command = defineCommand({
  path: ["run"],
  effect: {
    most: "changes",
    of: (input) =>
      input.options.explain ||
      (input.options.query ?? statementFile(input) ?? typedStatement(input.args.id)) === undefined
        ? "reads"
        : "changes",
  },
  summary: "Run a stored query, or a statement of your own",
  details:
    "Runs a stored query, with its default parameters unless --param sets others. A statement of your own is " +
    "stored for the time of the run, because the platform runs stored queries only, and deleted afterwards. Rows that are " +
    "read count as data output of the account. With --as, session functions such as session_user_tag() are those of " +
    "the user, who needs an access rule for the query.",
  args,
  options,
  groups: ["dryRun"],
  result: either(
    value({ type: "array", items: { type: "object" }, description: "Rows, with the columns of the statement." }),
    rows(explainColumns),
  ),
  examples: [
    "iot sql run --query \"SELECT d.variable, count(*) AS readings FROM device_tag('site', 'plant') AS d GROUP BY variable\"",
    "iot sql run --file examples/sql/warm-freezer.sql --param 1=-11",
    "iot sql run \"SELECT d.variable, d.value FROM device_tag('site', 'plant') AS d LIMIT 5\"",
    'iot sql run "name:Warm freezer" --param 1=-11 -o csv',
    'iot sql run "name:Warm freezer" --explain',
    "iot sql run --all \"SELECT device, device_name, value FROM device_data_by_tag('site', 'plant') AS f WHERE variable = 'temperature' AND time > '2020-01-01' ORDER BY device\"",
  ],
  exitCodes: [1, 3, 6],
  related: ["iot sql list", "iot sql check", "iot sql tables", "iot sql create"],
  async run(ctx, input) {
    const statement = await givenStatement(ctx, input);
    if (input.options.explain) return explained(ctx, input, statement);
    const result = statement === undefined ? await runStored(ctx, input) : await runStatement(ctx, input, statement);
    if (result === undefined) return;
    const { rows: all } = result;
    const columns = result.columns.map((column) => columnOf(column, all));
    const idKey = columns.some(({ key }) => key === "id") ? "id" : (columns[0]?.key ?? "id");
    await ctx.out.list(all, { columns, empty: "The query returned no rows.", idKey });
  },
});
