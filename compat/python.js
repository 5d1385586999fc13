// Sends what the official Python package sends. The package itself is not run, and nothing here was recorded from it: the
// requests are written by hand from its public documentation and the routes of the platform, in its own encoding: capital
// booleans, repeated keys for lists, nulls left out of queries but not of bodies, dates as str() writes them.
import { deepEqual, equal, has, match, ok } from "./kit.js";
import { areas } from "./python/areas.js";
import { rowsOf } from "./rows.js";

function valuesOf(name, value) {
  if (value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => valuesOf(name, item));
  if (typeof value === "boolean") return [[name, value ? "True" : "False"]];
  return [[name, String(value)]];
}

/** A query as the package's HTTP client encodes it; a filter is flattened before. */
function encode(query) {
  const { filter = {}, ...rest } = query;
  const filters = Object.entries(filter).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return valuesOf(`filter[${name}]`, value);
    return value.flatMap((item, index) =>
      Object.entries(item).flatMap(([key, text]) => valuesOf(`filter[${name}][${index}][${key}]`, text)),
    );
  });
  const pairs = [...Object.entries(rest).flatMap(([name, value]) => valuesOf(name, value)), ...filters];
  return new URLSearchParams(pairs).toString();
}

function check(result, expected) {
  if (typeof expected === "function") ok(expected(result), `unexpected: ${JSON.stringify(result)?.slice(0, 400)}`);
  else if (expected instanceof RegExp) match(String(result), expected);
  else if (Array.isArray(expected)) deepEqual(result, expected);
  else if (typeof expected === "object") has(result, expected);
  else equal(result, expected);
}

/** A request; all of them carry the content type, also those without a body. */
async function send(target, [method, path], { token, query = {}, body }) {
  const isForm = body instanceof FormData;
  const text = encode(query);
  const reply = await fetch(`${target.url}${path}${text && `?${text}`}`, {
    method,
    headers: { ...(token && { token }), ...(!isForm && { "content-type": "application/json" }) },
    body: isForm ? body : body && JSON.stringify(body),
  });
  return { code: reply.status, ...(await reply.json()) };
}

/** Tells `report` of each request, like those of the other packages. */
export async function runPython(target, report) {
  for (const [area, run] of Object.entries(areas)) {
    const row = rowsOf(area, report);
    /** `result` is what must come back, `refused` the text of an error response. Returns the result. */
    const call = async (name, request, { result: expected, refused, ...options } = {}) => {
      let result;
      await row(name, async () => {
        const answer = await send(target, request.split(" "), { token: target.tokens.profile, ...options });
        result = answer.result;
        ok(answer.code < 500 && answer.status === (refused === undefined), JSON.stringify(answer));
        if (refused !== undefined) check(answer.message, refused);
        else if (expected !== undefined) check(result, expected);
      });
      return result ?? [];
    };
    await run(call, target);
  }
}
