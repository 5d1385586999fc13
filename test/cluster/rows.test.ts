import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { type ClusterPlace, clusterPlace } from "./place.ts";

const DEVICES = 6;
const EACH = 1_500;
const FLEET = 200;
let place: ClusterPlace;
let queue: readonly string[];
beforeAll(async () => {
  place = await clusterPlace(DEVICES);
  queue = ["--queue", place.redis.url];
  await place.worker();
});
beforeEach(() => place.here.sandbox.faults.set([]));
afterAll(() => place?.close());

function file(name: string, lines: readonly string[]): string {
  const path = join(place.folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

type ReportRow = { readonly row: number; readonly id: string; readonly result: string; readonly reason: string };
const rowsOf = (path: string): ReportRow[] =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ReportRow);

const resultsOf = (path: string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { result } of rowsOf(path)) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
};

interface FoundDevice {
  readonly name: string;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
}
const fleet = (tag: string): Promise<FoundDevice[]> =>
  place.here.json(["device", "list", "--tag", tag, "--all", "--fields", "name,tags"]);

const records = (name: string, variable = "level"): string =>
  file(name, [
    "device,variable,value,time",
    ...Array.from({ length: DEVICES * EACH }, (_, n) => {
      const at = new Date(Date.parse("2026-11-02T00:00:00Z") + n * 1_000).toISOString();
      return `${place.devices[n % DEVICES]},${variable},${n},${at}`;
    }),
  ]);

const newFleet = (name: string): string =>
  file(name, ["name,tag.fleet", ...Array.from({ length: FLEET }, (_, n) => `Valve ${n},new`)]);

/** Requests of a kind since a moment. */
const sent = (startMs: number, request: string): number =>
  place.here.requestsSince(startMs).filter((one) => one.startsWith(request)).length;

it("rows of two imports are sent exactly once by two workers, one of which is killed", async () => {
  place.here.sandbox.faults.set([
    { route: "POST /data", kind: "latency", delayMs: 500 },
    { route: "POST /device", kind: "latency", delayMs: 100 },
  ]);
  const startMs = Date.now();
  const [dataReport, fleetReport] = [join(place.folder, "data.ndjson"), join(place.folder, "fleet.ndjson")];
  const other = await place.worker();
  const submitters = await Promise.all([
    place.start(["device", "data", "import", "--input", records("records.csv"), ...queue, "--report", dataReport]),
    place.start(["device", "import", newFleet("fleet.csv"), ...queue, "--report", fleetReport]),
  ]);
  const begun = (request: string, count: number) => waitFor(() => sent(startMs, request) >= count, request);
  await Promise.all([begun("POST /data", 3), begun("POST /device", 8)]);
  await other.end("SIGKILL");
  place.here.sandbox.faults.set([]);
  expect(submitters.map(({ child }) => child.exitCode)).toEqual([null, null]);
  await waitFor(() => submitters.every(({ child }) => child.exitCode !== null), "the end of both");
  expect(submitters.map(({ child, said }) => ({ code: child.exitCode, said: said() }))).toMatchObject([
    { code: 0 },
    { code: 0 },
  ]);

  for (const id of place.devices)
    expect(await place.here.json(["device", "data", "count", id, "--variable", "level"])).toBe(EACH);
  expect(new Set(rowsOf(dataReport).map(({ row }) => row)).size).toBe(DEVICES * EACH);
  expect(rowsOf(dataReport)).toHaveLength(DEVICES * EACH);
  const { sent: now = 0, "sent before": before = 0, ...others } = resultsOf(dataReport);
  expect({ sum: now + before, others }).toEqual({ sum: DEVICES * EACH, others: {} });

  const names = (await fleet("fleet=new")).map(({ name }) => name);
  expect(names).toHaveLength(FLEET);
  expect(new Set(names).size).toBe(FLEET);
  expect(rowsOf(fleetReport)).toHaveLength(FLEET);
  const { created = 0, unchanged = 0, ...failed } = resultsOf(fleetReport);
  expect({ sum: created + unchanged, failed }).toEqual({ sum: FLEET, failed: {} });
});

