import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliResult } from "../helpers/cli.ts";
import { type HereOptions, runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_ACCOUNTS } from "../helpers/seed.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const account = (args: readonly string[], options: HereOptions = {}): Promise<CliResult> =>
  runHere(["account", ...args], { ...options, env: { ...here.env, ...options.env } });

async function json<T>(args: readonly string[], stdin?: string): Promise<T> {
  const { code, stdout, stderr } = await account([...args, "--json"], stdin === undefined ? {} : { stdin });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

describe("account", () => {
  it("shows the account and changes named fields only", async () => {
    const before = await json<Record<string, unknown>>(["get"]);
    expect(before).toMatchObject({ email: SEED_ACCOUNTS.demo.email, plan: "scale" });
    const after = await json(["update", "--timezone", "Europe/Lisbon"]);
    expect(after).toMatchObject({ timezone: "Europe/Lisbon", name: before["name"], company: before["company"] });
    expect(await account(["update"])).toMatchObject({ code: 2 });
  });

  it("never shows a password, not in a dry run either", async () => {
    const stdin = "a secret, with spaces\n";
    const update = await account(["update", "--password-stdin", "--name", "Dana", "--dry-run"], { stdin });
    expect(update).toMatchObject({ code: 0, stdout: expect.stringContaining("POST /account/passwordreset") });
    expect(update.stdout + update.stderr).not.toContain("a secret");
  });

  it("is deleted by its e-mail only, and its tokens with it", { tags: ["slow"] }, async () => {
    const other = await sandboxUnderTest();
    const own = (args: readonly string[]) => runHere(["account", ...args], { env: other.env });
    const refused = await own(["delete", "--yes"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--confirm "demo@example.test"') });
    expect(await own(["delete", "--confirm", "demo@example.test"])).toMatchObject({ code: 0 });
    expect(await own(["get"])).toMatchObject({ code: 4 });
    await other.close();
  });
});
