import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { SCENARIOS } from "../../../src/commands/sandbox/options.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/index.ts";
import { loadSeed } from "../../../src/sandbox/seeds/index.ts";
import { scenarioNames, shippedFolder } from "../../../src/sandbox/seeds/shipped.ts";
import { sandboxUnderTest } from "../../helpers/sandbox.ts";
import { SEED_DEVICE_TOKENS } from "../../helpers/seed.ts";
import { call, ok } from "../client.ts";

const DAY_MS = 86_400_000;

let sandbox: Sandbox;
afterEach(() => sandbox?.close());

const get = <T>(path: string, token = sandbox.tokens.profile): Promise<T> => ok<T>(sandbox, "GET", path, { token });

const consoleOf = async (analysis: string): Promise<string> =>
  JSON.stringify((await get<{ console?: string[] }>(`/analysis/${analysis}`)).console ?? []);

interface Row {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly last_input: string | null;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
}

const devices = (query: string): Promise<Row[]> =>
  get<Row[]>(`/device?fields[]=name&fields[]=last_input&fields[]=active&${query}`);

it("are the names the command line knows, and all of their files are right", () => {
  expect(scenarioNames()).toEqual(SCENARIOS);
  for (const name of SCENARIOS) {
    const { profile, tokens, published } = loadSeed(name);
    expect(profile, name).toMatch(/^[0-9a-f]{24}$/);
    expect(tokens.profile, name).toMatch(/^p-/);
    expect(new Set(published.tokens).size, name).toBe(published.tokens.length);
  }
});

it.each(SCENARIOS)("%s: the commands it says to try work", { tags: ["slow"] }, async (seed) => {
  const here = await sandboxUnderTest({ seed });
  try {
    const file = readFileSync(join(shippedFolder(), seed, "scenario.json"), "utf8");
    const commands = (JSON.parse(file) as { readonly try: readonly string[] }).try;
    expect(commands).not.toEqual([]);
    for (const line of commands) {
      const { code, stderr } = await here.iot(line.split(" ").slice(1));
      expect(code, `${line}: ${stderr}`).toBe(0);
    }
  } finally {
    await here.close();
  }
});

it("factory is a plant whose dashboards, rules and analyses work", { tags: ["slow"] }, async () => {
  sandbox = await createSandbox({ seed: "factory", access: "enforced" });
  const machines = await devices("amount=100&filter[tags][0][key]=device_type&filter[tags][0][value]=machine");
  expect(machines).toHaveLength(39);
  const dashboards = await get<{ id: string; label: string }[]>("/dashboard?fields[]=label&orderBy=label,asc");
  expect(dashboards.map(({ label }) => label)).toEqual(["Any machine", "Line A", "Works overview"]);
  for (const { id } of dashboards) {
    const { arrangement, type } = await get<{ arrangement: { widget_id: string }[]; type: string }>(`/dashboard/${id}`);
    for (const { widget_id } of type === "blueprint" ? [] : arrangement) {
      const { status, body } = await call(sandbox, "GET", `/data/${id}/${widget_id}`, {
        token: sandbox.tokens.profile,
      });
      expect(status, `${id} ${widget_id} ${body.message}`).toBe(200);
      expect(JSON.stringify(body.result), `${id} ${widget_id}`).toMatch(/"(value|name)":/);
    }
  }
  const operator = sandbox.logins.find(({ email }) => email === "line-a@example.test")?.token ?? "";
  const seen = await get<Row[]>("/device?amount=100", operator);
  expect(seen.length).toBeGreaterThan(10);
  expect(seen.every(({ tags }) => tags.some(({ key, value }) => key === "line" && value === "A"))).toBe(true);
  const rows = await get<unknown[]>("/entity/65a200000000000000070001/data?amount=1000");
  expect(rows).toHaveLength(300);
});

