import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSandbox } from "../../../src/sandbox/index.ts";
import { temporaryFolder } from "../../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../../helpers/sandbox.ts";
import { SEED_DEVICES, SEED_PROFILES } from "../../helpers/seed.ts";
import { ok } from "../client.ts";

let first: SandboxUnderTest;
let second: SandboxUnderTest;
let folder: string;

beforeAll(async () => {
  first = await sandboxUnderTest();
  folder = temporaryFolder();
  expect(await first.iot(["profile", "export", "--out", "one", "--yes"], { cwd: folder })).toMatchObject({ code: 0 });
  second = await sandboxUnderTest({ seed: join(folder, "one") });
});
afterAll(async () => {
  await first.close();
  await second.close();
});

function filesOf(name: string): Record<string, string> {
  const root = join(folder, name);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => relative(root, join(entry.parentPath, entry.name))).sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

it("fills a sandbox with an exported profile, so that exporting that gives the same files", async () => {
  expect(second.sandbox.profileId).toBe(SEED_PROFILES.demoPlant);
  const out = await second.iot(["profile", "export", "--out", "two", "--yes"], { cwd: folder });
  expect(out).toMatchObject({ code: 0 });
  const [one, two] = [filesOf("one"), filesOf("two")];
  expect(Object.keys(two)).toEqual(Object.keys(one));
  expect(Object.keys(one).length).toBeGreaterThan(45);
  for (const [path, text] of Object.entries(one)) expect(two[path], path).toBe(text);
});

it("gives it tokens, logins and values in place of what no export holds", async () => {
  const { tokens, logins, url } = second.sandbox;
  expect(tokens.device).toMatch(/^[0-9a-f-]{36}$/);
  expect(tokens.analysis).toMatch(/^a-[0-9a-f-]{34}$/);
  expect(logins.map(({ email }) => email)).toContain("operator@example.test");
  const [secret] = await second.json<{ value_length: number }[]>(["secret", "list"]);
  expect(secret?.value_length).toBeGreaterThan(0);
  const reply = await fetch(`${url}/info`, { headers: { token: tokens.device } });
  expect(await reply.json()).toMatchObject({ result: { id: SEED_DEVICES.freezer } });
});

it("takes an export of another profile whose devices came over connectors this sandbox does not know", async () => {
  const other = join(folder, "other");
  cpSync(join(folder, "one"), other, { recursive: true });
  const id = "5f0000000000000000000001";
  writeFileSync(
    join(other, "profile.json"),
    JSON.stringify({ format: "iotdeck/profile", version: 1, profile: { id, name: "Elsewhere" } }),
  );
  const [file = ""] = readdirSync(join(other, "device"));
  const device = JSON.parse(readFileSync(join(other, "device", file), "utf8")) as object;
  const links = { connector: "5f00000000000000000000c1", network: "5f00000000000000000000e1" };
  writeFileSync(join(other, "device", file), JSON.stringify({ ...device, ...links }));
  const sandbox = await createSandbox({ seed: other });
  try {
    expect(sandbox.profileId).toBe(id);
    expect(await ok(sandbox, "GET", "/info", { token: sandbox.tokens.profile })).toMatchObject({ id });
    const path = `/device/${String("id" in device && device.id)}`;
    expect(await ok(sandbox, "GET", path, { token: sandbox.tokens.profile })).toMatchObject(links);
  } finally {
    await sandbox.close();
  }
});
