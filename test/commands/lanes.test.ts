import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { SMALL, writeProfileFolder } from "../helpers/profile-folder.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_TOKENS } from "../helpers/seed.ts";

const DELAY_MS = 20;
let here: SandboxUnderTest;
beforeEach(async () => {
  here = await sandboxUnderTest();
});
afterEach(() => here.close());

/** Runs a command while every write takes a while, and returns how many writes were open at the same time, at most. */
async function mostOpen(args: readonly string[], token?: string): Promise<number> {
  const methods = ["POST", "PUT"].map(
    (method) => ({ route: `${method} /*`, kind: "latency", delayMs: DELAY_MS }) as const,
  );
  here.sandbox.faults.set(methods);
  const known = here.sandbox.requestLog().length;
  const env = { IOT_CONFIG_DIR: temporaryFolder(), ...(token === undefined ? {} : { IOT_TOKEN: token }) };
  const { code, stderr } = await here.iot(args, { env });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  const writes = here.sandbox
    .requestLog()
    .slice(known)
    .filter(({ method }) => method !== "GET")
    .map(({ time, durationMs }) => ({ from: Date.parse(time) - durationMs, to: Date.parse(time) }));
  // Half of the delay: one request begins in the millisecond in which another one ends.
  const isOpen = (atMs: number) => (each: (typeof writes)[number]) => each.from <= atMs && atMs < each.to;
  return Math.max(...writes.map(({ from }) => writes.filter(isOpen(from + DELAY_MS / 2)).length));
}

const apply = (concurrency: number): Promise<number> => {
  const folder = join(temporaryFolder(), "plant");
  writeProfileFolder(folder, { ...SMALL, device: 4, dashboard: 1 });
  return mostOpen(["profile", "apply", folder, "--yes", "--concurrency", `${concurrency}`], SEED_TOKENS.empty);
};

it("profile apply writes --concurrency resources at a time", { tags: ["slow"] }, async () => {
  expect(await apply(1)).toBe(1);
});

it("profile apply writes resources of one kind side by side", async () => {
  expect(await apply(4)).toBeGreaterThan(2);
});

it.each([1, 4])(
  "dashboard migrate --concurrency %i writes so many dashboards at a time",
  { tags: ["slow"] },
  async (concurrency) => {
    const copies = await here.iot(["dashboard", "copy", "name:Plant, old widgets"]);
    expect(copies.code).toBe(0);
    const open = await mostOpen(["dashboard", "migrate", "--all", "--yes", "--concurrency", `${concurrency}`]);
    if (concurrency === 1) expect(open).toBe(1);
    else expect(open).toBeGreaterThan(1);
  },
);

it.each([1, 4])(
  "dashboard import --concurrency %i writes so many dashboards at a time",
  { tags: ["slow"] },
  async (concurrency) => {
    const folder = join(temporaryFolder(), "shown");
    expect((await here.iot(["dashboard", "export", "--all", "--out", folder])).code).toBe(0);
    const open = await mostOpen(["dashboard", "import", folder, "--concurrency", `${concurrency}`]);
    if (concurrency === 1) expect(open).toBe(1);
    else expect(open).toBeGreaterThan(1);
  },
);

it("dashboard apply writes two folders of one dashboard one after the other: the second finds it changed", async () => {
  const folder = join(temporaryFolder(), "shown");
  expect((await here.iot(["dashboard", "export", "name:Plant overview", "--out", folder])).code).toBe(0);
  const [one = ""] = readdirSync(folder);
  cpSync(join(folder, one), join(folder, "again"), { recursive: true });
  for (const [name, change] of [
    [one, { tags: [{ key: "by", value: "one" }] }],
    ["again", { id: "65a1000000000000000b0fff", tags: [{ key: "by", value: "again" }] }],
  ] as const) {
    const file = join(folder, name, "dashboard.json");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...change }));
  }
  const { stdout } = await here.iot(["dashboard", "apply", folder, "--yes", "-o", "json"]);
  const outcomes = (JSON.parse(stdout) as readonly { readonly outcome: string }[]).map(({ outcome }) => outcome);
  expect(outcomes.sort()).toEqual(["conflict", "updated"]);
});
