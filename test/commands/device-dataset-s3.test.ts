import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { DatasetStore } from "../../src/commands/device/bulk/dataset-store.ts";
import { PART_BYTES, s3Store } from "../../src/commands/device/bulk/s3/store.ts";
import { sweepFolders } from "../../src/commands/device/bulk/s3/temporary.ts";
import type { CommandContext } from "../../src/commands/kit/context.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { ACCESS_KEY, type S3Server, SECRET_KEY, s3Server } from "../helpers/s3-server.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

const FREEZER = "65a1000000000000000d0001";
let here: SandboxUnderTest;
let s3: S3Server;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());
beforeEach(async () => {
  s3 = await s3Server("lake");
  // The package reads the variables of the process.
  for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
  vi.stubEnv("AWS_REGION", undefined);
  vi.stubEnv("AWS_PROFILE", undefined);
  return () => s3.close();
});

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const OUT = "s3://lake/fleet";

function exported(...more: readonly string[]) {
  const range = ["--from", `${day(2)}T00:00:00Z`, "--to", `${day(1)}T23:59:59Z`, "--split", "day"];
  const args = ["device", "data", "export", FREEZER, ...range, "--dataset", "--format", "ndjson", "--yes"];
  return here.iot([...args, ...more]);
}

const keys = (): string[] => [...s3.objects.keys()].sort();
const textOf = (key: string): string => s3.objects.get(key)?.body.toString("utf8") ?? "";

