import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { callLoopback } from "../../../src/sandbox/actions/loopback.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/index.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { call, type NewDevice, newDevice, ok } from "../client.ts";

const messages: string[] = [];
let sandbox: Sandbox;
let device: NewDevice;
let token: string;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", log: (message) => messages.push(message) });
  token = sandbox.tokens.profile;
  device = await newDevice(sandbox, { name: "Still here" });
  await sandbox.snapshots.create("keep");
  sandbox.faults.set([{ route: "GET /nothing", kind: "status" }]);
});
afterEach(() => messages.splice(0));
afterAll(() => sandbox.close());

async function press(url: string, method: string): Promise<void> {
  const buttons = [{ id: "b", label: "Press", triggers: [{ url, method }] }];
  const { id } = await ok<{ id: string }>(sandbox, "POST", "/notification", {
    token,
    body: { title: "t", message: "m", buttons },
  });
  await ok(sandbox, "PUT", `/notification/${id}/b`, { token, body: {} });
}

async function post(url: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const trigger = [{ device: device.device_id, variable: "level", is: ">", value: "0", value_type: "number" }];
  const body = { name: "Post", type: "condition", active: true, trigger, action: { type: "post", url, headers } };
  const { action } = await ok<{ action: string }>(sandbox, "POST", "/action", { token, body });
  await ok(sandbox, "POST", "/data", { token: device.token, body: [{ variable: "level", value: 1 }] });
  await ok(sandbox, "DELETE", `/action/${action}`, { token });
}

async function expectUntouched(): Promise<void> {
  expect((await call(sandbox, "GET", `/device/${device.device_id}`, { token })).status).toBe(200);
  expect(sandbox.snapshots.list()).toHaveLength(1);
  expect(sandbox.faults.list()).toHaveLength(1);
}

describe("the inspection routes", () => {
  it.each([
    ["POST", "/__sandbox/reset"],
    ["DELETE", "/__sandbox/faults"],
    ["DELETE", "/__sandbox/snapshots/keep"],
    ["POST", "/%5f%5fsandbox/reset"],
    ["POST", "/x/../__sandbox/reset/"],
  ])("are out of reach of a notification button with %s %s", async (method, path) => {
    for (const name of ["127.0.0.1", "localhost", "127.1"]) {
      await press(`http://${name}:${sandbox.port}${path}`, method);
      await waitFor(() => messages.some((message) => message.includes("was not sent")), "the refusal");
      messages.splice(0);
    }
    await expectUntouched();
  });

  it("are out of reach of an action that posts", async () => {
    await post(`${sandbox.url}/__sandbox/reset`, { "x-sandbox-own-call": "", "X-Sandbox-Own-Call": "0" });
    await waitFor(() => messages.some((message) => message.includes("was not sent")), "the refusal");
    await expectUntouched();
  });

  it("refuse a call of the sandbox by what it carries, whatever its address looked like", async () => {
    for (const headers of [{}, { "x-sandbox-own-call": "" }]) {
      const outgoing = { method: "POST", url: `${sandbox.url}/__sandbox/reset`, headers, body: "" };
      expect(await callLoopback(outgoing, new AbortController().signal)).toBe(403);
    }
    await expectUntouched();
    expect((await call(sandbox, "GET", "/__sandbox/health")).status).toBe(200);
  });
});

describe("a redirect to the inspection routes", () => {
  let server: Server;
  let asked = 0;
  beforeAll(async () => {
    server = createServer((_incoming, outgoing) => {
      asked += 1;
      outgoing.writeHead(307, { location: `${sandbox.url}/__sandbox/reset` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => server.close());

  it("is not followed, neither for an action nor for a button", async () => {
    const resets = () => sandbox.requestLog().filter(({ url }) => url === "/__sandbox/reset").length;
    const before = resets();
    const { port } = server.address() as AddressInfo;
    await post(`http://127.0.0.1:${port}/hook`);
    await press(`http://127.0.0.1:${port}/hook`, "POST");
    await waitFor(() => asked >= 4, "both to be tried again");
    await expectUntouched();
    expect(resets()).toBe(before);
  });
});