describe("a fleet change by workers", () => {
  it("is done to each device once, although the platform says that its limit is reached", async () => {
    const limit = { route: "PUT /device/*", kind: "status", status: 429, retryAfterSeconds: 1, count: 1 } as const;
    place.here.sandbox.faults.set([limit]);
    const startMs = Date.now();
    const report = join(place.folder, "update.ndjson");
    const change = ["device", "update", "--tag", "fleet=new", "--set-tag", "floor=2", "--yes", ...queue];
    const { code, stderr } = await place.iot([...change, "--report", report]);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(`Updated ${FLEET} devices`) });
    expect(sent(startMs, "PUT /device/")).toBe(FLEET + 1);
    expect(resultsOf(report)).toEqual({ updated: FLEET });
    expect(new Set(rowsOf(report).map(({ id }) => id)).size).toBe(FLEET);
    expect(await fleet("floor=2")).toHaveLength(FLEET);
    // What a later run means is the fleet as it is then.
    const again = await place.iot(change);
    expect({ code: again.code, stderr: again.stderr }).toMatchObject({ code: 0 });
    expect(sent(startMs, "PUT /device/")).toBe(2 * FLEET + 1);
  });

  it("names the devices that the platform refuses, and retries them", async () => {
    const refusal = { route: "DELETE /device/*", kind: "status", status: 400, message: "In use", count: 2 } as const;
    place.here.sandbox.faults.set([refusal]);
    const report = join(place.folder, "delete.ndjson");
    const command = ["device", "delete", "--tag", "fleet=new", "--confirm", "devices", ...queue];
    const { code, stderr } = await place.iot([...command, "--report", report]);
    expect({ code, stderr }).toMatchObject({ code: 8, stderr: expect.stringContaining(`2 of ${FLEET} items failed`) });
    expect(resultsOf(report)).toEqual({ deleted: FLEET - 2, failed: 2 });
    expect(rowsOf(report).filter(({ reason }) => reason.includes("In use"))).toHaveLength(2);
    const [, id = ""] = /iot job retry (\w+)/.exec(stderr) ?? [];
    expect((await place.iot(["job", "retry", id])).code).toBe(0);
    expect((await place.iot(["job", "watch", id])).code).toBe(0);
    expect(await fleet("fleet=new")).toEqual([]);
  });
});

describe("an import by workers", () => {
  it("sends all but the rows that the platform refuses, and reports each", async () => {
    const lines = ["variable,value", "odd,1", "odd,2", ",3", "odd,4", "odd,5"];
    const refusal = { route: "POST /data", kind: "status", status: 400, message: "Bad row", count: 3 } as const;
    place.here.sandbox.faults.set([refusal]);
    const id = place.devices[0] ?? "";
    const report = join(place.folder, "bad.ndjson");
    const command = ["device", "data", "import", id, "--input", file("bad.csv", lines), ...queue, "--report", report];
    const detached = await place.iot([...command, "--detach", "--json"]);
    expect(JSON.parse(detached.stdout)).toEqual({ job: expect.stringMatching(/^j[0-9a-f]{15}$/) });
    const { code, stderr } = await place.iot(command);
    expect({ code, stderr }).toMatchObject({ code: 8, stderr: expect.stringContaining("2 of 5 rows were not sent") });
    const told = rowsOf(report).sort((one, other) => one.row - other.row);
    // The workers may have ended it before this command came to it.
    const results = told.map(({ result }) => result.replace(" before", ""));
    expect(results).toEqual(["failed", "sent", "invalid", "sent", "sent"]);
    expect(told[0]?.reason).toContain("Bad row");
    expect(await place.here.json(["device", "data", "count", id, "--variable", "odd"])).toBe(3);
    const { job } = JSON.parse(detached.stdout) as { job: string };
    await place.iot(["job", "report", job, "--out", join(place.folder, "items.ndjson")]);
    expect(rowsOf(join(place.folder, "items.ndjson"))).toEqual([
      expect.objectContaining({ rows: 4, refused: 1, reason: expect.stringMatching(/^row 1: .*Bad row/) }),
    ]);
  });

  it("says that there is nothing to do when it is repeated", async () => {
    const lines = ["variable,value", "twice,1", "twice,2", "twice,3"];
    const id = place.devices[0] ?? "";
    const command = ["device", "data", "import", id, "--input", file("twice.csv", lines), ...queue];
    expect(await place.iot(command)).toMatchObject({ code: 0, stderr: expect.stringContaining("Sent 3 records") });
    const again = await place.iot([...command, "--json"]);
    expect({ code: again.code, stderr: again.stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/The job j[0-9a-f]{15} finished on [-T:0-9]+Z; nothing to do\. Use --again/),
    });
    expect(again.stderr).not.toMatch(/Sent/);
    expect(JSON.parse(again.stdout)).toMatchObject([{ device: id, sent: 0, sent_before: 3, failed: 0 }]);
    expect(await place.here.json(["device", "data", "count", id, "--variable", "twice"])).toBe(3);
  });

  it("creates no device twice when the answer is lost", async () => {
    place.here.sandbox.faults.set([{ route: "POST /device", kind: "truncate", count: 2 }]);
    const lines = ["name,tag.fleet", "Tank 1,lost", "Tank 2,lost", "Tank 3,lost"];
    const { code, stderr } = await place.iot(["device", "import", file("lost.csv", lines), ...queue]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect((await fleet("fleet=lost")).map(({ name }) => name).sort()).toEqual(["Tank 1", "Tank 2", "Tank 3"]);
  });

  it("puts the rows of a file into an entity", async () => {
    const lines = ["n,label", ...Array.from({ length: 1_500 }, (_, n) => `${n},row ${n}`)];
    const made = ["entity", "create", "--name", "Stock", "--field", "n:int", "--field", "label:string"];
    const { id } = await place.here.json<{ id: string }>(made);
    const { code, stdout, stderr } = await place.iot([
      ...["entity", "data", "import", id, file("stock.csv", lines), ...queue, "--json"],
    ]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ rows: 1_500, sent: 1_500, failed: 0 });
    expect(await place.here.json(["entity", "count", id])).toBe(1_500);
  });
});

