import { describe, expect, it } from "vitest";
import { ApiError, Device, Resources } from "../../../src/index.ts";
import { HttpClient } from "../../../src/lib/api/client.ts";
import { redactPath } from "../../../src/lib/api/redact-path.ts";
import { isOfKind, type ResultKind } from "../../../src/lib/api/result-kind.ts";
import type { Route } from "../../../src/lib/api/route.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import { allRoutes } from "../../helpers/routes.ts";
import { manualClock, reply, scripted, success } from "../../helpers/scripted-transport.ts";

const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";
const clientOf = (text: string) =>
  new HttpClient({ token, transport: scripted(reply({ text })), region: "us-e1", clock: manualClock() });

/** Results of every shape, missing ones too, as the text of the reply. */
const shapes: readonly (readonly [kind: string, text: string, result: unknown])[] = [
  ["no result", '{"status":true}', undefined],
  ["null", '{"status":true,"result":null}', null],
  ["a number", '{"status":true,"result":5}', 5],
  ["a boolean", '{"status":true,"result":false}', false],
  ["a text", '{"status":true,"result":"done"}', "done"],
  ["HTML as result", '{"status":true,"result":"<html></html>"}', "<html></html>"],
  ["an object", '{"status":true,"result":{"id":"d1"}}', { id: "d1" }],
  ["an empty list", '{"status":true,"result":[]}', []],
  ["a list of objects", '{"status":true,"result":[{"id":"d1"}]}', [{ id: "d1" }]],
  ["a list of texts", '{"status":true,"result":["d1"]}', ["d1"]],
  ["a list with null", '{"status":true,"result":[null]}', [null]],
];

const paramsOf = ({ path }: Route) =>
  Object.fromEntries([...path.matchAll(/:([A-Za-z_]+)/g)].map(([, name = ""]) => [name, "p1"]));
const place = (route: Route) => redactPath(route.path, paramsOf(route));

it("a path without parameter names hides tokens with a prefix", () => {
  expect(redactPath("/x/p-0123abcd-4567-4cde-89ab-0123456789?a=1", undefined)).toBe("/x/p-01...6789");
});

describe("every route", () => {
  it.each(allRoutes)("$name says what its result is", ({ route }) => {
    expect(route.result).toBeDefined();
  });

  it.each(allRoutes)(
    "$name accepts the result it declares, and refuses every other shape by its name",
    async ({ route }) => {
      const kinds: ResultKind | readonly ResultKind[] = route.result ?? [];
      for (const [kind, text, result] of shapes) {
        const call = clientOf(text).call({ ...route, cacheMs: 0 }, { params: paramsOf(route) });
        if (isOfKind(result, kinds)) {
          await expect(call, kind).resolves.not.toThrow();
          continue;
        }
        const error = await failureOf(call);
        expect(error, kind).toBeInstanceOf(ApiError);
        expect(error).toMatchObject({ code: "INVALID_REPLY", method: route.method, status: 200 });
        expect(error["data"]).toEqual(result);
        expect(error.message).toContain(`Invalid reply from ${route.method} https://api.tago.io${place(route)}`);
      }
    },
  );

  it.each(allRoutes)("$name refuses replies that are no envelope", async ({ route }) => {
    for (const text of ["", "<html></html>", "5", "null", "[]", "{}", '"text"', "true", '{"status":true']) {
      const error = await failureOf(clientOf(text).call(route, { params: paramsOf(route) }));
      expect(error, text).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code: "INVALID_REPLY", method: route.method });
      expect(error["url"]).toBe(`https://api.tago.io${place(route)}`);
    }
  });
});

describe("what a kind holds", () => {
  const every: readonly unknown[] = [undefined, null, 0, true, "", {}, [], [{}], ["a"]];
  it.each<[ResultKind, readonly unknown[]]>([
    ["rows", [[], [{}]]],
    ["list", [[], [{}], ["a"]]],
    ["object", [{}]],
    ["text", [""]],
    ["number", [0]],
    ["nothing", [undefined, null]],
    ["done", [undefined, null, true, "", {}]],
  ])("%s", (kind, fitting) => {
    expect(every.filter((value) => isOfKind(value, kind))).toEqual(fitting);
  });
});

describe("a reply of the wrong shape", () => {
  const withResult = (result: unknown) => ({
    token,
    transport: scripted(success(result)),
    region: "us-e1" as const,
    clock: manualClock(),
  });
  const device = "65a1000000000000000d0001";

  it.each<[unknown, string]>([
    ["text", "a string where a list belongs"],
    [{ id: "d1" }, "an object where a list belongs"],
    [null, "null where a list belongs"],
    [undefined, "nothing where a list belongs"],
    [[{ id: "d1" }, 5], "a list with a number where an object belongs"],
    [[null], "a list with null where an object belongs"],
    [[["d1"]], "a list with a list where an object belongs"],
  ])("of a list, %j, is described", async (result, found) => {
    const error = await failureOf(new Resources(withResult(result)).devices.list());
    expect(error.message).toBe(`Invalid reply from GET https://api.tago.io/device: ${found}`);
  });

  it.each<[string, string, (result: unknown) => Promise<unknown>]>([
    ["/data", "a list or a number", (result) => new Device(withResult(result)).getData()],
    ["/device/params", "a list", (result) => new Device(withResult(result)).getParameters()],
    [
      `/device/${device}/data`,
      "a list or a number",
      (result) => new Resources(withResult(result)).devices.getDeviceData(device),
    ],
    [
      `/device/${device}/data`,
      "a list",
      (result) => new Resources(withResult(result)).devices.getDeviceDataStreaming(device).next(),
    ],
    [`/device/${device}/params`, "a list", (result) => new Resources(withResult(result)).devices.paramList(device)],
    [`/device/token/${device}`, "a list", (result) => new Resources(withResult(result)).devices.tokenList(device)],
    ["/profile", "a list", (result) => new Resources(withResult(result)).profiles.list()],
    ["/notification/", "a list", (result) => new Resources(withResult(result)).notifications.list()],
  ])("names GET %s, where %s belongs", async (path, wanted, call) => {
    for (const [result, found] of [
      [{}, "an object"],
      ["<html></html>", "a string"],
      [null, "null"],
    ]) {
      const error = await failureOf(call(result));
      expect(error).toBeInstanceOf(ApiError);
      expect(error.message).toBe(`Invalid reply from GET https://api.tago.io${path}: ${found} where ${wanted} belongs`);
    }
  });
});
