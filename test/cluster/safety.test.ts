import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { waitFor } from "../helpers/wait-for.ts";
import { type ClusterPlace, clusterPlace, exportTo, filesOf } from "./place.ts";

const DEVICES = 6;
const KEY = { IOT_QUEUE_KEY: "0123456789abcdef0123456789abcdef-of-the-test" };
let place: ClusterPlace;
let redis: Redis;
beforeAll(async () => {
  place = await clusterPlace(DEVICES);
  redis = place.redis.client();
});
beforeEach(() => redis.flushall());
afterAll(() => place?.close());

/** Submits an export that nobody works on yet; its id. */
async function submitted(out: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, stdout, stderr } = await place.iot(
    exportTo(out, "--queue", place.redis.url, "--detach", "--json"),
    env,
  );
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { job: string }).job;
}

/** Changes what the queue holds of a job or an item. */
async function change(key: string, edit: (data: Record<string, unknown>) => object): Promise<void> {
  const data = JSON.parse((await redis.hget(key, "data")) ?? "") as Record<string, unknown>;
  await redis.hset(key, "data", JSON.stringify({ ...data, ...edit(data) }));
}

const itemKey = (job: string, item = place.devices[0] ?? ""): string => `bull:iot-items-${job}:${item}`;
const jobKey = async (job: string): Promise<string> => {
  const [key] = await redis.keys(`bull:iot-jobs-*:${job}`);
  return key ?? "";
};

/** The reasons of the failed items of a job, as its report has them. */
async function reasonsOf(job: string, env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const file = join(place.folder, `${job}.ndjson`);
  const { code, stderr } = await place.iot(["job", "report", job, "--out", file], env);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const rows = (filesOf(place.folder)[`${job}.ndjson`] ?? "").trim().split("\n");
  expect(rows).toHaveLength(DEVICES);
  return rows.flatMap((row) => (JSON.parse(row) as { reason?: string }).reason ?? []);
}

const ended = ({ state }: { readonly state: string }): boolean => ["done", "partly", "failed"].includes(state);

describe("a worker", () => {
  it("does not run an item that was changed", async () => {
    const out = join(place.folder, "changed");
    const id = await submitted(out, KEY);
    const [first = "", other] = place.devices;
    await change(itemKey(id, first), ({ args }) => ({ args: { ...(args as object), device: other } }));
    const worker = await place.worker([], KEY);
    const { code } = await place.iot(["job", "watch", id], KEY);
    expect(code).toBe(8);
    await worker.end("SIGTERM");
    expect(await reasonsOf(id, KEY)).toEqual([expect.stringContaining("its signature is wrong")]);
    const files = Object.keys(filesOf(out));
    expect(files.filter((file) => file.includes(first))).toEqual([]);
    expect(files).toHaveLength(DEVICES - 1);
    expect(existsSync(join(out, "_manifest.json"))).toBe(false);
  });

  it.each<[string, Record<string, string>, Record<string, string>, string]>([
    ["a key of its own", KEY, { IOT_QUEUE_KEY: "f".repeat(40) }, "its signature is wrong"],
    ["no key", KEY, {}, "this process has no key"],
    ["a key that the submitter does not have", {}, KEY, "it is not signed"],
  ])("with %s leaves a job to one that has the submitter's", async (name, submitter, own, reason) => {
    const out = join(place.folder, name.replaceAll(" ", "-"));
    const id = await submitted(out, submitter);
    const worker = await place.worker([], own);
    const left = new RegExp(`The job ${id} is left to other workers: .*${reason}`);
    await waitFor(() => left.test(worker.said()), "the warning");
    const watch = await place.start(["job", "watch", id], submitter);
    const told = new RegExp(`A worker left the job to others; its reason: .*${reason}`);
    await waitFor(() => told.test(watch.said()), "the reason");
    expect(await (await place.worker(["--drain"], own)).ended).toBe(0);
    expect(await place.job()).toMatchObject({ state: "running", done: 0, failed: 0 });
    expect(Object.keys(filesOf(out))).toEqual([]);
    const fitting = await place.worker([], submitter);
    expect(await watch.ended).toBe(0);
    expect(await place.job()).toMatchObject({ state: "done", done: DEVICES, failed: 0 });
    await Promise.all([worker, fitting].map((each) => each.end("SIGTERM")));
    expect(worker.said()).toContain("Did 0 items");
    expect(Object.keys(filesOf(out))).toHaveLength(DEVICES + 1);
  });

  it("writes nothing outside of the job's folder", async () => {
    const out = join(place.folder, "inside");
    const id = await submitted(out);
    await change(itemKey(id), ({ args }) => ({ args: { ...(args as object), folder: "../outside" } }));
    const worker = await place.worker();
    await place.jobUntil(ended, "the end");
    await worker.end("SIGTERM");
    expect(await reasonsOf(id)).toEqual([expect.stringContaining("leads out of the folder")]);
    expect(existsSync(join(place.folder, "outside"))).toBe(false);
  });

  it.each([
    ["is no object", "null"],
    ["is no JSON", "{{{"],
    ["names no files", "{}"],
  ])("ends a job with a sentence when a result in the queue %s, as no worker writes it", async (name, forged) => {
    const id = await submitted(join(place.folder, `forged-${name.replaceAll(" ", "-")}`));
    const item = itemKey(id);
    await redis.srem(`${await jobKey(id)}:dependencies`, item);
    await redis.hset(`${await jobKey(id)}:processed`, item, forged);
    await redis.lrem(`bull:iot-items-${id}:wait`, 0, place.devices[0] ?? "");
    const worker = await place.worker();
    expect(await place.jobUntil(ended, "the end")).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(/result of (the job \S+ that no worker|an item does not name its files)/),
    });
    await worker.end("SIGTERM");
  });

  it.each([
    ["nothing", "{}"],
    ["no outcome", '{"outcomes":[null]}'],
    ["rows of another batch", '{"outcomes":[{"of":[99],"result":"sent"}]}'],
    ["rows twice", '{"outcomes":[{"result":"sent"},{"result":"sent"}]}'],
    ["one row of two", '{"outcomes":[{"of":[1],"result":"sent"}]}'],
  ])("an import ends with a sentence when a result in the queue tells of %s", async (name, forged) => {
    // Two batches of two rows: the job goes on when the one that is not forged has ended.
    const rows = [0, 1, 0, 1].map(
      (n, second) => `${place.devices[n]},${name.replaceAll(" ", "_")},1,2026-11-03T00:00:0${second}Z`,
    );
    const file = join(place.folder, "two.csv");
    writeFileSync(file, `device,variable,value,time\n${rows.join("\n")}\n`);
    const command = ["device", "data", "import", "--input", file, "--queue", place.redis.url];
    // The forged result must find a job that is whole; the same command then waits for that job.
    expect(await place.iot([...command, "--detach"])).toMatchObject({ code: 0 });
    const [dependencies = ""] = await redis.keys("bull:iot-jobs-*:dependencies");
    const item = (await redis.smembers(dependencies))[0] ?? "";
    const at = item.lastIndexOf(":");
    await redis.srem(dependencies, item);
    await redis.hset(dependencies.replace(/dependencies$/, "processed"), item, forged);
    await redis.lrem(`${item.slice(0, at)}:wait`, 0, item.slice(at + 1));
    const worker = await place.worker();
    const { code, stderr } = await place.iot(command);
    expect(code, stderr).toBe(3);
    expect(stderr).toMatch(/The queue holds a result of batch \d that no worker has written/);
    await worker.end("SIGTERM");
  });

  it("names the versions when it does not know that of a job, which is retried after an update", async () => {
    const out = join(place.folder, "version");
    const id = await submitted(out);
    await change(await jobKey(id), () => ({ version: 3 }));
    const old = await place.worker();
    await place.jobUntil(({ failed }) => failed === DEVICES, "the refusal of all items");
    await old.end("SIGTERM");
    expect(new Set(await reasonsOf(id))).toEqual(new Set([expect.stringMatching(/version 3, .* version 2/)]));
    await change(await jobKey(id), () => ({ version: 2 }));
    const fresh = await place.worker();
    expect((await place.iot(["job", "retry", id])).code).toBe(0);
    expect(await place.jobUntil(({ state }) => state === "done", "the retried job")).toMatchObject({
      done: DEVICES,
      failed: 0,
    });
    await fresh.end("SIGTERM");
    expect(Object.keys(filesOf(out))).toHaveLength(DEVICES + 1);
  });

  it("sees no job of another profile", async () => {
    const id = await submitted(join(place.folder, "elsewhere"));
    const key = await jobKey(id);
    const jobs = await place.here.json<object[]>(["job", "list"], { env: { ...place.env, ...KEY } });
    expect(jobs).toHaveLength(1);
    await redis.rename(key, key.replace(/iot-jobs-[0-9a-f]+/, `iot-jobs-${"0".repeat(16)}`));
    const worker = await place.worker();
    expect((await place.iot(["job", "get", id])).code).toBe(6);
    await worker.end("SIGTERM");
    expect(worker.said()).toContain("Did 0 items");
  });
});

