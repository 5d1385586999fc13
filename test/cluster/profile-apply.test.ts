import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "bullmq";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { JobRow } from "../../src/commands/kit/jobs/queue/job-state.ts";
import { Resources } from "../../src/index.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { type FolderSize, folderId, writeProfileFolder } from "../helpers/profile-folder.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { type ClusterPlace, clusterPlace } from "./place.ts";

const size: FolderSize = { device: 20, dictionary: 2, entity: 2, analysis: 4, dashboard: 6, action: 4, access: 2 };
const folder = join(temporaryFolder(), "dev");
// A network has no key: the command itself makes it.
const count = writeProfileFolder(folder, size) + 1;
const network = { id: "770009000000000000000001", name: "Own network", description: "made from files" };
mkdirSync(join(folder, "network"));
writeFileSync(join(folder, "network", `own--${network.id}.json`), JSON.stringify(network));

let place: ClusterPlace;
beforeEach(async () => {
  place = await clusterPlace(0);
});
afterEach(() => place.close());

const slow = (delayMs: number): void =>
  place.here.sandbox.faults.set([
    { route: "POST /*", kind: "latency", delayMs },
    { route: "PUT /*", kind: "latency", delayMs },
  ]);
const writes = (): number => place.here.requests().filter((line) => /^(POST|PUT|DELETE) \//.test(line)).length;
const applying = (...more: readonly string[]): string[] => ["profile", "apply", folder, "--yes", ...more];
const byWorkers = (...more: readonly string[]): string[] => applying("--queue", place.redis.url, ...more);

interface Row {
  readonly kind: string;
  readonly name: string;
  readonly result: string;
  readonly why: string | null;
}
const countsOf = (text: string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { result } of JSON.parse(text) as Row[]) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
};

/** What differs from the files: nothing, when each resource is there once and as it should be. */
async function differences(): Promise<unknown[]> {
  const { stdout } = await place.iot(["profile", "diff", folder, "--exclude", "portal", "--json"]);
  const found = JSON.parse(stdout) as { readonly id: string }[];
  // What the sandbox itself came with.
  return found.filter(({ id }) => !id.startsWith("65a1"));
}

/** Changes the file of a resource. */
function editFile(path: string, kind: "action" | "device", n: number, more: object): void {
  const file = join(path, kind, `r${n}--${folderId(kind, n)}.json`);
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...more }));
}

