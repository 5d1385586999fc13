import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { troubleIn } from "../../src/commands/fleet/trouble.ts";
import { Device, Resources } from "../../src/index.ts";
import { manualClock } from "../../src/sandbox/index.ts";
import { quickClock } from "../helpers/quick-clock.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const clock = manualClock(Date.now() - 10 * DAY_MS);
let here: SandboxUnderTest;
let resources: Resources;
let region: { readonly api: string; readonly sse: string };
const tokens = new Map<string, string>();

beforeAll(async () => {
  here = await sandboxUnderTest({ seed: "empty", clock });
  region = { api: here.sandbox.url, sse: here.sandbox.eventsUrl };
  resources = new Resources({ token: here.sandbox.tokens.profile, region });
  for (const name of ["Old", "Quiet", "Weak", "Fresh", "New"]) await create(name);
  await create("Away", false);
  await send("Old", { variable: "battery", value: 3.6 });
  clock.set(Date.now() - 2 * DAY_MS);
  await send("Quiet", { variable: "battery", value: 3.1 });
  clock.set(Date.now() - HOUR_MS);
  await send("Weak", { variable: "battery", value: 3.1 });
  await send("Fresh", { variable: "battery", value: 3.5 });
  clock.set(Date.now());
});
afterAll(() => here.close());

async function create(name: string, active = true): Promise<void> {
  const tags = [{ key: "site", value: name === "Old" ? "north" : "south" }];
  const { token } = await resources.devices.create({ name, active, tags, type: "mutable", ...place });
  tokens.set(name, token);
}
const place = { connector: "65a1000000000000000c0001", network: "65a1000000000000000e0001" };
const send = (name: string, record: { readonly variable: string; readonly value: number }): Promise<string> =>
  new Device({ token: tokens.get(name) ?? "", region }).sendData(record);

const isReading = (request: string): boolean => /^GET \/device\/\w+\/data/.test(request);

interface Row {
  readonly name: string;
  readonly state: string;
  readonly battery: number | null;
  readonly was?: string;
}
const fleet = async (...args: readonly string[]): Promise<string[]> =>
  (await here.json<Row[]>(["fleet", ...args])).map(({ name, state }) => `${name} ${state}`);

