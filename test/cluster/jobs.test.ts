import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { waitFor } from "../helpers/wait-for.ts";
import { type ClusterPlace, clusterPlace, exportTo, filesOf } from "./place.ts";

const DEVICES = 10;
let place: ClusterPlace;
beforeAll(async () => {
  place = await clusterPlace(DEVICES);
});
beforeEach(async () => {
  place.here.sandbox.faults.set([]);
  await place.redis.client().flushall();
});
afterAll(() => place?.close());

const slow = (delayMs: number): void =>
  place.here.sandbox.faults.set([{ route: "GET /device/*/data", kind: "latency", delayMs }]);
const out = (name: string): string => join(place.folder, name);

describe("iot job", () => {
  it("pauses and resumes a job, and cancels it", async () => {
    await place.iot(exportTo(out("paused"), "--detach"));
    slow(600);
    const worker = await place.worker();
    const { id } = await place.jobUntil(({ done }) => done >= 2, "the first items");
    expect((await place.iot(["job", "pause", id])).code).toBe(0);
    await place.jobUntil(({ state }) => state === "paused", "the pause");
    // What was under way is finished, two at a time.
    const redis = place.redis.client();
    await waitFor(async () => (await redis.llen(`bull:iot-items-${id}:active`)) === 0, "the end of both");
    const { done } = await place.job();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await place.job()).toMatchObject({ state: "paused", done });
    expect((await place.iot(["job", "resume", id])).code).toBe(0);
    await place.jobUntil((job) => job.done > done, "more items");
    const unasked = await place.iot(["job", "cancel", id]);
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    expect((await place.iot(["job", "cancel", id, "--yes"])).code).toBe(0);
    const cancelled = await place.jobUntil(({ state }) => state === "cancelled", "the end");
    expect(cancelled.done).toBeLessThan(DEVICES);
    const same = await place.iot(exportTo(out("paused")));
    expect(same).toMatchObject({ code: 1, stderr: expect.stringContaining("was cancelled") });
    expect(Object.keys(filesOf(out("paused")))).not.toContain("_manifest.json");
    await worker.end("SIGTERM");
  });

  it("retries what failed", async () => {
    const [bad = ""] = place.devices;
    await place.iot(exportTo(out("retried"), "--detach"));
    place.here.sandbox.faults.set([{ route: `GET /device/${bad}/data`, kind: "status", status: 400 }]);
    const worker = await place.worker();
    const first = await place.iot(exportTo(out("retried")));
    expect(first).toMatchObject({ code: 8, stderr: expect.stringContaining("1 of 10 items failed") });
    const { id } = await place.job();
    expect(await place.job()).toMatchObject({ state: "partly", done: DEVICES - 1, failed: 1 });
    place.here.sandbox.faults.set([]);
    expect(await place.iot(exportTo(out("retried")))).toMatchObject({
      code: 8,
      stderr: expect.stringContaining(`1 item failed. Use "iot job retry ${id}"`),
    });
    expect((await place.iot(["job", "retry", id])).code).toBe(0);
    const watched = await place.iot(["job", "watch", id, "--json"]);
    expect(watched.code).toBe(0);
    expect(JSON.parse(watched.stdout)).toMatchObject({ state: "done", done: DEVICES, failed: 0 });
    expect(Object.keys(filesOf(out("retried")))).toHaveLength(DEVICES + 1);
    await worker.end("SIGTERM");
    // What is whole stays as it is; no worker would end it a second time.
    expect(await place.iot(["job", "retry", id])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("No failed items."),
    });
    expect(await place.job()).toMatchObject({ state: "done", done: DEVICES, failed: 0 });
  });

  it("waits for the minute with all workers when one is told to, and counts no attempt", async () => {
    // The wait must not be over before it was looked at.
    await waitFor(() => new Date().getSeconds() < 20, "the first seconds of a minute");
    await place.iot(exportTo(out("limited"), "--detach"));
    slow(300);
    const workers = await Promise.all([place.worker(), place.worker()]);
    const { id } = await place.jobUntil(({ done }) => done >= 2, "the first items");
    place.here.sandbox.faults.set([{ route: "GET /device/*/data", kind: "status", status: 429, count: 1 }]);
    const redis = place.redis.client();
    const limited = (): Promise<number> => redis.pttl(`bull:iot-items-${id}:limiter`);
    await waitFor(async () => (await limited()) > 2_000, "the wait");
    // Items that were under way are finished, or wait in their workers: then nothing more is done.
    let done = -1;
    for (let before = -2; done !== before; ) {
      before = done;
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      done = (await place.job()).done;
    }
    expect(await limited()).toBeGreaterThan(1_000);
    expect(await place.job()).toMatchObject({ state: "running", done, failed: 0 });
    expect(done).toBeLessThan(DEVICES);
    // An item that was begun before waits in its worker, whose client was told of the limit.
    const lists = ["wait", "active"].map((name) => redis.lrange(`bull:iot-items-${id}:${name}`, 0, -1));
    const [waiting = [], begun = []] = await Promise.all(lists);
    expect(waiting.length + begun.length).toBe(DEVICES - done);
    expect(begun.length).toBeLessThan(waiting.length);
    const attempts = await Promise.all(waiting.map((item) => redis.hget(`bull:iot-items-${id}:${item}`, "atm")));
    expect(new Set(attempts)).toEqual(new Set([null]));
    await Promise.all(workers.map((worker) => worker.end("SIGTERM")));
  });

  it("does two jobs at once, and leaves with --drain", async () => {
    for (const name of ["one", "two"]) expect((await place.iot(exportTo(out(name), "--detach"))).code).toBe(0);
    slow(100);
    const worker = await place.worker(["--drain"]);
    await waitFor(() => worker.child.exitCode !== null, "the end of the worker");
    expect(worker.child.exitCode).toBe(0);
    expect(worker.said()).toContain(`Did ${2 * DEVICES} items`);
    for (const folder of ["one", "two"]) expect(Object.keys(filesOf(out(folder)))).toHaveLength(DEVICES + 1);
  });

  it("goes on without the command that waits for it", async () => {
    const submitter = await place.start(exportTo(out("left")));
    await waitFor(() => /No worker is there yet/.test(submitter.said()), "the hint");
    expect(await submitter.end("SIGINT")).toBe(130);
    expect(submitter.said()).toMatch(/continues without this command: iot job watch j/);
    const worker = await place.worker(["--drain"]);
    expect(await place.jobUntil(({ state }) => state === "done", "the end")).toMatchObject({ done: DEVICES });
    await worker.end("SIGTERM");
  });
});
