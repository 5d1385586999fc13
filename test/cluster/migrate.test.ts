import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { inspectWidget, Resources } from "../../src/index.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { type ClusterPlace, clusterPlace, filesOf } from "./place.ts";

const DASHBOARDS = 5;
const WIDGETS = 5;
const { display } = JSON.parse(readFileSync("test/fixtures/widgets/dial/old.json", "utf8")) as {
  display: Record<string, unknown>;
};

interface Report {
  readonly run: string;
  readonly command: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly dashboards: readonly {
    readonly id: string;
    readonly outcome: string;
    readonly copy?: string;
    readonly snapshot?: string;
    readonly error?: string;
    readonly widgets: readonly { readonly id: string; readonly outcome: string }[];
  }[];
}

let place: ClusterPlace;
let resources: Resources;
beforeAll(async () => {
  place = await clusterPlace(0);
  const region = { api: place.env["IOT_API_URL"] ?? "", sse: place.env["IOT_EVENTS_URL"] ?? "" };
  resources = new Resources({ token: place.env["IOT_TOKEN"] ?? "", region });
});
beforeEach(async () => {
  place.here.sandbox.faults.set([]);
  await place.redis.client().flushall();
  for (const { id } of await all()) await resources.dashboards.delete(id);
});
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.end("SIGKILL"))));
afterAll(() => place?.close());

const all = () => resources.dashboards.list({ amount: 1_000, fields: ["id", "label"] });
const labels = async (): Promise<string[]> => (await all()).map(({ label }) => label).sort();

/** Dashboards with legacy widgets and a tag. */
function make(tag: string, count = DASHBOARDS): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => makeOne(tag, `${tag} ${n}`)));
}

async function makeOne(tag: string, label: string): Promise<string> {
  const tags = [{ key: "hall", value: tag }];
  const { dashboard: id } = await resources.dashboards.create({ label, type: "dashboard", tags });
  const arrangement = [];
  for (let y = 0; y < WIDGETS; y += 1) {
    const { widget } = await resources.dashboards.widgets.create(id, { display, label: `${y}`, type: "gauge" });
    arrangement.push({ widget_id: widget, x: 0, y, width: 1, height: 1 });
  }
  await resources.dashboards.edit(id, { arrangement });
  return id;
}

/** Whether each widget of a dashboard is old. */
async function areOld(id: string): Promise<boolean[]> {
  const { arrangement } = await resources.dashboards.info(id);
  const widgets = (arrangement ?? []).map(({ widget_id }) => resources.dashboards.widgets.info(id, widget_id));
  return (await Promise.all(widgets)).map((widget) => inspectWidget(widget).verdict === "legacy");
}

const old = Array.from({ length: WIDGETS }, () => true);
const converted = Array.from({ length: WIDGETS }, () => false);
const migration = (tag: string, ...more: readonly string[]): string[] => [
  ...["dashboard", "migrate", "--tag", `hall=${tag}`, "--yes", "--queue", place.redis.url],
  ...more,
];

async function migrate(tag: string, ...more: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await place.iot(migration(tag, ...more, "--report", "json"));
  if (code !== 0) throw new Error(`ended with ${code}:\n${stderr}`);
  return JSON.parse(stdout) as Report;
}

const workers: Awaited<ReturnType<ClusterPlace["worker"]>>[] = [];
/** Starts a worker as on another machine: with a folder for state of its own. */
async function startWorker(...args: readonly string[]): Promise<(typeof workers)[number]> {
  const worker = await place.worker(["--retries", "0", ...args], { IOT_CONFIG_DIR: temporaryFolder() });
  workers.push(worker);
  return worker;
}
const slow = (delayMs: number): void =>
  place.here.sandbox.faults.set([{ route: "PUT /dashboard/*/widget/*", kind: "latency", delayMs }]);
