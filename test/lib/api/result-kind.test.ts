import { describe, expect, it } from "vitest";
import { ApiError, Device, Resources, RunUser } from "../../../src/index.ts";
import { HttpClient } from "../../../src/lib/api/client.ts";
import { redactPath } from "../../../src/lib/api/redact-path.ts";
import { isOfKind, type ResultKind } from "../../../src/lib/api/result-kind.ts";
import type { Route } from "../../../src/lib/api/route.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import { allRoutes } from "../../helpers/routes.ts";
import { manualClock, reply, scripted, success } from "../../helpers/scripted-transport.ts";

const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";
const clientOf = (text: string, strictResults = false) =>
  new HttpClient({ strictResults, token, transport: scripted(reply({ text })), region: "us-e1", clock: manualClock() });

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
  expect(redactPath(`/serviceauth/at${"0123abcd".repeat(4)}`, undefined)).toBe("/serviceauth/at01...abcd");
});

describe("every route", () => {
  it.each(allRoutes)("$name says what its result is", ({ route }) => {
    expect(route.result).toBeDefined();
  });

  it.each(allRoutes)(
    "$name accepts the result it declares; a strict client refuses every other shape by its name",
    async ({ route }) => {
      const kind: ResultKind = route.result ?? "any";
      for (const [name, text, result] of shapes) {
        const call = clientOf(text, true).call({ ...route, cacheMs: 0 }, { params: paramsOf(route) });
        if (isOfKind(result, kind)) {
          await expect(call, name).resolves.not.toThrow();
          continue;
        }
        const error = await failureOf(call);
        expect(error, name).toBeInstanceOf(ApiError);
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
    ["any", every],
    ["object", [{}]],
    ["list", [[], [{}], ["a"]]],
    ["data", [0, [], [{}], ["a"]]],
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
    ["text", "expected a list, got a string"],
    [{ id: "d1" }, "expected a list, got an object"],
    [null, "expected a list, got null"],
    [undefined, "expected a list, got nothing"],
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
  ])("names GET %s, which should return %s", async (path, wanted, call) => {
    for (const [result, found] of [
      [{}, "an object"],
      ["<html></html>", "a string"],
      [null, "null"],
    ]) {
      const error = await failureOf(call(result));
      expect(error).toBeInstanceOf(ApiError);
      expect(error.message).toBe(`Invalid reply from GET https://api.tago.io${path}: expected ${wanted}, got ${found}`);
    }
  });
});

describe("a success", () => {
  const resources = (result: unknown) =>
    new Resources({ token, transport: scripted(success(result)), region: "us-e1", clock: manualClock() });
  const results: readonly unknown[] = [
    "done",
    "",
    5,
    0,
    true,
    false,
    null,
    undefined,
    [],
    ["1 Data Added"],
    [null],
    { id: "1" },
  ];

  it.each(results)("of a write is one, with the result %j", async (result) => {
    const { dashboards, devices, paymentMethods, billing, files } = resources(result);
    for (const call of [
      () => devices.create({ name: "Tank" } as never),
      () => devices.edit("d1", {}),
      () => devices.delete("d1"),
      () => devices.sendDeviceData("d1", []),
      () => devices.tokenCreate("d1", { name: "t", permission: "full" } as never),
      () => dashboards.widgets.editData("d1", "w1", {} as never),
      () => paymentMethods.create({} as never),
      () => billing.editPaymentMethod({} as never),
      () => files.delete(["a"]),
    ])
      expect(await call()).toEqual(result);
  });

  it.each(results)("of a read that the library does not walk is one, with the result %j", async (result) => {
    const { billing, dashboards, devices, plan, run } = resources(result);
    for (const call of [
      () => billing.getSubscriptionSummary(),
      () => billing.getSubscriptionSchedule(),
      () => billing.getPaymentMethod(),
      () => run.getCustomDomain("current"),
      () => run.ssoSAMLInfo(),
      () => plan.getActivePlan(),
      () => dashboards.widgets.getData("d1", "w1"),
      () => devices.amount("d1"),
    ])
      expect(await call()).toEqual(result);
    const user = new RunUser({ token, transport: scripted(success(result)), region: "us-e1" });
    expect(await user.SDB.getItem("example.run.tago.io", "key")).toEqual(result);
  });

  it("of a list may hold null rows", async () => {
    const time = "2026-11-20T00:00:00.000Z";
    expect(await resources([null, { time }]).devices.getDeviceData("d1")).toEqual([null, { time: new Date(time) }]);
    const stream = resources([null]).devices.getDeviceDataStreaming("d1", {}, { window: "time" });
    await expect(stream.next()).rejects.toThrow("A row without a date cannot be read by a time window");
  });
});