describe("device data export --out s3://", () => {
  it("writes the files of the same export to a folder, and the manifest", async () => {
    const folder = temporaryFolder();
    expect((await exported("--out", folder)).code).toBe(0);
    const { code, stdout, stderr } = await exported("--out", OUT, "--verify", "--json");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(
        (entry) =>
          `lake/fleet/${join(entry.parentPath, entry.name)
            .slice(folder.length + 1)
            .replaceAll("\\", "/")}`,
      );
    expect(keys()).toEqual(files.sort());
    expect(JSON.parse(textOf("lake/fleet/_manifest.json"))).toMatchObject({ files: [{}, {}] });
    expect(JSON.parse(stdout)).toMatchObject({ files: 2, different: 0 });
    expect(stderr).toContain("to s3://lake/fleet.");
    expect(s3.uploads.size).toBe(0);
  });

  it("asks before it overwrites a dataset, and does nothing again for the same command", async () => {
    await exported("--out", OUT);
    const args = ["device", "data", "export", FREEZER, "--last", "1h", "--dataset", "--out", `${OUT}/`];
    expect(await here.iot(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Overwrite the dataset in s3://lake/fleet"),
    });
    const before = s3.requests.length;
    expect(await exported("--out", `${OUT}/`, "--resume")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("nothing to do"),
    });
    expect(s3.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("never sends what a manifest that was written meanwhile would lose", async () => {
    await exported("--out", OUT);
    // Another export ends while this one is under way.
    s3.fault(({ method, path }) => {
      if (method === "PUT" && path.endsWith(".ndjson"))
        s3.objects.set("lake/fleet/_manifest.json", { body: Buffer.from("{}"), etag: '"other"', headers: {} });
      return undefined;
    });
    const { code, stderr } = await exported("--out", OUT, "--again");
    expect({ code, stderr }).toMatchObject({ code: 7, stderr: expect.stringContaining("Another job has written") });
    expect(textOf("lake/fleet/_manifest.json")).toBe("{}");
  });

  it.each([
    ["s3://key:secret@lake/fleet", 2, "must not contain credentials"],
    ["s3://AKID@lake/fleet", 2, "must not contain credentials"],
    ["s3://lake/a?secret=hunter2", 2, "must not contain credentials"],
    ["s3://lake/../fleet", 2, "not valid"],
    ["s3:lake", 2, "not valid"],
    ["s3://nothere/fleet", 6, "bucket nothere does not exist"],
  ])("refuses %s", async (out, code, said) => {
    const before = here.requests().length;
    const result = await exported("--out", out);
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(said) });
    expect(result.stderr).not.toMatch(/key:secret|AKID@|hunter2/);
    expect(
      here
        .requests()
        .slice(before)
        .filter((request) => request.includes("/data")),
    ).toEqual([]);
  });

  it("needs --dataset", async () => {
    const args = ["device", "data", "export", FREEZER, "--last", "1h", "--out", OUT];
    expect(await here.iot(args)).toMatchObject({ code: 2, stderr: expect.stringContaining("S3 takes datasets only") });
  });

  it.each([
    ["no credentials", { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined }, 4, "credentials"],
    ["credentials of nobody", { AWS_ACCESS_KEY_ID: "AKIDOFNOBODY" }, 4, "InvalidAccessKeyId"],
    ["no server", { AWS_ENDPOINT_URL: "http://127.0.0.1:9", AWS_MAX_ATTEMPTS: "1" }, 10, "connection refused"],
    ["no region of Amazon's", { AWS_ENDPOINT_URL: undefined }, 2, "AWS region is not known"],
  ])("says so with %s", async (_, variables, code, said) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const result = await exported("--out", OUT);
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(said) });
  });

  it("shows no credentials, however much is said", async () => {
    s3.fault(() => ({ status: 403, code: `SignatureDoesNotMatch ${SECRET_KEY}` }));
    const { code, stdout, stderr } = await exported("--out", OUT, "-vv");
    expect({ code, stderr }).toMatchObject({ code: 4 });
    expect(stdout + stderr).not.toContain(SECRET_KEY);
    s3.fault(() => undefined);
    const whole = await exported("--out", OUT, "-vv", "--again");
    expect({ code: whole.code, stderr: whole.stderr }).toMatchObject({ code: 0 });
    expect(whole.stdout + whole.stderr).not.toContain(SECRET_KEY);
    expect([...s3.objects.values()].map(({ body }) => body.toString("latin1")).join("")).not.toContain(ACCESS_KEY);
  });

  it("leaves no manifest and no open upload when items failed", async () => {
    s3.uploads.set("of a killed worker", { key: "lake/fleet/device=5f/data.ndjson", headers: {}, parts: new Map() });
    s3.fault(({ method, path }) =>
      method === "PUT" && path.includes(day(1)) ? { status: 400, code: "InvalidRequest" } : undefined,
    );
    const { code, stderr } = await exported("--out", OUT);
    expect({ code, stderr }).toMatchObject({ code: 8 });
    expect(keys()).toEqual([`lake/fleet/device=${FREEZER}/day=${day(2)}.ndjson`]);
    expect(s3.uploads.size).toBe(0);
  });
});