describe("an apply by workers", () => {
  it("makes everything once although a worker is killed, changes nothing the second time, and can be undone", async () => {
    slow(30);
    // An action names a widget, whose id is known after the dashboards only.
    editFile(folder, "action", 0, { description: `/dashboards/info/x?widget=${folderId("widget", 0)}` });
    onTestFinished(() => editFile(folder, "action", 0, { description: undefined }));
    const [killed] = [await place.worker(), await place.worker()];
    const apply = await place.start([...byWorkers("--json"), "--report", join(place.folder, "rows.ndjson")]);
    await waitFor(() => writes() > 25, "the first writes");
    await killed?.end("SIGKILL");
    await place.worker();
    expect({ code: await apply.ended, stderr: apply.said() }).toMatchObject({ code: 0 });
    expect(countsOf(apply.printed())).toEqual({ created: count });
    expect(await differences()).toEqual([]);

    const jobs = await place.here.json<JobRow[]>(["job", "list"], { env: place.env });
    expect(new Set(jobs.map(({ kind, state }) => `${kind}: ${state}`))).toEqual(new Set(["profile apply: done"]));
    expect(jobs.map(({ what }) => what)).toContain("apply of a profile: create devices");
    expect(jobs.map(({ what }) => what)).not.toContain("apply of a profile: create networks");

    place.here.sandbox.faults.set([]);
    const before = writes();
    const again = await place.iot(byWorkers("--json"));
    expect({ code: again.code, counts: countsOf(again.stdout) }).toEqual({ code: 0, counts: { unchanged: count } });
    expect(writes()).toBe(before);

    const undone = await place.iot(["profile", "rollback", "last", "--confirm", "Demo Plant", "--json"]);
    expect({ code: undone.code, stderr: undone.stderr }).toMatchObject({ code: 0 });
    expect(countsOf(undone.stdout)).toEqual({ deleted: count });
  });

  it("goes on where it was when the command is killed, and not without its queue", async () => {
    slow(40);
    await place.worker();
    const first = await place.start(byWorkers());
    await waitFor(() => writes() > 30, "the first writes");
    await first.end("SIGKILL");
    const alone = await place.iot(applying());
    expect(alone).toMatchObject({ code: 7, stderr: expect.stringContaining(`Add --queue ${place.redis.url}`) });
    const { code, stderr } = await place.iot(byWorkers("--resume"));
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("Continuing the apply") });
    expect(await differences()).toEqual([]);
    const devices = await place.here.json<{ readonly name: string }[]>(["device", "list", "--all"], { env: place.env });
    expect(devices.map(({ name }) => name).sort()).toEqual(
      Array.from({ length: size.device }, (_, n) => `device ${n}`).sort(),
    );
  });

  it("makes nothing twice when the answer to a creation is lost", async () => {
    place.here.sandbox.faults.set([
      { route: "POST /device", kind: "truncate", count: 2 },
      { route: "POST /dashboard", kind: "truncate", count: 1 },
    ]);
    await place.worker(["--retries", "0"]);
    const { code, stdout, stderr } = await place.iot(byWorkers("--json"));
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(countsOf(stdout)).toEqual({ created: count });
    expect(await differences()).toEqual([]);
    const made = place.here.requests().filter((line) => line === "POST /device");
    expect(made).toHaveLength(size.device);
  });

  it("takes no ids from the results of the queue, which anyone there can forge", async () => {
    const apply = await place.start(byWorkers("--json"));
    const { id: job } = await place.jobUntil(({ state }) => state === "running", "the first job");
    const client = place.redis.client();
    const [key = ""] = await client.keys(`bull:iot-jobs-*:${job}`);
    const connection = new Redis(place.redis.port, "127.0.0.1", { maxRetriesPerRequest: null });
    const forged = "f".repeat(24);
    const item = async () => ({ kind: "device", name: "x", result: "created", id: forged });
    const forgers = [
      new Worker(`iot-items-${job}`, item, { connection }),
      new Worker(key.split(":")[1] ?? "", async () => ({}), { connection }),
    ];
    await waitFor(() => place.here.requests().filter((line) => line.startsWith("GET /device?")).length > 1, "the list");
    await Promise.all(forgers.map((forger) => forger.close()));
    connection.disconnect();
    await place.worker();
    expect({ code: await apply.ended, said: apply.said() }).toMatchObject({ code: 8 });
    const devices = (JSON.parse(apply.printed()) as Row[]).filter(({ kind }) => kind === "device");
    expect(new Set(devices.map(({ result, why }) => `${result}: ${why}`))).toEqual(
      new Set(["failed: the platform does not list it after its creation"]),
    );
    const all = place.here.sandbox.requestLog().map((request) => JSON.stringify(request));
    expect(all.filter((request) => request.includes(forged))).toEqual([]);
  });

  it("begins nothing with a queue that is down", async () => {
    const down = await place.iot(applying("--queue", "redis://127.0.0.1:1/0"));
    expect(down).toMatchObject({ code: 10, stderr: expect.stringContaining("cannot be used") });
    expect(await place.iot(applying())).toMatchObject({ code: 0 });
  });

  it("reports what the platform refuses, and writes the rest when it is run again", async () => {
    const refusal = { kind: "status", status: 400, message: "Not today", count: 1 } as const;
    place.here.sandbox.faults.set([
      { route: "POST /entity", ...refusal },
      { route: "POST /dashboard/*/widget", ...refusal },
    ]);
    await place.worker();
    const first = await place.iot(byWorkers("--json"));
    expect(first).toMatchObject({ code: 8, stderr: expect.stringContaining("Not today") });
    expect(countsOf(first.stdout)).toEqual({ created: count - 2, failed: 2 });
    const second = await place.iot(byWorkers("--json"));
    expect(second).toMatchObject({ code: 0 });
    expect(countsOf(second.stdout)).toEqual({ created: 1, updated: 1, unchanged: count - 2 });
    expect(await differences()).toEqual([]);
  });

  it("updates and deletes, but leaves alone what changed since the plan", async () => {
    const worker = await place.worker();
    expect(await place.iot(byWorkers())).toMatchObject({ code: 0 });
    await worker.end("SIGTERM");
    const next = join(temporaryFolder(), "next");
    writeProfileFolder(next, { ...size, device: size.device - 1 });
    for (const n of [0, 1, 2]) editFile(next, "device", n, { description: `number ${n}` });
    const region = { api: place.env["IOT_API_URL"] ?? "", sse: place.env["IOT_EVENTS_URL"] ?? "" };
    const { devices } = new Resources({ token: place.env["IOT_TOKEN"] ?? "", region });
    const before = await devices.list({ amount: 100, fields: ["id", "name"] });
    const idOf = (name: string): string => before.find((each) => each.name === name)?.id ?? "";

    const line = ["profile", "apply", next, "--prune", "--confirm", "Demo Plant", "--queue", place.redis.url, "--json"];
    const apply = await place.start(line);
    await place.jobUntil(({ state, what }) => state === "running" && what.includes("update"), "the job");
    await devices.edit(idOf("device 1"), { description: "of somebody" });
    await place.worker();
    expect({ code: await apply.ended, said: apply.said() }).toMatchObject({ code: 8 });
    const rows = JSON.parse(apply.printed()) as Row[];
    const changed = rows
      .filter(({ result }) => result !== "unchanged")
      .map(({ name, result, why }) => [name, result, why]);
    expect(changed.sort()).toEqual([
      ["alert", "deleted", null],
      ["device 0", "updated", null],
      ["device 1", "failed", "it changed since the plan was made"],
      ["device 19", "deleted", null],
      ["device 2", "updated", null],
    ]);
    const after = await devices.list({ amount: 100, fields: ["name", "description"] });
    expect(after.map(({ name }) => name)).not.toContain("device 19");
    expect(after.find(({ name }) => name === "device 1")?.description).toBe("of somebody");
  });
});
