import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

interface Data {
  readonly id: string;
  readonly variable: string;
  readonly value: unknown;
  readonly unit?: string;
}

let here: SandboxUnderTest;
let env: Record<string, string>;
beforeAll(async () => {
  here = await sandboxUnderTest();
  const id = (await runHere(["device", "create", "--name", "Own", "-o", "id"], { env: here.env })).stdout.trim();
  await runHere(["device", "param", "set", id, "interval=15", "mode=eco"], { env: here.env });
  const token = (await runHere(["device", "token", "list", id, "-o", "id"], { env: here.env })).stdout.trim();
  env = { ...here.env, IOT_TOKEN: token };
});
afterAll(() => here.close());

const self = (...args: string[]) => runHere(["self", ...args], { env });
const json = async <T>(...args: string[]): Promise<T> => {
  const { code, stdout, stderr } = await self(...args, "--json");
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
};

describe("self", () => {
  it("shows the device of the token", async () => {
    expect(await json("info")).toMatchObject({ name: "Own", active: true });
    const other = await runHere(["self", "info", "--device", "name:Freezer 1", "--json"], { env: here.env });
    expect(JSON.parse(other.stdout)).toMatchObject({ name: "Freezer 1" });
  });

  it("a device token on other commands is told where it works", async () => {
    const { code, stderr } = await runHere(["device", "list"], { env });
    expect(code).toBe(5);
    expect(stderr).toContain("error: A device token can only access its own device in IOT_API_URL");
    expect(stderr).toContain('Run "iot self --help"');
  });

  it("refuses to change records from a file without any, or without their ids", async () => {
    const update = (stdin: string) => runHere(["self", "data", "update", "--input", "-"], { env, stdin });
    const empty = await update("[]");
    expect([empty.code, empty.stdout]).toEqual([3, ""]);
    expect(empty.stderr).toContain("The file contains no records.");
    const nameless = await update('[{"variable":"level","value":1}]');
    expect([nameless.code, nameless.stdout]).toEqual([3, ""]);
    expect(nameless.stderr).toContain('"iot self data list"');
  });

  it("sends, lists, counts, changes and deletes its own data", async () => {
    expect((await self("data", "send", "temperature=21.5", "door=open", "--unit", "C")).code).toBe(0);
    const rows = await json<Data[]>("data", "list");
    expect(rows.map(({ variable, value }) => [variable, value]).sort()).toEqual([
      ["door", "open"],
      ["temperature", 21.5],
    ]);
    expect(await json<number>("data", "count", "--variable", "door")).toBe(1);
    expect(await json<Data[]>("data", "list", "--query", "last", "--variable", "temperature")).toMatchObject([
      { value: 21.5 },
    ]);
    const id = rows.find(({ variable }) => variable === "temperature")?.id ?? "";
    await self("data", "update", id, "--value", "22", "--unit", "K");
    expect(await json<Data[]>("data", "list", "--variable", "temperature")).toMatchObject([{ value: 22, unit: "K" }]);
    expect((await self("data", "delete", "--variable", "door")).code).toBe(2);
    expect((await self("data", "delete")).code).toBe(2);
    expect(await json("data", "delete", "--variable", "door", "--confirm", "Own")).toMatchObject({
      deleted: 1,
      remaining: 0,
    });
    expect(await json<number>("data", "count")).toBe(1);
  });

  it("streams all of it with --all, and says when more is there", async () => {
    const records = Array.from({ length: 1_500 }, (_, value) => ({
      variable: "n",
      value,
      time: new Date(value * 1_000 + 1.7e12).toISOString(),
    }));
    await runHere(["self", "data", "send", "--input", "-"], { env, stdin: JSON.stringify(records) });
    const rows = await json<Data[]>("data", "list", "--variable", "n", "--all");
    expect(rows.map(({ value }) => value)).toEqual(records.map(({ value }) => value));
    expect((await self("data", "list", "--variable", "n", "--limit", "3", "-o", "ndjson")).stderr).toContain("more");
  });

  it("lists its parameters and marks them as taken, but cannot give them values", async () => {
    expect(await json("param", "list", "--unsent-only")).toHaveLength(2);
    expect(await json("param", "set", "interval")).toMatchObject([{ key: "interval", value: "15", sent: true }]);
    expect(await json("param", "list", "--unsent-only")).toMatchObject([{ key: "mode" }]);
    expect((await self("param", "set", "interval=5")).code).toBe(2);
    expect((await self("param", "set", "nothing")).code).toBe(6);
  });

  it("sends nothing with --dry-run, and says so when the token is no device's", async () => {
    expect((await self("data", "send", "a=1", "--dry-run")).stdout).toContain("POST /data");
    expect(await json<number>("data", "count", "--variable", "a")).toBe(0);
    const profile = await runHere(["self", "data", "list"], { env: here.env });
    expect([4, 5]).toContain(profile.code);
  });
});
