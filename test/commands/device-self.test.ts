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
  const token = (await runHere(["device", "token", "list", id, "-o", "id", "--reveal"], { env: here.env })).stdout.trim();
  env = { ...here.env, IOT_TOKEN: token };
});
afterAll(() => here.close());

/** `self("data list", ...)` is `iot device data list self ...`. */
const self = (verb: string, ...args: string[]) => runHere(["device", ...verb.split(" "), "self", ...args], { env });
const json = async <T>(verb: string, ...args: string[]): Promise<T> => {
  const { code, stdout, stderr } = await self(verb, ...args, "--json");
  if (code !== 0) throw new Error(`${verb} ${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
};

describe("the id self", () => {
  it("shows the device of the token", async () => {
    const own = await json<{ readonly id: string }>("get");
    expect(own).toMatchObject({ name: "Own", active: true });
    const asProfile = await runHere(["device", "get", own.id, "--json"], { env: here.env });
    expect(Object.keys(own).sort()).toEqual(Object.keys(JSON.parse(asProfile.stdout)).sort());
  });

  it("a device token on other commands is told where it works", async () => {
    const { code, stderr } = await runHere(["device", "list"], { env });
    expect(code).toBe(5);
    expect(stderr).toContain("error: A device token can only access its own device in IOT_API_URL");
    expect(stderr).toContain('Use "iot device data list self"');
  });

  it("refuses to change records from a file without any, or without their ids", async () => {
    const update = (stdin: string) => runHere(["device", "data", "update", "self", "--input", "-"], { env, stdin });
    const empty = await update("[]");
    expect([empty.code, empty.stdout]).toEqual([3, ""]);
    expect(empty.stderr).toContain("The file contains no records.");
    const nameless = await update('[{"variable":"level","value":1}]');
    expect([nameless.code, nameless.stdout]).toEqual([3, ""]);
    expect(nameless.stderr).toContain('"iot device data list"');
  });

  it("sends, lists, counts, changes and deletes its own data", async () => {
    expect((await self("data send", "temperature=21.5", "door=open", "--unit", "C")).code).toBe(0);
    const rows = await json<Data[]>("data list");
    expect(rows.map(({ variable, value }) => [variable, value]).sort()).toEqual([
      ["door", "open"],
      ["temperature", 21.5],
    ]);
    expect(await json<number>("data count", "--variable", "door")).toBe(1);
    expect(await json<Data[]>("data list", "--query", "last", "--variable", "temperature")).toMatchObject([
      { value: 21.5 },
    ]);
    const id = rows.find(({ variable }) => variable === "temperature")?.id ?? "";
    await self("data update", id, "--value", "22", "--unit", "K");
    expect(await json<Data[]>("data list", "--variable", "temperature")).toMatchObject([{ value: 22, unit: "K" }]);
    expect((await self("data delete", "--variable", "door")).code).toBe(2);
    expect((await self("data delete")).code).toBe(2);
    expect(await json("data delete", "--variable", "door", "--confirm", "Own")).toMatchObject({
      deleted: 1,
      remaining: 0,
    });
    expect(await json<number>("data count")).toBe(1);
  });

  it("streams all of it with --all, and says when more is there", async () => {
    const records = Array.from({ length: 1_500 }, (_, value) => ({
      variable: "n",
      value,
      time: new Date(value * 1_000 + 1.7e12).toISOString(),
    }));
    await runHere(["device", "data", "send", "self", "--input", "-"], { env, stdin: JSON.stringify(records) });
    const rows = await json<Data[]>("data list", "--variable", "n", "--all");
    expect(rows.map(({ value }) => value)).toEqual(records.map(({ value }) => value));
    expect((await self("data list", "--variable", "n", "--limit", "3", "-o", "ndjson")).stderr).toContain("more");
  });

  it("lists its parameters and marks them as taken, but cannot give them values", async () => {
    expect(await json("param list", "--unsent-only")).toHaveLength(2);
    expect(await json("param set", "interval", "--sent")).toMatchObject([{ key: "interval", value: "15", sent: true }]);
    expect(await json("param list", "--unsent-only")).toMatchObject([{ key: "mode" }]);
    expect((await self("param set", "interval=5")).code).toBe(2);
    expect((await self("param set", "interval=5", "--sent")).code).toBe(2);
    expect((await self("param set", "--sent")).code).toBe(2);
    expect((await self("param set", "mode")).code).toBe(2);
    expect((await self("param set", "nothing", "--sent")).code).toBe(6);
    const planned = await self("param set", "mode", "--sent", "--dry-run");
    expect(planned.stdout).toMatch(/^PUT \/device\/params\/[0-9a-f]{24} /);
    expect(await json("param list", "--unsent-only")).toHaveLength(1);
  });

  it("sends nothing with --dry-run, and says so when the token is no device's", async () => {
    expect((await self("data send", "a=1", "--dry-run")).stdout).toContain("POST /data");
    expect(await json<number>("data count", "--variable", "a")).toBe(0);
    for (const verb of [["get"], ["data", "list"], ["param", "list"], ["param", "set", "self", "mode", "--sent"]]) {
      const words = verb.includes("self") ? verb : [...verb, "self"];
      const { code, stderr } = await runHere(["device", ...words], { env: here.env });
      expect([code, stderr]).toEqual([5, expect.stringContaining("not a device token")]);
    }
  });

  it("is what the noun self became", async () => {
    const { code, stderr } = await runHere(["self", "data", "list"], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('"iot device data list self"')]);
  });
});
