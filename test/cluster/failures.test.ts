import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { waitFor } from "../helpers/wait-for.ts";
import { gateTo } from "./gate.ts";
import { type ClusterPlace, clusterPlace, expectWhole, exportTo, filesOf } from "./place.ts";
import { testRedis } from "./redis.ts";

const DEVICES = 12;
let place: ClusterPlace;
afterEach(() => place?.close());

/** Reading an item takes this long. */
const slow = (delayMs: number): void =>
  place.here.sandbox.faults.set([{ route: "GET /device/*/data", kind: "latency", delayMs }]);

describe("a worker that is killed", () => {
  it("in the middle of items leaves every record exactly once", async () => {
    place = await clusterPlace(DEVICES);
    slow(400);
    const out = join(place.folder, "out");
    const report = join(place.folder, "report.ndjson");
    const first = await place.worker();
    const submitter = await place.start(exportTo(out, "--format", "ndjson", "--report", report));
    await place.jobUntil(({ done }) => done >= 2, "the first items");
    await first.end("SIGKILL");
    const { done } = await place.job();
    expect(done).toBeLessThan(DEVICES);
    await place.worker();
    expect(await place.jobUntil(({ state }) => state === "done", "the end")).toMatchObject({
      done: DEVICES,
      failed: 0,
    });
    await waitFor(() => submitter.child.exitCode === 0, "the end of the submitter");
    expectWhole(out, DEVICES);
    const rows = (filesOf(place.folder)["report.ndjson"] ?? "").trim().split("\n");
    expect(new Set(rows.map((row) => (JSON.parse(row) as { item: string }).item))).toEqual(new Set(place.devices));
    expect(rows).toHaveLength(DEVICES);
  });

  it("by a signal that asks finishes its items first", async () => {
    place = await clusterPlace(DEVICES);
    slow(400);
    const worker = await place.worker();
    await place.start(exportTo(join(place.folder, "out"), "--detach"));
    await place.jobUntil(({ done }) => done >= 2, "the first items");
    expect(await worker.end("SIGTERM")).toBe(143);
    const { done } = await place.job();
    expect(worker.said()).toContain(`Did ${done} items`);
    const active = await place.redis.client().llen(`bull:iot-items-${(await place.job()).id}:active`);
    expect(active).toBe(0);
  });
});

describe("a worker that is asked to stop", () => {
  it("while it waits to connect again ends all the same, and reports what it did", async () => {
    place = await clusterPlace(DEVICES);
    slow(2_000);
    const gate = await gateTo(place.redis.port);
    try {
      const worker = await place.worker([], { IOT_QUEUE: `redis://127.0.0.1:${gate.port}/0` });
      await place.start(exportTo(join(place.folder, "out"), "--detach"));
      await place.jobUntil(({ done }) => done >= 2, "the first items");
      // Those that wait for work; the one that reports results stays.
      gate.close(/bzpopmin/i);
      await waitFor(() => gate.refused() >= 3, "the third try to connect");
      expect(await worker.end("SIGTERM")).toBe(143);
      expect(worker.said()).toContain(`Did ${(await place.job()).done} items`);
      expect(worker.said()).not.toContain("Warning");
    } finally {
      gate.end();
    }
  });

  it("ends without a Redis that answers nothing any more", async () => {
    place = await clusterPlace(DEVICES);
    slow(2_000);
    const worker = await place.worker();
    await place.start(exportTo(join(place.folder, "out"), "--detach"));
    await place.jobUntil(({ done }) => done >= 2, "the first items");
    place.redis.hang();
    expect(await worker.end("SIGTERM")).toBe(143);
    expect(worker.said()).toMatch(/The queue redis:\S+ is out of reach/);
    expect(worker.said()).not.toContain("Internal error");
  });
});

describe("a Redis that is killed", () => {
  it("and stays away does not hold a worker that is asked to stop", async () => {
    place = await clusterPlace(DEVICES);
    // Long enough that items are under way at the kill, however busy the machine is.
    slow(2_000);
    const worker = await place.worker();
    await place.start(exportTo(join(place.folder, "out"), "--detach"));
    await place.jobUntil(({ done }) => done >= 2, "the first items");
    await place.redis.kill();
    await waitFor(() => /Lost the connection/.test(worker.said()), "the word about the loss");
    expect(await worker.end("SIGTERM")).toBe(143);
    expect(worker.said()).toMatch(/The queue redis:\S+ is out of reach, so what was under way cannot be reported/);
    expect(worker.said()).not.toContain("Internal error");
  });

  it("and comes back with its append-only file loses nothing", async () => {
    place = await clusterPlace(DEVICES, await testRedis({ isKept: true }));
    slow(300);
    const out = join(place.folder, "out");
    const worker = await place.worker();
    const submitter = await place.start(exportTo(out, "--format", "ndjson"));
    await place.jobUntil(({ done }) => done >= 2, "the first items");
    await place.redis.kill();
    await waitFor(() => /Lost the connection/.test(worker.said()), "the word about the loss");
    await place.redis.start();
    expect(await place.jobUntil(({ state }) => state === "done", "the end")).toMatchObject({
      done: DEVICES,
      failed: 0,
    });
    await waitFor(() => submitter.child.exitCode !== null, "the end of the submitter");
    expect({ code: submitter.child.exitCode, said: submitter.said() }).toMatchObject({ code: 0 });
    expectWhole(out, DEVICES);
  });

  it("and comes back empty is told with what to do, and the same command does the rest", async () => {
    place = await clusterPlace(DEVICES);
    slow(300);
    const out = join(place.folder, "out");
    const command = exportTo(out, "--format", "ndjson");
    await place.worker();
    const submitter = await place.start(command);
    await place.jobUntil(({ done }) => done >= 2, "the first items");
    await place.redis.kill();
    await place.redis.start();
    await waitFor(() => submitter.child.exitCode !== null, "the end of the submitter");
    expect(submitter.child.exitCode).toBe(6);
    expect(submitter.said()).toMatch(
      /There is no job [\s\S]*without persistence[\s\S]*Run the command that started it again/,
    );
    place.here.sandbox.faults.set([]);
    const { code, stderr } = await place.iot(command);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expectWhole(out, DEVICES);
  });
});
