import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dailyUse, totalUse } from "../../src/commands/profile/usage.ts";
import type { CliResult } from "../helpers/cli.ts";
import { type HereOptions, runHere } from "../helpers/in-process.ts";
import { quickClock } from "../helpers/quick-clock.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_ACCOUNTS, SEED_DEVICES, SEED_PROFILES } from "../helpers/seed.ts";
import { waitFor } from "../helpers/wait-for.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const profile = (args: readonly string[], options: HereOptions = {}): Promise<CliResult> =>
  runHere(["profile", ...args], { ...options, env: { ...here.env, ...options.env } });

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await profile([...args, "--json"], { clock: quickClock() });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

const names = async (...flags: string[]): Promise<string[]> =>
  (await json<{ name: string }[]>("list", ...flags)).map(({ name }) => name);

describe("profile", () => {
  it("lists, sorts, filters and pages what the platform answers in one piece", async () => {
    expect(await names()).toEqual(["Demo Plant", "Empty"]);
    expect(await names("--sort", "name:desc")).toEqual(["Empty", "Demo Plant"]);
    expect(await names("--name", "demo*")).toEqual(["Demo Plant"]);
    expect(await names("--filter", "name=E*")).toEqual(["Empty"]);
    expect(await names("--limit", "1", "--page", "2")).toEqual(["Empty"]);
    const { stderr } = await profile(["list", "--limit", "1"]);
    expect(stderr).toContain("more exist");
  });

  it("shows one profile in one piece, by id, name or as current", async () => {
    const wanted = { id: SEED_PROFILES.demoPlant, name: "Demo Plant", account_plan: "scale" };
    expect(await json("get", "current")).toMatchObject(wanted);
    expect(await json("get", "name:Demo Plant")).toMatchObject(wanted);
    expect(await json("get", SEED_PROFILES.demoPlant)).toMatchObject(wanted);
    expect(await profile(["get", "name:Nowhere"])).toMatchObject({ code: 6 });
    expect(await profile(["get", "65a1000000000000000f0099"])).toMatchObject({ code: 6 });
  });

  it("creates, renames and deletes, the last with name and password", async () => {
    expect(await json("create", "--name", "Plant two")).toMatchObject({ name: "Plant two" });
    expect(await json("update", "name:Plant two", "--name", "Plant 2")).toMatchObject({ name: "Plant 2" });
    const remove = ["delete", "name:Plant 2", "--password-stdin"];
    const stdin = `${SEED_ACCOUNTS.demo.password}\n`;
    expect(await profile([...remove, "--yes"], { stdin })).toMatchObject({ code: 2 });
    expect(await profile([...remove, "--confirm", "Plant two"], { stdin })).toMatchObject({ code: 2 });
    expect(await profile([...remove, "--confirm", "Plant 2"], { stdin: "wrong\n" })).toMatchObject({ code: 4 });
    expect(await names()).toContain("Plant 2");
    expect(await profile([...remove, "--confirm", "Plant 2"], { stdin })).toMatchObject({ code: 0 });
    expect(await names()).toEqual(["Demo Plant", "Empty"]);
  });

  it("sends nothing in a dry run", async () => {
    const before = here.requests().length;
    const { code, stdout } = await profile(["create", "--name", "Never", "--allocate-free-resources", "--dry-run"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("POST /profile") });
    expect(here.requests().slice(before)).toEqual([]);
  });
});

