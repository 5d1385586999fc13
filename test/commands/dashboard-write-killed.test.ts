import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { startCli } from "../helpers/cli.ts";
import { CURRENT, dashboardPlace } from "../helpers/dashboard-folders.ts";
import { runHere } from "../helpers/in-process.ts";
import { quickClock } from "../helpers/quick-clock.ts";
import { waitFor } from "../helpers/wait-for.ts";

const place = await dashboardPlace();
const { iot, ok, ownDashboard, request, stateOf, documentOf, change, widgetFile, path } = place;
beforeEach(() => place.newFolder());
afterAll(() => place.close());

const lastRequest = (): number => place.here.sandbox.requestLog().at(-1)?.n ?? 0;

const writesSince = (from: number): number =>
  place.here.sandbox.requestLog().filter(({ n, method }) => n > from && method !== "GET").length;

/** Kills the program with -9 once it has sent so many requests that change something. */
async function killAfter(writes: number, ...args: readonly string[]): Promise<void> {
  const from = lastRequest();
  const child = await startCli(args, { env: place.here.env, cwd: path("") });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await waitFor(() => writesSince(from) >= writes || child.exitCode !== null, `${writes} writes`);
  child.kill("SIGKILL");
  await ended;
}

const runs = (): string[] => {
  const folder = join(place.here.env["IOT_CONFIG_DIR"] ?? "", "state", "journals");
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")) : [];
};

const labelsOf = async (id: string): Promise<string[]> => (await stateOf(id)).widgets.map(({ label }) => label);
const named = async (label: string): Promise<string[]> =>
  (await request<{ id: string; label: string }[]>("GET", "/dashboard?amount=500&fields=id&fields=label"))
    .filter((each) => each.label.includes(label))
    .map(({ id }) => id);

/** A folder in which every widget has another label, one is new and one is gone. */
async function editedFolder(label: string): Promise<{ readonly id: string; readonly wanted: string[] }> {
  const id = await ownDashboard(label);
  await ok("dashboard", "export", id, "--out", "d");
  const folder = join("d", label.toLowerCase());
  const gone = documentOf(widgetFile(folder, "humidity-"));
  rmSync(path(widgetFile(folder, "humidity-")));
  for (const name of readdirSync(path(join(folder, "widgets")))) {
    const file = join(folder, "widgets", name);
    change(file, { label: `${documentOf(file).label}, new` });
  }
  writeFileSync(path(join(folder, "widgets/fresh.json")), JSON.stringify({ ...gone, id: "fresh", label: "Fresh" }));
  const board = documentOf(join(folder, "dashboard.json"));
  const places = (board["arrangement"] as { widget_id: string }[]).map((each) =>
    each.widget_id === gone.id ? { ...each, widget_id: "fresh" } : each,
  );
  change(join(folder, "dashboard.json"), { arrangement: places });
  const wanted = (await labelsOf(id)).map((each) => (each === "Humidity" ? "Fresh" : `${each}, new`));
  return { id, wanted };
}

describe("an apply that is killed", () => {
  const TITLE = "after %i requests is finished with --resume: nothing is lost or doubled";

  async function killedAfter(writes: number): Promise<void> {
    const { id, wanted } = await editedFolder(`Killed${writes}`);
    await killAfter(writes, "dashboard", "apply", "d", "--yes");
    expect(runs().length).toBe(1);
    const refused = await iot("dashboard", "apply", "d");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--resume") });
    await ok("dashboard", "apply", "--resume");
    expect(await labelsOf(id)).toEqual(wanted);
    expect(runs()).toEqual([]);
    expect((await iot("dashboard", "diff", "d")).code).toBe(0);
  }

  it.each([1, 4, 15])(TITLE, { tags: ["slow"] }, killedAfter);

  it("is taken back with --undo", { tags: ["slow"] }, async () => {
    const { id } = await editedFolder("Undone");
    const before = await labelsOf(id);
    await killAfter(8, "dashboard", "apply", "d", "--yes");
    expect(await labelsOf(id)).not.toEqual(before);
    await ok("dashboard", "apply", "--undo");
    expect(await labelsOf(id)).toEqual(before);
    expect(runs()).toEqual([]);
  });
});