describe("workers do not", () => {
  it("create tokens", async () => {
    const command = ["device", "token", "create", "--tag", "site=plant", "--name", "gateway"];
    const { code, stderr } = await place.iot([...command, "--out", join(place.folder, "tokens.csv"), ...queue]);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Tokens cannot[\s\S]*in the queue/),
    });
  });

  it("begin in a protected environment without its name", async () => {
    const { IOT_API_URL: api = "", IOT_EVENTS_URL: events = "", IOT_TOKEN: token = "" } = place.env;
    const config = { IOT_CONFIG_DIR: temporaryFolder(), IOT_TOKEN: token };
    const add = ["env", "add", "prod", "--api-url", api, "--events-url", events, "--protected"];
    expect((await place.here.iot(add, { env: config })).code).toBe(0);
    const worker = ["worker", ...queue, "--env", "prod", "--drain"];
    const refused = await place.here.iot(worker, { env: config });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--confirm "prod"') });
    const named = await place.here.iot([...worker, "--confirm", "prod"], { env: config });
    expect({ code: named.code, stderr: named.stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Did"),
    });
  });
});

it("an import that is repeated after the queue lost its data sends only what is missing, or all with --again", async () => {
  const [input, report] = [records("lost-queue.csv", "kept"), join(place.folder, "lost-queue.ndjson")];
  const run = ["device", "data", "import", "--input", input, ...queue, "--report", report, "--yes"];
  const [first = "", ...others] = place.devices;
  const countOf = (id: string) => place.here.json<number>(["device", "data", "count", id, "--variable", "kept"]);
  expect((await place.iot(run)).code).toBe(0);
  expect(resultsOf(report)).toEqual({ sent: DEVICES * EACH });
  await place.redis.client().flushall();
  const { stderr } = await place.iot([
    "device",
    "data",
    "delete",
    first,
    "--variable",
    "kept",
    "--all",
    "--confirm",
    "Pump 0",
  ]);
  expect({ stderr, left: await countOf(first) }).toMatchObject({ left: 0 });
  const again = await place.iot(run);
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("records that arrived are looked up") });
  expect(resultsOf(report)).toEqual({ sent: EACH, "sent before": (DEVICES - 1) * EACH });
  expect(await countOf(first)).toBe(EACH);
  for (const id of others) expect(await countOf(id)).toBe(EACH);
  await place.redis.client().flushall();
  expect((await place.iot([...run, "--again"])).code).toBe(0);
  expect(resultsOf(report)).toEqual({ sent: DEVICES * EACH });
  expect(await countOf(first)).toBe(2 * EACH);
});