describe("profile summary, limits, statistics", () => {
  it("counts what the profile holds", async () => {
    const { amount, limit } = await json<{ amount: Record<string, number>; limit: Record<string, number> }>("summary");
    expect(amount).toMatchObject({ run_users: 5 });
    expect(limit).toMatchObject({ sms: 1_000 });
    const { stdout } = await profile(["summary", "name:Empty"]);
    expect(stdout).toContain("\t0\t");
  });

  it("puts use and limit of a service in one row, and leaves out what is far from it", async () => {
    const limits = await json<{ service: string; used: number; limit: number; left: number }[]>("limits");
    const input = limits.find(({ service }) => service === "input");
    expect(input?.left).toBe((input?.limit ?? 0) - (input?.used ?? 0));
    expect(await json("limits", "--min-usage", "99")).toEqual([]);
    expect(await profile(["limits", "--min-usage", "much"])).toMatchObject({ code: 2 });
  });

  it("shows use by day and by hour", async () => {
    const days = await json<{ time: string; input: number }[]>("statistics", "--last", "3d", "--step", "day");
    expect(days).toHaveLength(4);
    expect(days[0]?.input).toBeGreaterThan(0);
    expect(await profile(["statistics", "--day", "today", "--last", "3d"])).toMatchObject({ code: 2 });
    const { stdout, stderr } = await profile(["statistics", "--last", "3d"], { terminal: 120 });
    expect(stdout).toMatch(/time +input +output +analysis_min +stored_records +sms +email/i);
    expect(stderr).toContain("running total since the start of its month");
  });

  it("shows what each day used and the sum, from the differences of the running totals", async () => {
    interface Day {
      readonly time: string;
      readonly input: number | null;
      readonly data_records: number;
    }
    const span = ["--from", "-9d"];
    const totals = await json<Day[]>("statistics", "--from", "-10d");
    const days = await json<Day[]>("statistics", ...span, "--daily");
    expect(days.map(({ time }) => time)).toEqual(totals.slice(1).map(({ time }) => time));
    expect(days.map(({ data_records: stored }) => stored)).toEqual(totals.slice(1).map((row) => row.data_records));
    const wanted = totals.slice(1).map(({ time, input }, i) => {
      const isFirst = new Date(time).getUTCDate() === 1;
      return (input ?? 0) - (isFirst ? 0 : (totals[i]?.input ?? 0));
    });
    expect(days.map(({ input }) => input)).toEqual(wanted);
    const [total, ...more] = await json<Day[]>("statistics", ...span, "--total");
    expect(more).toEqual([]);
    expect(total).toMatchObject({ time: days.at(-1)?.time, input: wanted.reduce((sum, n) => sum + n, 0) });
    for (const flags of [
      ["--daily", "--total"],
      ["--daily", "--step", "hour"],
      ["--total", "--day", "today"],
    ])
      expect(await profile(["statistics", ...flags])).toMatchObject({ code: 2 });
  });

  it("tells the use of a day only where the totals do", () => {
    const at = (day: string, input?: number) => ({
      time: new Date(`${day}T00:00:00Z`),
      ...(input !== undefined && { input }),
    });
    const totals = [
      at("2026-10-30", 7),
      at("2026-10-31", 9),
      at("2026-11-01", 12),
      at("2026-11-02", 5),
      at("2026-11-03", 6),
    ];
    expect(dailyUse(totals).map(({ input }) => input)).toEqual([null, 2, 12, null, 1]);
    expect(dailyUse([at("2026-11-01"), at("2026-11-02", 3)]).map(({ input }) => input)).toEqual([0, 3]);
    expect(totalUse(dailyUse(totals))).toMatchObject([{ input: null, sms: null }]);
    expect(totalUse([])).toEqual([]);
  });
});

describe("profile audit", () => {
  it("searches a long time in pieces, newest first, each event once", async () => {
    const all = await json<{ date: string; message: string }[]>("audit", "--from", "-40d", "--all");
    const seeded = all.filter(({ message }) => message.endsWith("was created") || message.includes("logged in"));
    expect(seeded.length).toBeGreaterThanOrEqual(6);
    expect(all.map(({ date }) => date)).toEqual(
      all
        .map(({ date }) => date)
        .toSorted()
        .reverse(),
    );
    expect(new Set(all.map((event) => JSON.stringify(event))).size).toBe(all.length);
    expect(await json("audit", "--from", "-40d", "--find", "soil")).toHaveLength(1);
    expect(await json("audit", "--from", "-40d", "--kind", "run")).toHaveLength(1);
    expect(await profile(["audit", "--from", "-40d", "--limit", "2"], { clock: quickClock() })).toMatchObject({
      stderr: expect.stringContaining("more exist"),
    });
  });

  it("names who made a change first, an account or an analysis", async () => {
    const env = { ...here.env, IOT_TOKEN: here.sandbox.tokens.analysis };
    const body = ["--field", "description=Full"];
    expect(await runHere(["api", "PUT", `/device/${SEED_DEVICES.freezer}`, ...body], { env })).toMatchObject({
      code: 0,
    });
    const rows = await json<{ who: string; who_id: string; message: string }[]>("audit", "--limit", "50");
    expect(Object.keys(rows[0] ?? {})).toEqual(["who", "date", "resource_name", "message", "resource_id", "who_id"]);
    expect(rows[0]).toMatchObject({ who: "alert", message: "Device Freezer 1 was updated" });
    expect(rows).toContainEqual(expect.objectContaining({ who: "Dana Demo", who_id: SEED_ACCOUNTS.demo.id }));
    const { stdout } = await profile(["audit"], { clock: quickClock() });
    expect(stdout).toMatch(/^who\tdate\tresource_name\tmessage\n/);
  });

  it("follows what happens as lines, and ends after --count", async () => {
    const before = here.requests().length;
    const following = profile(["audit", "--follow", "--count", "1", "--kind", "device", "--for", "10m"]);
    await waitFor(() => here.requests().length > before, "the first look");
    await runHere(["device", "update", "name:Freezer 1", "--description", "Followed"], { env: here.env });
    const { code, stdout } = await following;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      who: "Dana Demo",
      resource_name: "device",
      message: "Device Freezer 1 was updated",
    });
    expect(await profile(["audit", "--for", "1s"])).toMatchObject({ code: 2 });
  });
});