describe("the queue", () => {
  it("never holds a token or the key", async () => {
    const monitor = await redis.duplicate().monitor();
    const commands: string[] = [];
    monitor.on("monitor", (_, args: string[]) => commands.push(args.join(" ")));
    const worker = await place.worker([], KEY);
    const { code, stderr } = await place.iot(exportTo(join(place.folder, "secret"), "--verify", "-v"), KEY);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    await worker.end("SIGTERM");
    monitor.disconnect();
    const dumps = await Promise.all((await redis.keys("*")).map((key) => redis.dumpBuffer(key)));
    const all = [...commands, ...dumps.map((dump) => dump?.toString("latin1") ?? ""), worker.said(), stderr].join("\n");
    expect(commands.length).toBeGreaterThan(50);
    expect(all).toContain("iot-items-");
    for (const secret of [place.env["IOT_TOKEN"] ?? "", KEY.IOT_QUEUE_KEY]) {
      expect(secret.length).toBeGreaterThan(16);
      expect(all).not.toContain(secret);
    }
  });

  it("of another machine needs a key, which must be long", async () => {
    const far = ["worker", "--queue", "redis://queue.example.com:6379/0"];
    const without = await place.iot(far);
    expect(without).toMatchObject({ code: 2, stderr: expect.stringMatching(/needs a key[\s\S]*not on this machine/) });
    const short = await place.iot(far, { IOT_QUEUE_KEY: "short" });
    expect(short).toMatchObject({ code: 2, stderr: expect.stringContaining("too short") });
    expect(short.stderr).not.toContain('"short"');
  });

  it.each([
    ["worker", ["worker"]],
    ["job list", ["job", "list"]],
    ["export", exportTo("/nowhere-that-is-made", "--queue")],
  ])("that is down ends iot %s with 10 and shows no password", async (_, args) => {
    const url = "redis://someone:pass-of-the-test@127.0.0.1:1/0";
    const { code, stderr } = await place.iot(args.at(-1) === "--queue" ? [...args, url] : [...args, "--queue", url]);
    expect({ code, stderr }).toMatchObject({ code: 10, stderr: expect.stringMatching(/127\.0\.0\.1:1.*\n.*refused/) });
    expect(stderr).not.toContain("pass-of-the-test");
  });
});
