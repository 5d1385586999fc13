// What the areas share: checks, waiting, and a world of clients pointed at the sandbox.
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

export const { deepEqual, equal, match, ok } = assert;

export const ID = /^[0-9a-f]{24}$/;
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The text of a rejection: peers reject with bare texts, with objects, or with errors. */
export function textOf(reason) {
  if (typeof reason === "string") return reason;
  if (typeof reason?.message === "string") return reason.message;
  return JSON.stringify(reason) ?? String(reason);
}

/** Checks that a call is refused with this text. */
export async function refused(promise, expected) {
  let result;
  try {
    result = await promise;
  } catch (reason) {
    if (typeof expected === "string") equal(textOf(reason), expected);
    else match(textOf(reason), expected);
    return;
  }
  assert.fail(`was not refused, but answered ${JSON.stringify(result)}`);
}

/** Checks the members named; objects are compared member by member, the others whole. */
export function has(actual, expected) {
  ok(typeof actual === "object" && actual !== null, `is no object: ${JSON.stringify(actual)}`);
  for (const [name, value] of Object.entries(expected)) {
    if (value instanceof RegExp) match(String(actual[name]), value, name);
    else if (value === Date) ok(actual[name] instanceof Date && !Number.isNaN(+actual[name]), `${name} is no date`);
    else deepEqual(actual[name], value, `${name}: ${JSON.stringify(actual[name])} is not ${JSON.stringify(value)}`);
  }
}

/** Waits until `look` gives something. */
export async function until(look, what, limitMs = 8_000) {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) assert.fail(`${what} did not come within ${limitMs} ms`);
    await delay(25);
  }
}

export async function allOf(stream) {
  const items = [];
  for await (const page of stream) items.push(...page);
  return items;
}

export const base64 = (text) => Buffer.from(text).toString("base64");

/** Clients of one peer, and what is known of the sandbox it is pointed at. */
export function createWorld(sdk, { url, tokens, profileId, version, inspectionHeaders }) {
  const raw = async (path, init) => (await (await fetch(`${url}${path}`, init)).json()).result;
  const headers = { token: tokens.profile };
  return {
    sdk,
    url,
    tokens,
    profileId,
    /** First number of the peer's version: a few calls changed between 11 and 12. */
    version,
    resources: new sdk.Resources({ token: tokens.profile }),
    /** The older class with the same resources, which some helpers insist on. */
    account: new sdk.Account({ token: tokens.profile }),
    device: new sdk.Device({ token: tokens.device }),
    /** Id of a seeded record, found without the peer. */
    async idOf(path, name, member = "name") {
      const rows = await raw(`/${path}?amount=1000&fields=id&fields=${member}`, { headers });
      const found = rows.find((each) => each[member] === name);
      ok(found, `the seed has no ${path} named ${name}`);
      return found.id;
    },
    /** A new mutable device with its token. */
    async newDevice(name, members = {}) {
      const { device_id: id, token } = await this.resources.devices.create({
        name,
        type: "mutable",
        connector: await this.idOf("integration/connector/", "Custom HTTPS"),
        network: await this.idOf("integration/network/", "HTTPS"),
        ...members,
      });
      return { id, token, device: new sdk.Device({ token }) };
    },
    outbox: () => raw("/__sandbox/outbox", { headers: inspectionHeaders }),
    raw,
  };
}