describe("a dataset in S3", () => {
  let store: DatasetStore;
  let big: string;
  beforeEach(() => {
    const ctx = { env: {}, clientOptions: () => ({}) } as unknown as CommandContext;
    store = s3Store(ctx, OUT);
    big = join(temporaryFolder(), "big");
    writeFileSync(big, randomBytes(PART_BYTES + 1_000));
  });

  it("uploads a large file in parts with checksums, and the hash of all of it", { tags: ["slow"] }, async () => {
    const { bytes, sha256 } = await store.publish(big, "a b/día=1.parquet");
    expect(bytes).toBe(PART_BYTES + 1_000);
    const found = s3.objects.get("lake/fleet/a b/día=1.parquet");
    expect(found?.body.length).toBe(bytes);
    expect(found?.headers["x-amz-meta-sha256"]).toBe(sha256);
    const parts = s3.requests.filter(({ query }) => query.has("partNumber"));
    expect(parts.map(({ query }) => query.get("partNumber")).sort()).toEqual(["1", "2"]);
    expect(await store.withFile("a b/día=1.parquet", async (path) => existsSync(path))).toBe(true);
    expect(await store.sizeOf("a b/día=1.parquet")).toBe(bytes);
  });

  it("removes what an attempt at the same file has left, and nothing of others", async () => {
    const parts = new Map<number, Buffer>();
    s3.uploads.set("of a killed worker", { key: "lake/fleet/a.parquet", headers: {}, parts });
    s3.uploads.set("of another file", { key: "lake/fleet/a.parquet.more", headers: {}, parts });
    s3.uploads.set("of another folder", { key: "lake/elsewhere/a.parquet", headers: {}, parts });
    await store.publish(big, "a.parquet");
    expect([...s3.uploads.keys()]).toEqual(["of another file", "of another folder"]);
    const own = [
      "device=5f/data.parquet",
      "site=a%2Fb/month=2026-11/part-007.0f1e2d3c4b5a6978.parquet",
      "part-000.csv",
    ];
    for (const name of own) s3.uploads.set(name, { key: `lake/fleet/${name}`, headers: {}, parts });
    s3.uploads.set("of another dataset", { key: "lake/fleet/other/site=a/part-000.parquet", headers: {}, parts });
    await store.removeUnfinished();
    expect([...s3.uploads.keys()]).toEqual(["of another file", "of another folder", "of another dataset"]);
  });

  it("aborts an upload in parts that fails", async () => {
    s3.fault(({ query }) => (query.get("partNumber") === "2" ? { status: 400, code: "BadRequest" } : undefined));
    await expect(store.publish(big, "a.parquet")).rejects.toThrow();
    expect([s3.uploads.size, keys()]).toEqual([0, []]);
  });

  it("creates and replaces only what is as it was", async () => {
    expect(await store.create("m", "1")).toBe(true);
    expect(await store.create("m", "2")).toBe(false);
    const version = (await store.versionOf("m")) ?? null;
    await store.writeText("m", "3");
    expect(await store.replaceText("m", "4", version)).toBe(false);
    expect(await store.replaceText("m", "4", null)).toBe(false);
    expect(await store.readText("m")).toBe("3");
    expect(await store.replaceText("m", "4", (await store.versionOf("m")) ?? null)).toBe(true);
    await store.remove("m");
    expect([await store.readText("m"), await store.sizeOf("m")]).toEqual([undefined, undefined]);
    expect(await store.replaceText("m", "5", version)).toBe(true);
  });

  it("finds the sizes of many files by listing them", async () => {
    const names = Array.from({ length: 12 }, (_, n) => `part-${n}`);
    for (const [n, name] of names.entries()) await store.writeText(name, "x".repeat(n + 1));
    const before = s3.requests.length;
    expect(await store.sizesOf([...names, "other"])).toEqual([...names.map((_, n) => n + 1), undefined]);
    expect(s3.requests.slice(before).map(({ method, query }) => [method, query.has("list-type")])).toEqual(
      Array.from({ length: 3 }, () => ["GET", true]),
    );
    expect(await store.sizesOf(["part-1", "other"])).toEqual([2, undefined]);
  });

  it("has one winner when many create the same file", async () => {
    const created = await Promise.all(Array.from({ length: 8 }, (_, n) => store.create("v2.json", String(n))));
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(textOf("lake/fleet/v2.json")).toBe(String(created.indexOf(true)));
  });

  it.each(["../a", "a/../b", "/a", "a//b", "", ".", "a\\b", "a\0b"])("%j stays in the dataset", async (name) => {
    await expect(store.sizeOf(name)).rejects.toThrow(/leads out of the dataset/);
    expect(s3.requests).toEqual([]);
  });

  it("removes the temporary folders of processes that were killed", () => {
    const folder = temporaryFolder();
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const names = [`iot-dataset-${pid}-abc123`, `iot-dataset-${process.pid}-abc123`, "other"];
    for (const name of names) mkdirSync(join(folder, name, "part"), { recursive: true });
    sweepFolders(folder);
    expect(readdirSync(folder).sort()).toEqual(names.slice(1).sort());
  });
});
