import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliResult } from "../helpers/cli.ts";
import { type HereOptions, runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const user = (args: readonly string[], options: HereOptions = {}): Promise<CliResult> =>
  runHere(["run", "user", ...args], { ...options, env: here.env });

async function rows(...args: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await user([...args, "--json"]);
  return JSON.parse(stdout) as Record<string, unknown>[];
}

describe("run user", () => {
  it("lists users by name, e-mail, state and tag", async () => {
    const names = async (...flags: string[]) => (await rows("list", ...flags)).map(({ name }) => name);
    expect(await names()).toEqual(["Anonymous", "Dirk Driver", "Ina Inactive", "Mara Manager", "Oda Operator"]);
    expect(await names("--inactive")).toEqual(["Ina Inactive"]);
    expect(await names("--email", "dri*")).toEqual(["Dirk Driver"]);
    expect(await names("--tag", "role=manager")).toEqual(["Mara Manager"]);
  });

  it("creates a user with the password of stdin, who can log in at the portal", async () => {
    const { code, stdout, stderr } = await user(
      ["create", "--name", "Jo", "--email", "jo@example.test", "--active", "--password-stdin", "--json"],
      { stdin: "a secret, with spaces\n" },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Created run user "Jo"') });
    expect(JSON.parse(stdout)).toMatchObject({ name: "Jo", active: true, timezone: "UTC" });
    const { result } = (await (
      await fetch(`${here.sandbox.url}/run`, { headers: { token: here.sandbox.tokens.profile } })
    ).json()) as { result: { url: string } };
    const login = await fetch(`${here.sandbox.url}/run/${result.url}/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "jo@example.test", password: "a secret, with spaces" }),
    });
    expect(login.status).toBe(200);
  });

  it("does not print the password of a dry run", async () => {
    const body = JSON.stringify({ name: "K", email: "k@example.test", password: "very secret" });
    const { code, stdout } = await user(["create", "--input", "-", "--dry-run"], { stdin: body });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining("secret") });
    expect(stdout).toContain("POST /run/users");
  });

  it("refuses to read the user and the password from the same stdin", async () => {
    const { code, stderr } = await user(["create", "--input", "-", "--password-stdin"], { stdin: "{}" });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("--input - and --password-stdin both read stdin."),
    });
  });

  it("asks for nothing without a terminal: the missing value is named", async () => {
    const noPassword = await user(["create", "--name", "K", "--email", "k@example.test"]);
    expect(noPassword).toMatchObject({ code: 2, stderr: expect.stringContaining("--password-stdin") });
    const noEmail = await user(["create", "--name", "K"]);
    expect(noEmail).toMatchObject({ code: 2, stderr: expect.stringContaining("--email") });
  });

  it("changes named fields only and keeps the other tags", async () => {
    await user(["update", "name:Oda Operator", "--company", "New Ltd", "--tag", "site=road"]);
    const [oda] = await rows("list", "--name", "Oda*", "--fields", "company,tags,active");
    expect(oda).toEqual({
      company: "New Ltd",
      tags: [
        { key: "role", value: "operator" },
        { key: "site", value: "road" },
      ],
      active: true,
    });
  });

  it("deletes after a confirmation", async () => {
    expect((await user(["delete", "name:Ina Inactive"])).code).toBe(2);
    expect((await user(["delete", "name:Ina Inactive", "--yes"])).code).toBe(0);
    expect((await user(["get", "name:Ina Inactive"])).code).toBe(6);
  });
});
