import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { demoSandbox } from "../helpers/demo-sandbox.ts";
import { SEED_CATALOGUE, SEED_DASHBOARDS, SEED_DEVICES, SEED_RUN_TOKENS } from "../helpers/seed.ts";
import { call, ok } from "./client.ts";

const ALERT = "65a1000000000000000a0001";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await demoSandbox();
});
afterAll(() => sandbox.close());

const kinds = () =>
  [
    ["profile", `/profile/${sandbox.profileId}/token`, {}],
    ["device", "/device/token", { device: SEED_DEVICES.freezer }],
    ["network", "/integration/network/token", { network: SEED_CATALOGUE.privateNetwork }],
    ["service", "/serviceauth", {}],
  ] as const;

describe("a token that may only write", () => {
  it("makes tokens of every kind that may write, and none that may read or do everything", async () => {
    const { write, profile } = sandbox.tokens;
    for (const [kind, path, members] of kinds()) {
      const make = (permission: string, token = write) =>
        call(sandbox, "POST", path, { token, body: { name: "New", expire_time: "1 day", permission, ...members } });
      for (const permission of ["full", "read"]) {
        const answer = await make(permission);
        expect([answer.status, answer.body.message], `${kind} ${permission}`).toEqual([401, "Authorization Denied"]);
      }
      expect((await make("write")).body.status, kind).toBe(true);
      expect((await make("full", profile)).body.status, kind).toBe(true);
    }
  });

  it("gets no more than its own permission with what it creates or runs", async () => {
    const token = sandbox.tokens.write;
    const device = await ok<{ token: string }>(sandbox, "POST", "/device", { token, body: { name: "Made" } });
    const body = { name: "Made", run_on: "external" };
    const analysis = await ok<{ token: string }>(sandbox, "POST", "/analysis", { token, body });
    for (const { token: made } of [device, analysis]) {
      expect((await call(sandbox, "GET", "/info", { token: made })).status).toBe(401);
    }
    const run = await ok<{ analysis_token: string }>(sandbox, "POST", `/analysis/${ALERT}/run`, { token, body: {} });
    expect(run.analysis_token).toMatch(/^\*{8}/);
    expect((await call(sandbox, "GET", `/analysis/${ALERT}/token`, { token })).status).toBe(401);
  });
});

describe("a token that may only read", () => {
  it("sees tokens that may read, and only the end of those that may do more", async () => {
    const token = sandbox.tokens.read;
    const lists = [
      `/profile/${sandbox.profileId}/token`,
      `/device/token/${SEED_DEVICES.freezer}`,
      `/integration/network/token/${SEED_CATALOGUE.privateNetwork}`,
      "/serviceauth",
    ];
    for (const path of lists) {
      const query = "?amount=100&fields=token&fields=permission";
      const rows = await ok<{ token: string; permission: string }[]>(sandbox, "GET", path + query, { token });
      expect(rows.length, path).toBeGreaterThan(0);
      for (const { token: shown, permission } of rows) {
        expect(shown.startsWith("********"), `${path} ${permission}`).toBe(permission !== "read");
      }
      const all = await ok<{ token: string }[]>(sandbox, "GET", path + query, { token: sandbox.tokens.profile });
      expect(
        all.some(({ token: shown }) => shown.includes("*")),
        path,
      ).toBe(false);
    }
    const info = await ok<{ token: string }>(sandbox, "GET", `/analysis/${ALERT}`, { token });
    expect(info.token).toBe(`********${sandbox.tokens.analysis.slice(-4)}`);
    const devices = await ok<{ token: string }[]>(
      sandbox,
      "GET",
      `/integration/network/${SEED_CATALOGUE.httpsConnector}/devices`,
      { token },
    );
    expect(devices.length).toBeGreaterThan(0);
    for (const { token: shown } of devices) expect(shown).toMatch(/^\*{8}/);
  });
});

describe("a network token that may only read", () => {
  it("gets no device token that may do everything", async () => {
    const { loraNetwork: network } = SEED_CATALOGUE;
    const made = await ok<{ token: string }>(sandbox, "POST", "/integration/network/token", {
      token: sandbox.tokens.profile,
      body: { name: "Reader", network, permission: "read" },
    });
    const serial = "0123456789ABCDEF";
    const body = { name: "Probe", connector: SEED_CATALOGUE.loraConnector, network, serie_number: serial };
    await ok(sandbox, "POST", "/device", { token: sandbox.tokens.profile, body });
    const path = `/integration/network/resolve/${serial}`;
    expect((await call(sandbox, "GET", path, { token: made.token })).status).toBe(401);
  });
});

describe("a portal user", () => {
  it("is not shown the token of an analysis it may run", async () => {
    const token = sandbox.tokens.profile;
    const dashboard = SEED_DASHBOARDS.current;
    const body = { label: "Run", type: "card", analysis_run: ALERT, display: {}, data: [] };
    const { widget } = await ok<{ widget: string }>(sandbox, "POST", `/dashboard/${dashboard}/widget`, { token, body });
    const path = `/analysis/${ALERT}/run/${dashboard}/${widget}`;
    const answer = await call(sandbox, "POST", path, { token: SEED_RUN_TOKENS.operator, body: {} });
    expect([answer.status, answer.body.result]).toEqual([200, { analysis_token: expect.stringMatching(/^\*{8}/) }]);
  });
});
