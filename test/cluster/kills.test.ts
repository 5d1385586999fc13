import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { waitFor } from "../helpers/wait-for.ts";
import { type ClusterPlace, clusterPlace, expectWhole, exportTo, filesOf, RECORDS } from "./place.ts";
import { testRedis } from "./redis.ts";

// In full size: node bench/queue-kills.js.
const DEVICES = 300;
let place: ClusterPlace;
beforeAll(async () => {
  place = await clusterPlace(DEVICES, await testRedis({ isKept: true }));
});
afterAll(() => place?.close());

it("leaves every record exactly once when workers and Redis are killed in one job", async () => {
  place.here.sandbox.faults.set([{ route: "GET /device/*/data", kind: "latency", delayMs: 40 }]);
  const out = join(place.folder, "out");
  const report = join(place.folder, "report.ndjson");
  const workers = [await place.worker(), await place.worker()];
  const submitter = await place.start(exportTo(out, "--format", "ndjson", "--report", report));
  const isRedis = [false, true, false, false];
  for (const [n, killsRedis] of isRedis.entries()) {
    // Anywhere in the next part of the job.
    const least = Math.floor(20 + 40 * (n + Math.random()));
    const job = await place.jobUntil(({ done }) => done >= least, `item ${least}`);
    expect(job.done).toBeLessThan(DEVICES);
    if (killsRedis) {
      await place.redis.kill();
      await place.redis.start();
    } else {
      await workers[n % 2]?.end("SIGKILL");
      workers[n % 2] = await place.worker();
    }
  }
  const ended = { state: "done", planned: DEVICES, done: DEVICES, failed: 0 };
  expect(await place.jobUntil(({ state }) => state === "done", "the end")).toMatchObject(ended);
  await waitFor(() => submitter.child.exitCode !== null, "the end of the submitter");
  expect({ code: submitter.child.exitCode, said: submitter.said() }).toMatchObject({ code: 0 });
  expectWhole(out, DEVICES);
  const manifest: unknown = JSON.parse(filesOf(out)["_manifest.json"] ?? "");
  expect(manifest).toMatchObject({ records: DEVICES * RECORDS, files: { length: DEVICES } });
  const rows = (filesOf(place.folder)["report.ndjson"] ?? "").trim().split("\n");
  expect(rows.map((row) => (JSON.parse(row) as { item: string }).item).sort()).toEqual([...place.devices].sort());
});
