// Calls every operation of an OpenAPI file of the platform on a sandbox with the demo account, and compares the answers
// with what the file shows.
import { calls } from "./calls.js";
import { exampleOf, fill, fillPath } from "./requests.js";
import { compareRefusal, compareResult } from "./shape.js";
import { createWorld, send } from "./world.js";

/** Tokens by their names in the file. */
const tokens = {
  ProfileToken: ({ sandbox }) => sandbox.tokens.profile,
  "Device-Token": ({ sandbox }, { token }) => token ?? sandbox.tokens.device,
  "Network-Token": ({ networkToken }) => networkToken,
};

const isGood = (code) => code.startsWith("2");
const responseOf = (content) => content?.["application/json"] ?? {};

/** A call with records of its own. `index` is the body to send, of those the file or the project names. */
async function prepare(world, operation, index = 0) {
  const values = await world.values(operation);
  const own = (await calls[operation.id]?.({ ...world, values })) ?? {};
  const all = { ...values, ...own.values };
  const examples = own.bodies ?? (operation.body?.content?.["application/json"]?.examples ?? []).filter(exampleOf);
  const query = own.query === undefined ? "" : `?${own.query}`;
  return {
    values: all,
    path: `${fillPath(own.path ?? operation.path, all)}${query}`,
    corrected: own.path,
    extra: own.with ?? {},
    bodies: examples.length,
    texts: own.texts,
    body: own.bodies === undefined ? fill(examples[index], all) : examples[index],
  };
}

/** Sends a good request and compares the answer; `named` tells which one it was. */
async function check(world, operation, request, token, named) {
  const answer = await send(world.sandbox, operation.method, request.path, { ...request, token });
  const codes = Object.keys(operation.responses).filter(isGood);
  if (codes.length === 0) codes.push("200");
  if (!codes.includes(String(answer.status))) {
    const message = answer.body?.message ?? "";
    return [{ at: named("status"), found: `${answer.status} ${message}, not ${codes.join(" or ")}` }];
  }
  const response = responseOf(operation.responses[String(answer.status)]);
  return compareResult(answer.body, response).map(({ at, found }) => ({ at: named(at), found }));
}

/** One call for each body the file shows, with each kind of token it names. */
async function checkBodies(world, operation) {
  const found = [];
  const kinds = operation.tokens.length > 0 ? operation.tokens : [undefined];
  for (const kind of kinds) {
    for (let index = 0, bodies = 1; index < bodies; index += 1) {
      const request = await prepare(world, operation, index);
      bodies = Math.max(1, request.bodies);
      const named = (at) =>
        [kinds.length > 1 ? `as ${kind}` : "", index > 0 ? `body ${index + 1}` : "", at].filter(Boolean).join(": ");
      found.push(...(await check(world, operation, request, kind && tokens[kind](world, request.values), named)));
      if (index === 0 && request.corrected !== undefined) {
        found.push({ at: "path", found: `called as ${request.corrected}` });
      }
    }
  }
  return found;
}

/** Text bodies, where the file has any to show. */
async function checkTexts(world, operation) {
  const examples = (operation.body?.content?.["text/plain"]?.examples ?? []).filter(exampleOf);
  const found = [];
  for (const [index, example] of examples.entries()) {
    const request = await prepare(world, operation);
    const text = { ...request, body: request.texts?.[index] ?? example, contentType: "text/plain" };
    const token = tokens[operation.tokens[0]](world, request.values);
    found.push(...(await check(world, operation, text, token, (at) => `text body: ${at}`)));
  }
  return found;
}

const SAMPLES = {
  page: "1",
  amount: "10",
  orderBy: "created_at,desc",
  order_by: "created_at,desc",
  date: "2024-01-01",
  timezone: "UTC",
  expire_time: "1 day",
  sent_status: "false",
  fields: "id",
  "filter[created_at]": "2024-01-01",
  "filter[updated_at]": "2024-01-01",
};

/** Values to try for an optional parameter of the query; none for `filter`, which only has parts. */
function samplesOf({ name, type, enum: choices, items, format, minimum }) {
  if (name === "filter") return [];
  const named = choices ?? items?.enum;
  if (named !== undefined) return named;
  if (type === "integer") return [String(Math.max(1, minimum ?? 1))];
  if (type === "boolean") return ["true"];
  if (format === "date-time") return ["2024-01-01T00:00:00.000Z"];
  return [SAMPLES[name] ?? "1"];
}