describe("an apply that is resumed after somebody changed a widget", () => {
  it("takes back what it wrote and leaves theirs alone", { tags: ["slow"] }, async () => {
    const { id } = await editedFolder("Theirs");
    const before = await labelsOf(id);
    await killAfter(4, "dashboard", "apply", "d", "--yes");
    const theirs = (await stateOf(id)).widgets.at(-1);
    await request("PUT", `/dashboard/${id}/widget/${theirs?.id}`, { label: "Mine" });
    const { code, stderr } = await iot("dashboard", "apply", "--resume");
    expect([code, stderr]).toEqual([7, expect.stringContaining("was restored to its previous state")]);
    expect(await labelsOf(id)).toEqual([...before.slice(0, -1), "Mine"]);
  });
});

describe("an apply of several dashboards", () => {
  it("writes again with --resume what was restored before the run was interrupted", { tags: ["slow"] }, async () => {
    const first = await editedFolder("Again");
    const second = await editedFolder("Broken");
    const last = (await stateOf(first.id)).widgets.at(-1);
    place.here.sandbox.faults.set([
      { route: `PUT /dashboard/${first.id}/widget/${last?.id}`, kind: "status", status: 400, count: 1 },
      { route: `PUT /dashboard/${second.id}`, kind: "drop" },
    ]);
    const lost = await iot("dashboard", "apply", "d", "--confirm", "dashboards");
    place.here.sandbox.faults.set([]);
    expect(lost).toMatchObject({ code: 10, stderr: expect.stringContaining("--resume") });
    expect(await labelsOf(first.id)).not.toContain("Fresh");
    await ok("dashboard", "apply", "--resume");
    expect(await labelsOf(first.id)).toEqual(first.wanted);
    expect(await labelsOf(second.id)).toEqual(second.wanted);
    expect(runs()).toEqual([]);
  });
});

describe("an apply that an earlier version left", () => {
  it("is refused with 7 and what to do about it", async () => {
    const state = join(place.here.env["IOT_CONFIG_DIR"] ?? "", "state", "dashboard-writes");
    const folder = join(state, "20260101000000-abcdef");
    mkdirSync(folder, { recursive: true });
    const plan = { target: { label: "sandbox", api: place.here.sandbox.url } };
    writeFileSync(join(folder, "plan.json"), JSON.stringify(plan));
    const { code, stderr } = await iot("dashboard", "apply", "--resume");
    rmSync(state, { recursive: true });
    expect([code, stderr]).toEqual([7, expect.stringContaining(`delete ${folder}`)]);
  });
});