it("factory's shift report runs and is sent", { tags: ["slow"] }, async () => {
  sandbox = await createSandbox({ seed: "factory" });
  const { profile: token } = sandbox.tokens;
  const analyses = await get<{ id: string; name: string }[]>("/analysis?amount=10");
  for (const name of ["Shift report", "Maintenance due"]) {
    const { id = "" } = analyses.find((each) => each.name === name) ?? {};
    expect((await call(sandbox, "POST", `/analysis/${id}/run`, { token, body: {} })).status).toBe(200);
    await expect.poll(() => consoleOf(id)).not.toBe("[]");
  }
  await expect.poll(() => sandbox.outbox({ kind: "email" })).not.toEqual([]);
  expect(sandbox.outbox({ kind: "email" })[0]).toMatchObject({ to: "lead@example.test", subject: "Shift report" });
  expect(String(sandbox.outbox({ kind: "email" })[0]?.["message"])).toMatch(/^Meter of line A: [\d.]+ kW/);
});

it("fleet-1000 has a thousand devices, some of them silent for days", { tags: ["slow"] }, async () => {
  sandbox = await createSandbox({ seed: "fleet-1000" });
  const all = await devices("amount=10000");
  expect(all).toHaveLength(1_000);
  const inputs = all.map(({ last_input }) => Date.parse(last_input ?? ""));
  const newestMs = Math.max(...inputs.filter((inputMs) => !Number.isNaN(inputMs)));
  const silent = all.filter((_, at) => newestMs - (inputs[at] ?? 0) > DAY_MS);
  expect(silent).toHaveLength(100);
  expect(silent.every(({ tags }) => tags.some(({ value }) => value === "silent"))).toBe(true);
  expect(all.filter(({ active }) => !active)).toHaveLength(20);
  expect(new Set(all.map(({ tags }) => tags.find(({ key }) => key === "site")?.value)).size).toBe(39);
  expect(sandbox.logins.map(({ email }) => email)).toContain("demo@example.test");
});

it("failures is the demo account with what goes wrong in life, and its faults strike from the start", {
  tags: ["slow"],
}, async () => {
  sandbox = await createSandbox({
    seed: "failures",
    faults: [{ kind: "status", route: "GET /tags/keys", status: 418 }],
  });
  expect(sandbox.faults.list().map(({ kind }) => kind)).toEqual(["status", "status", "status", "latency", "truncate"]);
  sandbox.faults.set([]);
  const all = await devices("amount=100");
  const of = (name: string): Row | undefined => all.find((row) => row.name === name);
  expect(of("Freezer 1")?.id).toBe("65a1000000000000000d0001");
  expect(Date.now() - Date.parse(of("Freezer 2")?.last_input ?? "")).toBeGreaterThan(6 * DAY_MS);
  expect(of("Sensor that never came")?.last_input).toBeNull();
  const { profile: token } = sandbox.tokens;
  const send = async (): Promise<number> => {
    const body = [{ variable: "vibration", value: 1 }];
    return (await call(sandbox, "POST", "/data", { token: SEED_DEVICE_TOKENS.vibration, body })).status;
  };
  expect([await send(), await send()]).toEqual([200, 400]);
  const expired = "p-5eed0000-0000-4000-8000-0000000021";
  expect((await call(sandbox, "GET", "/info", { token: expired })).status).toBe(401);
  const fahrenheit = of("Freezer 4")?.id ?? "";
  const units = await get<{ unit: string }[]>(`/device/${fahrenheit}/data?qty=1000&variables=temperature`);
  expect([...new Set(units.map(({ unit }) => unit))]).toEqual(["°F", "°C"]);
  const throws = "65a4000000000000000a0001";
  await call(sandbox, "POST", `/analysis/${throws}/run`, { token, body: {} });
  await expect.poll(() => consoleOf(throws)).toContain("SyntaxError");
  await call(sandbox, "POST", "/data", {
    token: SEED_DEVICE_TOKENS.freezer,
    body: [{ variable: "temperature", value: -18 }],
  });
  await expect.poll(() => sandbox.outbox({ kind: "email" })).not.toEqual([]);
});