/** Each optional parameter once with every value it can have: such a call must be answered. */
async function checkParameters(world, operation) {
  const found = [];
  for (const parameter of operation.parameters.filter((each) => each.in === "query" && !each.required)) {
    for (const value of samplesOf(parameter)) {
      const request = await prepare(world, operation);
      const named = `${parameter.name}=${value}`;
      const query = [`${encodeURIComponent(parameter.name)}=${encodeURIComponent(value)}`, request.extra[named] ?? ""];
      const path = `${request.path}${request.path.includes("?") ? "&" : "?"}${query.join("&")}`;
      const token = operation.tokens[0] && tokens[operation.tokens[0]](world, request.values);
      const { status, body } = await send(world.sandbox, operation.method, path, { ...request, token });
      if (status === 200 && body?.status === true) continue;
      found.push({ at: `query ${named}`, found: `${status} ${body?.message ?? ""}` });
    }
  }
  return found;
}

/** A token of a kind that the file does not name is refused. */
async function checkOtherToken(world, operation) {
  if (operation.tokens.length === 0) return [];
  const kind = Object.keys(tokens).find((each) => !operation.tokens.includes(each));
  const request = await prepare(world, operation);
  const answer = await send(world.sandbox, operation.method, request.path, {
    ...request,
    token: tokens[kind](world, request.values),
  });
  if (answer.status !== 401) return [{ at: `as ${kind}: status`, found: `${answer.status}, not refused` }];
  return compareRefusal(answer.body).map(({ at, found }) => ({ at: `as ${kind}: ${at}`, found }));
}

/** What brings about a refusal that the file shows. */
const mistakes = {
  400: (request) => ({ ...request, body: [] }),
  401: (request) => ({ ...request, token: "p-00000000-0000-4000-8000-000000000000" }),
  404: (request) => ({ ...request, path: request.path.replace(/[0-9a-f]{24}(?!.*[0-9a-f]{24})/, "0".repeat(24)) }),
};

async function checkRefusals(world, operation) {
  const found = [];
  for (const [code, mistake] of Object.entries(mistakes)) {
    if (operation.responses[code] === undefined) continue;
    const request = mistake({ token: world.sandbox.tokens.profile, ...(await prepare(world, operation)) });
    const answer = await send(world.sandbox, operation.method, request.path, request);
    if (String(answer.status) !== code)
      found.push({ at: `refusal ${code}`, found: `${answer.status} ${answer.body?.message}` });
    else
      found.push(
        ...compareRefusal(answer.body).map(({ at, found: what }) => ({ at: `refusal ${code}: ${at}`, found: what })),
      );
  }
  return found;
}

const checks = [checkBodies, checkTexts, checkParameters, checkOtherToken, checkRefusals];

async function findDifferences(world, operation) {
  const found = [];
  for (const each of checks) {
    try {
      found.push(...(await each(world, operation)));
    } catch (error) {
      found.push({ at: "preparation", found: error.message });
    }
  }
  return found;
}

/** A `*` at the end of a listed place stands for everything below it. */
const covers = (place, at) => (place.endsWith("*") ? at.startsWith(place.slice(0, -1)) : at === place);

/**
 * Reports a line for each difference that is not listed and each listed one that no longer occurs; returns whether there
 * was none.
 */
export async function compareFile(sandbox, operations, listed, report, only = undefined) {
  const world = await createWorld(sandbox);
  const chosen = operations.filter(({ id }) => only === undefined || only.includes(id));
  let good = 0;
  for (const operation of chosen) {
    const own = listed.filter((entry) => entry.operation === operation.id);
    const found = await findDifferences(world, operation);
    const fresh = found.filter(({ at }) => !own.some((entry) => covers(entry.at, at)));
    const stale = own.filter((entry) => !found.some(({ at }) => covers(entry.at, at)));
    if (fresh.length === 0 && stale.length === 0) good += 1;
    const title = `${operation.method} ${operation.path} (${operation.id})`;
    for (const { at, found: what } of fresh) report(`MISMATCH ${title}: ${at}: ${what}`);
    for (const { at } of stale) report(`MISMATCH ${title}: ${at}: is listed as a difference, but no longer occurs`);
  }
  const unknown = listed.filter((entry) => !operations.some(({ id }) => id === entry.operation));
  for (const { operation } of unknown) report(`MISMATCH ${operation}: is listed, but the file has no such operation`);
  const all = chosen.length + unknown.length;
  report(`${listed.length} listed differences`);
  report(`${good} of ${all} operations match`);
  return good === all;
}