describe("iot fleet", () => {
  it("lists the devices that need attention, worst first", async () => {
    expect(await fleet()).toEqual(["Old offline", "Quiet silent", "New never"]);
    const { stdout, stderr, code } = await here.iot(["fleet"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^id\tname\tstate\tlast_input\ttags\n.*\tOld\toffline\t\S+Z\tsite=north\n/);
    expect(stderr).toContain("6 devices: 1 offline, 1 silent, 1 never, 1 inactive, 2 ok.");
    expect(stderr).toContain("Plan used this month: ");
  });

  it("takes other limits and tags, and shows all devices with --all", async () => {
    const all = ["Old offline", "Quiet silent", "New never", "Away inactive", "Weak ok", "Fresh ok"];
    expect((await fleet("--all")).sort()).toEqual(all.sort());
    expect(await fleet("--silent-for", "3d")).toEqual(["Old silent", "New never"]);
    expect(await fleet("--offline-for", "1d", "--tag", "site=south")).toEqual(["Quiet offline", "New never"]);
  });

  it("reads the last value of the battery of each device that sends", async () => {
    const before = here.requests().length;
    const rows = await here.json<Row[]>(["fleet", "--battery", "battery<3.3", "--all"]);
    const byName = Object.fromEntries(rows.map(({ name, state, battery }) => [name, [state, battery]]));
    expect(byName).toMatchObject({
      Weak: ["low battery", 3.1],
      Quiet: ["silent", 3.1],
      Fresh: ["ok", 3.5],
      New: ["never", null],
    });
    expect(here.requests().slice(before).filter(isReading)).toHaveLength(4);
    const { stdout } = await here.iot(["fleet", "--battery", "battery<3.3"]);
    expect(stdout).toContain("\tbattery\t");
  });

  it("counts states, and names failing analyses and the actions of a day in --summary", async () => {
    const { id } = await resources.analysis.create({ name: "Report", runtime: "node-rt2025", active: true });
    await resources.analysis.uploadScript(id, {
      name: "report.js",
      content: btoa("throw new Error('no data')"),
      language: "node-rt2025",
    });
    await resources.actions.create({
      name: "Alarm",
      type: "condition",
      trigger: [{ device: await idOf("Fresh"), variable: "level", is: ">", value: "1", value_type: "number" }],
      action: { type: "script", script: [id] },
    });
    await send("Fresh", { variable: "level", value: 2 });
    await expect.poll(async () => (await resources.analysis.info(id)).console?.join()).toContain("failed");
    const summary = await here.json<Record<string, unknown>>(["fleet", "--summary"]);
    expect(summary).toMatchObject({
      devices: 6,
      states: { offline: 1, silent: 1, never: 1, inactive: 1, ok: 2, "low battery": 0 },
      analyses: [{ id, name: "Report", line: expect.stringContaining("failed") }],
      actions: [{ name: "Alarm" }],
      problems: [],
    });
    expect(summary["plan"]).toEqual(
      expect.arrayContaining([expect.objectContaining({ service: "input", used: expect.any(Number) })]),
    );
    const { stderr } = await here.iot(["fleet"]);
    expect(stderr).toMatch(/Analysis "Report" is failing, run .*: Analysis failed with exit code 1/);
    expect(stderr).toMatch(/Actions in the last 24 hours: "Alarm" (now|\d+ s ago)\./);
  });

  it("shows the devices though the token may read nothing else", async () => {
    here.sandbox.faults.set([
      { route: "GET /action", kind: "status", status: 403 },
      { route: "GET /profile/*/summary", kind: "status", status: 403 },
    ]);
    const { code, stdout, stderr } = await here.iot(["fleet", "--retries", "0"]);
    here.sandbox.faults.set([]);
    expect(code).toBe(0);
    expect(stdout).toContain("\tOld\toffline\t");
    expect(stderr).toContain("warning: Actions could not be read: ");
    expect(stderr).toContain("warning: The plan could not be read: ");
  });

  it("prints each change of state with --refresh", async () => {
    const clock = quickClock(() => send("New", { variable: "level", value: 1 }));
    const { code, stdout } = await here.iot(["fleet", "--refresh", "1h", "--for", "90m"], { clock });
    expect(code).toBe(0);
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Row)
      .map(({ name, state, was }) => [name, state, ...(was === undefined ? [] : [was])].join(" "));
    expect(rows.slice(0, 2)).toEqual(["Old offline", "Quiet silent"]);
    expect(rows.at(-1)).toBe("New ok never");
  });

  it.each([
    [["--offline-for", "1h"], "shorter than --silent-for"],
    [["--battery", "battery"], "Invalid filter"],
    [["--battery", "battery>3"], "needs a variable, < and a number"],
    [["--battery", "battery<low"], "needs a variable, < and a number"],
    [["--for", "1s"], "--for needs --refresh"],
    [["--refresh", "10ms"], "at least 1s"],
    [["--summary", "--refresh", "1s"], "cannot be used together"],
    [["--silent-for", "soon"], "--silent-for"],
  ])("rejects %j", async (args, words) => {
    const { code, stderr } = await here.iot(["fleet", ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).toContain("next:");
  });
});

async function idOf(name: string): Promise<string> {
  const [device] = await resources.devices.list({ filter: { name }, fields: ["id", "name"] });
  return device?.id ?? "";
}

describe("trouble in a console", () => {
  it.each([
    [
      ["Analysis started", "TypeError: x is undefined", "Analysis failed with exit code 1"],
      "Analysis failed with exit code 1",
    ],
    [["Analysis failed with exit code 1", "Analysis started", "0 errors", "Analysis ended after 1 s"], undefined],
    [["Error: offline", ...Array.from({ length: 20 }, () => "fine")], undefined],
    [["fine", "Request timed out", "fine"], "Request timed out"],
    [[], undefined],
  ])("in %j is %j", (lines, found) => {
    expect(troubleIn(lines)).toBe(found);
  });
});
