import { cleanOutput } from "../text/clean.ts";
import { defineCommand, type Effect } from "./kit/command/define.ts";
import type { Input, Options } from "./kit/command/options.ts";
import { value } from "./kit/command/result.ts";
import { parsePair, quote } from "./kit/command/values.ts";
import type { CommandContext } from "./kit/context.ts";
import { inputError, usageError } from "./kit/failures/command-error.ts";
import { isObject } from "./kit/files/files.ts";
import { isWriting } from "./kit/resource/writing.ts";

const methods = ["GET", "POST", "PUT", "DELETE"] as const;
type Method = (typeof methods)[number];

function methodOf(text: string): Method {
  const upper = text.toUpperCase();
  const found = methods.find((method) => method === upper);
  if (found !== undefined) return found;
  throw usageError(`Invalid method ${quote(text)}.`, {
    code: "usage.invalid_value",
    why: `The methods are ${methods.join(", ")}.`,
    next: "Give the method first, then the path: iot api GET /info.",
  });
}

/** A path below the API's address. Full URLs are rejected: the token goes to the chosen platform only. */
function pathOf(text: string): string {
  if (/^[a-z]+:\/\//i.test(text) || text.startsWith("//")) {
    throw usageError("The path must not contain a host.", {
      code: "usage.invalid_value",
      why: "The token is only sent to the current environment.",
      next: "Use only the path, such as /device; choose the platform with --env.",
    });
  }
  return text.startsWith("/") ? text : `/${text}`;
}

function pairOf(text: string, flag: string): readonly [string, string] {
  const { key, value } = parsePair(text, flag);
  if (value === undefined)
    throw usageError(`${flag} needs key=value, not ${quote(text)}.`, { next: `Use ${flag} ${key}=….` });
  return [key, value];
}

/** `true`, `false`, `null` and numbers become what they look like; `@file` is read; all else is text. */
async function typedValue(ctx: CommandContext, text: string): Promise<unknown> {
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return Number(text);
  return text.startsWith("@") ? ctx.readInput(text, "--field") : text;
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw inputError("The --input is not valid JSON.", {
      code: "input.not_json",
      why: error instanceof Error ? `${error.message}.` : "It cannot be parsed.",
      next: "Fix the file; nothing was sent.",
      cause: error,
    });
  }
}

const options = [
  {
    name: "field",
    file: "=@",
    value: "key=value",
    summary: "body property; true, false, null, numbers and @file are recognised",
    repeat: true,
  },
  { name: "raw-field", value: "key=text", summary: "body property, always a string", repeat: true },
  {
    name: "input",
    file: "in",
    value: "file",
    summary: "file with the JSON body; - is stdin",
    conflicts: { flags: ["field", "raw-field"], why: "Both define the body." },
  },
  {
    name: "param",
    value: "key=value",
    summary: "query parameter: filter[name]=x",
    repeat: true,
  },
  { name: "paginate", summary: "read all pages of a list" },
  { name: "include", summary: "print status and headers as well" },
] as const satisfies Options;

type Given = Input<[], typeof options>;

async function bodyOf(ctx: CommandContext, input: Given): Promise<unknown> {
  const file = input.options.input;
  const typed = input.options.field;
  const raw = input.options.rawField;
  if (file !== undefined) return parseBody(await ctx.readInput(file, "--input"));
  if (typed.length + raw.length === 0) return undefined;
  const body: [string, unknown][] = [];
  for (const text of typed) {
    const [key, value] = pairOf(text, "--field");
    body.push([key, await typedValue(ctx, value)]);
  }
  for (const text of raw) body.push([...pairOf(text, "--raw-field")]);
  return Object.fromEntries(body);
}

/** Parameters of the address. A name given twice makes a list. */
function queryOf(input: Given): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const text of input.options.param) {
    const [key, value] = pairOf(text, "--param");
    const before = query[key];
    query[key] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return query;
}

interface Call {
  readonly method: Method;
  readonly path: string;
  readonly query: Record<string, string | string[]>;
  readonly body: unknown;
}

const shownHeaders = ["content-type", "date", "retry-after", "etag", "x-request-id"];

