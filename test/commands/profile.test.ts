import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SEED_ACCOUNTS, SEED_PROFILES } from "../../src/sandbox/seed/index.ts";
import type { CliResult } from "../helpers/cli.ts";
import { type HereOptions, runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const profile = (args: readonly string[], options: HereOptions = {}): Promise<CliResult> =>
  runHere(["profile", ...args], { ...options, env: { ...here.env, ...options.env } });

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await profile([...args, "--json"]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

const names = async (...flags: string[]): Promise<string[]> =>
  (await json<{ name: string }[]>("list", ...flags)).map(({ name }) => name);

describe("profile", () => {
  it("lists, sorts, filters and pages what the platform answers in one piece", async () => {
    expect(await names()).toEqual(["Demo Plant", "Empty"]);
    expect(await names("--sort", "name:desc")).toEqual(["Empty", "Demo Plant"]);
    expect(await names("--name", "demo*")).toEqual(["Demo Plant"]);
    expect(await names("--filter", "name=E*")).toEqual(["Empty"]);
    expect(await names("--limit", "1", "--page", "2")).toEqual(["Empty"]);
    const { stderr } = await profile(["list", "--limit", "1"]);
    expect(stderr).toContain("more exist");
  });

  it("shows one profile in one piece, by id, name or as current", async () => {
    const wanted = { id: SEED_PROFILES.demoPlant, name: "Demo Plant", account_plan: "scale" };
    expect(await json("get", "current")).toMatchObject(wanted);
    expect(await json("get", "name:Demo Plant")).toMatchObject(wanted);
    expect(await json("get", SEED_PROFILES.demoPlant)).toMatchObject(wanted);
    expect(await profile(["get", "name:Nowhere"])).toMatchObject({ code: 6 });
    expect(await profile(["get", "65a1000000000000000f0099"])).toMatchObject({ code: 6 });
  });

  it("creates, renames and deletes, the last with name and password", async () => {
    expect(await json("create", "--name", "Plant two")).toMatchObject({ name: "Plant two" });
    expect(await json("update", "name:Plant two", "--name", "Plant 2")).toMatchObject({ name: "Plant 2" });
    const remove = ["delete", "name:Plant 2", "--password-stdin"];
    const stdin = `${SEED_ACCOUNTS.demo.password}\n`;
    expect(await profile([...remove, "--yes"], { stdin })).toMatchObject({ code: 2 });
    expect(await profile([...remove, "--confirm", "Plant two"], { stdin })).toMatchObject({ code: 2 });
    expect(await profile([...remove, "--confirm", "Plant 2"], { stdin: "wrong\n" })).toMatchObject({ code: 4 });
    expect(await names()).toContain("Plant 2");
    expect(await profile([...remove, "--confirm", "Plant 2"], { stdin })).toMatchObject({ code: 0 });
    expect(await names()).toEqual(["Demo Plant", "Empty"]);
  });

  it("sends nothing in a dry run", async () => {
    const before = here.requests().length;
    const { code, stdout } = await profile(["create", "--name", "Never", "--allocate-free-resources", "--dry-run"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("POST /profile") });
    expect(here.requests().slice(before)).toEqual([]);
  });
});