/** Requests that write a widget, by their address. */
const writes = (): string[] => place.here.requests().filter((line) => /^PUT \/dashboard\/\w+\/widget\//.test(line));
const plans = (): string => join(place.env["IOT_CONFIG_DIR"] ?? "", "state", "queued-migrations");

describe("a migration by workers", () => {
  it("survives a killed worker: each dashboard is migrated once, and a rollback brings it back", async () => {
    const [inPlace, copied] = [await make("place"), await make("copy")];
    slow(150);
    const jobs = [
      await place.iot(migration("place", "--in-place", "--detach", "--json")),
      await place.iot(migration("copy", "--detach", "--json")),
    ];
    expect(jobs.map(({ stdout }) => JSON.parse(stdout))).toEqual([
      { job: expect.any(String) },
      { job: expect.any(String) },
    ]);
    const start = writes().length;
    const first = await startWorker("--concurrency", "4");
    await waitFor(() => writes().length - start >= 6, "the first widgets");
    await first.end("SIGKILL");
    // Killed in the middle: there is a dashboard that is half old and half new, and a copy without its last name.
    const middle = await Promise.all(inPlace.map(areOld));
    expect(middle.some((widgets) => new Set(widgets).size === 2)).toBe(true);
    expect((await labels()).some((label) => label.includes("(migrating "))).toBe(true);
    slow(20);
    await Promise.all([startWorker(), startWorker()]);
    const [placed, copies] = await Promise.all([migrate("place", "--in-place"), migrate("copy")]);

    for (const [report, ids] of [
      [placed, inPlace],
      [copies, copied],
    ] as const) {
      expect(report.dashboards.map(({ id }) => id).sort()).toEqual([...ids].sort());
      expect(new Set(report.dashboards.map(({ outcome }) => outcome))).toEqual(new Set(["migrated"]));
      expect(report.counts).toMatchObject({ dashboards: DASHBOARDS, converted: DASHBOARDS * WIDGETS, failed: 0 });
    }
    for (const id of inPlace) expect(await areOld(id)).toEqual(converted);
    for (const id of copied) expect(await areOld(id)).toEqual(old);
    for (const { copy = "" } of copies.dashboards) expect(await areOld(copy)).toEqual(converted);
    const names = (tag: string, end = ""): string[] => copied.map((_, n) => `${tag} ${n}${end}`);
    expect(await labels()).toEqual([...names("copy"), ...names("copy", " (migrated)"), ...names("place")].sort());
    // No widget was written twice, the ones that were under way included.
    const written = writes().slice(start);
    expect(new Set(written).size).toBe(written.length);
    expect(readdirSync(plans())).toEqual([]);

    const [one] = placed.dashboards;
    const rolled = await place.iot(["dashboard", "rollback", one?.snapshot ?? "", "--yes"]);
    expect({ code: rolled.code, stderr: rolled.stderr }).toMatchObject({ code: 0 });
    expect(await areOld(one?.id ?? "")).toEqual(old);
    const file = join(place.folder, "report.ndjson");
    await place.iot(["job", "report", copies.run, "--out", file]);
    const rows = (filesOf(place.folder)["report.ndjson"] ?? "").trim().split("\n");
    expect(rows.map((row) => JSON.parse(row))).toContainEqual(
      expect.objectContaining({ item: copied[0], result: "done", outcome: "migrated", copy: expect.any(String) }),
    );
  });

  it("goes on where its workers were when the queue has lost the job", async () => {
    const ids = await make("lost", 4);
    slow(100);
    await place.iot(migration("lost", "--detach"));
    const start = writes().length;
    const first = await startWorker();
    await place.jobUntil(({ done }) => done >= 2, "the first items");
    await first.end("SIGKILL");
    await place.redis.client().flushall();
    slow(0);
    await startWorker();
    const report = await migrate("lost");
    expect(report.counts).toMatchObject({ dashboards: 4, converted: 4 * WIDGETS });
    const names = ids.map((_, n) => `lost ${n}`);
    expect(await labels()).toEqual([...names, ...names.map((name) => `${name} (migrated)`)].sort());
    const written = writes().slice(start);
    expect(new Set(written).size).toBe(written.length);
    const twice = await place.iot(migration("lost", "--json"));
    expect(JSON.parse(twice.stdout)).toEqual({ job: report.run });
    expect(twice.stderr).toContain("results were given before");
  });

  it("tries again what passes, and says what the platform refuses", async () => {
    const [good = "", bad = ""] = await make("faults", 2);
    const passing = { route: `PUT /dashboard/${good}/widget/*`, kind: "status", status: 503, count: 1 } as const;
    const refused = { route: `PUT /dashboard/${bad}/widget/*`, kind: "status", status: 400, count: 1 } as const;
    place.here.sandbox.faults.set([passing, refused]);
    await startWorker();
    const first = await place.iot(migration("faults", "--in-place", "--report", "json"));
    expect(first).toMatchObject({ code: 8, stderr: expect.stringContaining("with --again") });
    const { counts, dashboards } = JSON.parse(first.stdout) as Report;
    expect(counts).toMatchObject({ converted: 2 * WIDGETS - 1, failed: 1 });
    const outcomes = Object.fromEntries(dashboards.map(({ id, outcome }) => [id, outcome]));
    expect(outcomes).toEqual({ [good]: "migrated", [bad]: "partly" });
    const again = await migrate("faults", "--in-place", "--again");
    expect(again.counts).toMatchObject({ converted: 1, unchanged: 2 * WIDGETS - 1 });
    expect(again.dashboards[0]).not.toHaveProperty("snapshot");
    expect(await areOld(bad)).toEqual(converted);
  });

  it("leaves alone what changed since the plan", async () => {
    const [id = ""] = await make("changed", 1);
    await place.iot(migration("changed", "--in-place", "--detach"));
    await resources.dashboards.edit(id, { label: "changed by somebody" });
    await startWorker("--drain");
    const { code, stdout } = await place.iot(migration("changed", "--in-place", "--report", "json"));
    expect({ code, outcome: (JSON.parse(stdout) as Report).dashboards[0]?.outcome }).toEqual({
      code: 7,
      outcome: "changed",
    });
    expect(await areOld(id)).toEqual(old);
  });

  it("writes nothing by a plan that is not there or was changed", async () => {
    const [id = ""] = await make("plans", 1);
    for (const spoil of ["folder", "plan"]) {
      await place.iot(migration("plans", "--in-place", "--detach", "--again"));
      const [name = ""] = readdirSync(plans());
      const path = join(plans(), name, id, "plan.json");
      if (spoil === "plan") writeFileSync(path, readFileSync(path, "utf8").replace("in-place", "copy"));
      const folder = spoil === "plan" ? [] : ["--folder", temporaryFolder()];
      await startWorker("--drain", ...folder);
      const { code, stdout, stderr } = await place.iot(migration("plans", "--in-place", "--report", "json"));
      expect({ code, stderr }).toEqual({ code: 8, stderr: expect.stringContaining("iot job retry") });
      expect((JSON.parse(stdout) as Report).dashboards[0]).toMatchObject({
        outcome: "failed",
        error: expect.stringMatching(/The plan of dashboard .* is not in .*, or was changed/),
      });
      expect(await areOld(id)).toEqual(old);
    }
    // The plans stay for a retry.
    expect(existsSync(plans())).toBe(true);
    expect(readdirSync(plans())).toHaveLength(1);
  });

  it("takes an unfinished copy away before it starts anew", async () => {
    await make("anew", 1);
    const route = "PUT /dashboard/*/widget/*";
    place.here.sandbox.faults.set([{ route, kind: "status", status: 401 }]);
    await place.iot(migration("anew", "--detach"));
    const first = await startWorker();
    await waitFor(() => first.child.exitCode !== null, "the end of the worker");
    expect(await labels()).toEqual(["anew 0", expect.stringContaining("(migrating ")]);
    place.here.sandbox.faults.set([]);
    const { id } = await place.job();
    await place.iot(["job", "cancel", id, "--yes"]);
    await startWorker();
    await migrate("anew", "--again");
    expect(await labels()).toEqual(["anew 0", "anew 0 (migrated)"]);
  });

  it("refuses what a queue cannot do", async () => {
    const refused = async (...args: string[]) => (await place.iot(["dashboard", "migrate", ...args, "--yes"])).stderr;
    expect(await refused("--all", "--detach")).toContain("--detach needs a queue");
    expect(await refused("--all", "--again")).toContain("--again needs a queue");
    expect(await refused("--queue", place.redis.url, "--resume")).toContain("--queue and --resume cannot be used");
    expect(await refused("--queue", place.redis.url, "--apply", "x.json")).toContain("--queue and --apply cannot be");
  });
});