async function send(ctx: CommandContext, call: Call, include: boolean): Promise<unknown> {
  const { api, events, token } = await ctx.connection();
  const { rawRequest } = await import("../lib/api/raw.ts");
  const { body, ...rest } = call;
  const params = { ...ctx.clientOptions(), token, region: { api, sse: events } };
  const reply = await rawRequest(params, { ...rest, ...(body === undefined ? {} : { body }) });
  if (include) {
    const headers = shownHeaders.flatMap((name) => {
      const value = reply.header(name);
      return value === undefined ? [] : [`${name}: ${value}\n`];
    });
    await ctx.out.raw(cleanOutput(`HTTP ${reply.status}\n${headers.join("")}\n`, ctx.io.stdoutIsTerminal));
  }
  return reply.result;
}

const pageSize = 100;

/** Every row of a list route, page by page. */
async function* pages(ctx: CommandContext, call: Call): AsyncGenerator<object> {
  const amount = Number(call.query["amount"] ?? pageSize);
  for (let page = Number(call.query["page"] ?? 1); ; page += 1) {
    const query = { ...call.query, page: String(page), amount: String(amount) };
    const rows = await send(ctx, { ...call, query }, false);
    if (!Array.isArray(rows)) {
      throw usageError("--paginate needs a list, but the response is not one.", { next: "Remove --paginate." });
    }
    for (const row of rows) yield isObject(row) ? row : { value: row };
    if (rows.length < amount) return;
  }
}

const columnsOf = (rows: readonly unknown[]) =>
  [...new Set(rows.filter(isObject).flatMap(Object.keys))].map((key) => ({ key }));

/** Rows and objects in the formats made of columns; everything else as it came. */
async function print(ctx: CommandContext, result: unknown): Promise<void> {
  const { format } = ctx.out;
  const hasColumns =
    ["csv", "tsv", "md", "id"].includes(format) || (format === "table" && ctx.flags.fields !== undefined);
  const wantsRows = (hasColumns || format === "ndjson" || ctx.flags.fields !== undefined) && ctx.flags.jq === undefined;
  if (Array.isArray(result) && wantsRows && result.every(isObject)) {
    await ctx.out.list(result, { columns: columnsOf(result), empty: "The list is empty." });
  } else if (isObject(result) && wantsRows) {
    await ctx.out.item(result, { columns: columnsOf([result]) });
  } else {
    await ctx.out.value(result);
  }
}

const effectOfRequest = (method: Method, path: string): Effect =>
  isWriting(method, path) ? (method === "DELETE" ? "deletes" : "changes") : "reads";

const api = defineCommand({
  path: [],
  result: value({ description: "The response, unchanged." }),
  effect: {
    most: "deletes",
    of: (input) => effectOfRequest(methodOf(input.args.method), input.args.path),
  },
  summary: "Send an API request with the token in use",
  details:
    "Prints the result of the response as JSON, tokens included; use -o and --fields for other formats. Retries, timeouts and exit codes work as in every command.",
  args: [
    { name: "method", summary: "GET, POST, PUT or DELETE", required: true, values: methods },
    { name: "path", summary: "path below the API URL: /device", required: true },
  ],
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    "iot api GET /info",
    "iot api GET /device --param amount=5 --fields id,name",
    "iot api POST /device --field name=Pump --dry-run",
  ],
  exitCodes: { only: [3, 4, 5, 6, 7, 9, 10] },
  related: ["iot help output", "iot auth status"],
  check: (input) => `iot api GET ${input.args.path}`,
  async run(ctx, input) {
    const method = methodOf(input.args.method);
    const path = pathOf(input.args.path);
    const body = await bodyOf(ctx, input);
    if (method === "GET" && body !== undefined) {
      throw usageError("A GET request has no body.", { next: "Use --param for query parameters." });
    }
    const call: Call = { method, path, query: queryOf(input), body };
    if (input.options.paginate) {
      if (method !== "GET") throw usageError("--paginate works with GET only.", { next: "Remove --paginate." });
      await ctx.out.list(pages(ctx, call), { columns: [{ key: "id" }, { key: "name" }], empty: "The list is empty." });
      return;
    }
    if (method !== "GET" && (await ctx.dryRun({ method, path, body }))) return;
    await print(ctx, await send(ctx, call, input.options.include));
  },
});

export const commands = [api];