describe("an apply that meets trouble", () => {
  it("is stopped by Ctrl-C after the running request, and finished with --resume", {
    tags: ["slow", "posix"],
  }, async () => {
    const { id, wanted } = await editedFolder("Stopped");
    place.here.sandbox.faults.set([{ route: `PUT /dashboard/${id}/widget/*`, kind: "latency", delayMs: 30 }]);
    const from = lastRequest();
    const child = await startCli(["dashboard", "apply", "d", "--yes"], { env: place.here.env, cwd: path("") });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    await waitFor(() => writesSince(from) >= 3, "three writes");
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    place.here.sandbox.faults.set([]);
    expect(runs().length).toBe(1);
    await ok("dashboard", "apply", "--resume");
    expect(await labelsOf(id)).toEqual(wanted);
  });

  it("ends with 10 when the connection is lost, says what helps, and goes on with --yes later", {
    tags: ["slow"],
  }, async () => {
    const { id, wanted } = await editedFolder("Lost");
    place.here.sandbox.faults.set([{ route: `PUT /dashboard/${id}`, kind: "drop" }]);
    const lost = await iot("dashboard", "apply", "d", "--yes");
    place.here.sandbox.faults.set([]);
    expect(lost).toMatchObject({ code: 10, stdout: "", stderr: expect.stringContaining("--resume") });
    await ok("dashboard", "apply", "d", "--yes");
    expect(await labelsOf(id)).toEqual(wanted);
    expect(runs()).toEqual([]);
  });

  it("ends with 8 and names what is left when nothing can be taken back either", { tags: ["slow"] }, async () => {
    const { id } = await editedFolder("Left");
    const before = await labelsOf(id);
    place.here.sandbox.faults.set([
      { route: `PUT /dashboard/${id}`, kind: "status", status: 400 },
      { route: `DELETE /dashboard/${id}/widget/*`, kind: "status", status: 400 },
    ]);
    const { code, stderr } = await iot("dashboard", "apply", "d", "--yes");
    place.here.sandbox.faults.set([]);
    expect([code, stderr]).toEqual([8, expect.stringContaining(`Left (${id})`)]);
    expect(stderr).toContain("--undo");
    await ok("dashboard", "apply", "--undo");
    expect(await labelsOf(id)).toEqual(before);
  });

  it("waits when the platform has had enough for this minute", { tags: ["slow"] }, async () => {
    const { id, wanted } = await editedFolder("Slow");
    const rule = { route: `PUT /dashboard/${id}/widget/*`, kind: "status", status: 429, retryAfterSeconds: 1 } as const;
    place.here.sandbox.faults.set([{ ...rule, count: 2 }]);
    const args = ["dashboard", "apply", "d", "--yes"];
    const done = await runHere(args, { env: place.here.env, cwd: path(""), clock: quickClock() });
    expect(done).toMatchObject({ code: 0 });
    expect(await labelsOf(id)).toEqual(wanted);
  });

  it("ends with 7 when somebody changes the dashboard between the plan and the first write", {
    tags: ["slow"],
  }, async () => {
    const { id } = await editedFolder("Between");
    const from = lastRequest();
    const reads = (): number =>
      place.here.sandbox.requestLog().filter(({ n, url }) => n > from && url.startsWith(`/dashboard/${id}/widget/`))
        .length;
    const child = await startCli(["dashboard", "apply", "d", "--yes"], { env: place.here.env, cwd: path("") });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    await waitFor(() => reads() > 0, "the first look");
    place.here.sandbox.faults.set([{ route: `GET /dashboard/${id}`, kind: "latency", delayMs: 1_500 }]);
    await waitFor(() => reads() >= 34, "the whole first look");
    await request("PUT", `/dashboard/${id}`, { description: "theirs" });
    const sent = lastRequest();
    expect(await ended).toBe(7);
    place.here.sandbox.faults.set([]);
    expect(writesSince(sent)).toBe(0);
    expect((await stateOf(id)).dashboard["description"]).toBe("theirs");
  });
});

describe("an import that is killed", () => {
  const TITLE = "after %i requests leaves nothing that looks finished, and is finished once";

  async function killedAfter(writes: number): Promise<void> {
    await ok("dashboard", "export", CURRENT, "--out", "d");
    const name = `Half${writes}`;
    await killAfter(writes, "dashboard", "import", "d", "--name", name);
    const [half] = await named(name);
    expect((await request<{ label: string }>("GET", `/dashboard/${half}`)).label).toContain("(incomplete");
    await ok("dashboard", "import", "--resume");
    const [whole, ...others] = await named(name);
    expect(others).toEqual([]);
    expect(await labelsOf(whole ?? "")).toEqual(await labelsOf(CURRENT));
    expect((await stateOf(whole ?? "")).dashboard.label).toBe(name);
  }

  it.each([1, 6])(TITLE, { tags: ["slow"] }, killedAfter);

  it("is taken away with --undo", { tags: ["slow"] }, async () => {
    await killAfter(5, "dashboard", "copy", CURRENT, "--name", "Never");
    expect((await named("Never")).length).toBe(1);
    await ok("dashboard", "copy", "--undo");
    expect(await named("Never")).toEqual([]);
  });
});