describe("profile addons and services", () => {
  it("shows the prorated price before it buys, and asks for the profile's name", async () => {
    const refused = await profile(["addons", "enable", "mobile", "--yes"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/prorated[\s\S]*--confirm "Demo Plant"/) });
    const planned = await profile(["addons", "enable", "mobile", "--dry-run"]);
    expect(planned).toMatchObject({ code: 0, stderr: expect.stringContaining("USD more per month") });
    expect(await json("addons", "enable", "mobile", "--confirm", "Demo Plant")).toEqual([
      { name: "mobile", active: true, price: 99 },
    ]);
    expect(await json("addons", "disable", "mobile", "--confirm", "Demo Plant")).toMatchObject([{ active: false }]);
    expect(await profile(["addons", "enable", "mobil"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "mobile"?'),
    });
  });

  it("gives a profile more of a service and keeps the others", async () => {
    const before = await json<{ service: string; limit: number }[]>("services");
    await json("services", "update", "--set", "sms=7");
    const after = await json<typeof before>("services");
    expect(after).toEqual(before.map((row) => (row.service === "sms" ? { ...row, limit: 7 } : row)));
    expect(await profile(["services", "update", "--set", "smss=7"])).toMatchObject({ code: 2 });
    expect(await profile(["services", "update", "--set", "sms=-7"])).toMatchObject({ code: 2 });
  });
});

describe("profile token, team and switch", () => {
  it("prints a new token once, lists it masked on a terminal and deletes it by name", async () => {
    const { stdout, stderr } = await profile(["token", "create", "--name", "report", "--expire", "1h"]);
    expect(stdout).toMatch(/^p-[0-9a-f-]{34}\n$/);
    expect(stderr).not.toContain(stdout.trim());
    const table = await runHere(["profile", "token", "list"], { env: here.env, terminal: 120 });
    expect(table.stdout).not.toContain(stdout.trim());
    expect(await profile(["token", "delete", "report"])).toMatchObject({ code: 2 });
    expect(await profile(["token", "delete", "report", "--yes"])).toMatchObject({ code: 0 });
    expect(await profile(["token", "delete", "report", "--yes"])).toMatchObject({ code: 6 });
  });

  it("invites an account and takes the invitation back", async () => {
    expect(await json("team", "add", "jo@example.test")).toMatchObject({ email: "jo@example.test", active: false });
    expect(await profile(["team", "add", "nobody"])).toMatchObject({ code: 2 });
    const emails = (await json<{ email: string }[]>("team", "list")).map(({ email }) => email);
    expect(emails).toEqual(["shared@example.test", "jo@example.test"]);
    expect(await profile(["team", "delete", "jo@example.test", "--yes"])).toMatchObject({ code: 0 });
    expect(await profile(["team", "remove", "jo@example.test", "--yes"])).toMatchObject({ code: 6 });
  });

  it("moves the token, and files a stored one under its new profile", async () => {
    const { stdout } = await profile(["token", "create", "--name", "wanderer", "--expire", "1h"]);
    const { IOT_TOKEN: _, IOT_API_URL: __, IOT_EVENTS_URL: ___, ...env } = here.env;
    const own = (args: readonly string[], stdin?: string) =>
      runHere(args, { env, ...(stdin === undefined ? {} : { stdin }) });
    await own(["env", "add", "box", "--api-url", here.sandbox.url, "--events-url", here.sandbox.eventsUrl]);
    await own(["auth", "login", "--with-token", "--env", "box"], stdout);
    expect(await own(["profile", "switch", "name:Empty", "--env", "box"])).toMatchObject({ code: 0 });
    const status = await own(["auth", "status", "--env", "box", "--json"]);
    expect(JSON.parse(status.stdout)).toMatchObject({ profile: "Empty", profile_id: SEED_PROFILES.empty });
    expect((await own(["profile", "get", "current", "--env", "box", "--profile", "Empty"])).code).toBe(0);
  });
});
