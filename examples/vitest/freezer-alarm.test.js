import { Device } from "iotdeck";
import { createSandbox } from "iotdeck/sandbox";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { warmFreezers } from "./freezer-alarm.js";

let sandbox;
let settings;

beforeAll(async () => {
  // The demo account: twelve devices with history, one of them a freezer.
  sandbox = await createSandbox({ seed: "demo" });
  const region = { api: sandbox.url, sse: sandbox.eventsUrl };
  settings = { token: sandbox.tokens.profile, region, limit: -10 };
  await sandbox.snapshots.create("start");
});
beforeEach(async () => {
  // Every test begins with the same data.
  await sandbox.snapshots.restore("start");
  sandbox.faults.set([]);
});
afterAll(() => sandbox.close());

const report = (value) =>
  new Device({ token: sandbox.tokens.device, region: settings.region }).sendData({
    variable: "temperature",
    value,
    unit: "°C",
  });

describe("warmFreezers", () => {
  it("names a freezer that has become warm", async () => {
    await report(4);
    expect(await warmFreezers(settings)).toEqual(["Freezer 1"]);
  });

  it("names none when all are cold", async () => {
    await report(-18);
    expect(await warmFreezers(settings)).toEqual([]);
  });

  it("gets through when the platform refuses for a moment", async () => {
    await report(4);
    sandbox.faults.set([{ kind: "status", status: 429, retryAfterSeconds: 1, count: 1, route: "GET /device" }]);
    expect(await warmFreezers(settings)).toEqual(["Freezer 1"]);
    expect(sandbox.requestLog().map(({ status }) => status)).toContain(429);
  });
});
