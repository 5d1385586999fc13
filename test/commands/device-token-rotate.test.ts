import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CliResult } from "../helpers/cli.ts";
import { quickClock } from "../helpers/quick-clock.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

interface Token {
  readonly token: string;
  readonly name: string;
  readonly permission: string;
  readonly expire_time: string | null;
  readonly serie_number: string | null;
}

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterEach(() => here.sandbox.faults.set([]));
afterAll(() => here.close());

/** A device with the token `Default`, and the one that these flags create. */
async function deviceWith(name: string, ...flags: readonly string[]): Promise<{ id: string; token: string }> {
  const made = await here.iot(["device", "create", "--name", name, "-o", "id"]);
  const id = made.stdout.trim();
  const { stdout } = await here.iot(["device", "token", "create", id, ...flags]);
  return { id, token: stdout.trim() };
}

const tokensOf = (id: string): Promise<Token[]> =>
  here.json(["device", "token", "list", id, "--reveal", "--fields", "token,name,permission,expire_time,serie_number"]);
const rotate = (...words: readonly string[]): Promise<CliResult> => here.iot(["device", "token", "rotate", ...words]);
const ends = (token: string): string => `${token.slice(0, 4)}…${token.slice(-4)}`;

describe("device token rotate", () => {
  it("creates a token like the old one, prints it alone, and deletes the old one", async () => {
    const flags = ["--name", "gateway", "--permission", "write", "--expire", "30d", "--serial", "00-11"];
    const { id, token } = await deviceWith("Rotated", ...flags);
    const old = (await tokensOf(id)).find((one) => one.token === token);
    const { code, stdout, stderr } = await rotate(id, "gateway", "--yes");
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Replaced token "gateway"') });
    expect(stdout).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\n$/);
    expect(stderr).not.toContain(stdout.trim());
    const now = await tokensOf(id);
    expect(now.filter(({ name }) => name === "gateway")).toEqual([{ ...old, token: stdout.trim() }]);
    expect(old).toMatchObject({ permission: "write", serie_number: "00-11" });
  });

  it("needs no name where the device has one token, and a confirmation", async () => {
    const { stdout: id } = await here.iot(["device", "create", "--name", "One token", "-o", "id"]);
    const [before] = await tokensOf(id.trim());
    const refused = await rotate(id.trim());
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("--yes"),
    });
    expect(await tokensOf(id.trim())).toEqual([before]);
    expect((await rotate(id.trim(), "--yes", "--json")).code).toBe(0);
    expect(await tokensOf(id.trim())).toEqual([{ ...before, token: expect.not.stringContaining(before?.token ?? "") }]);
  });

  it("names the tokens where the device has several", async () => {
    const { id, token } = await deviceWith("Two tokens", "--name", "gateway");
    const { code, stderr } = await rotate(id, "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain("The device has 2 tokens");
    expect(stderr).toContain(`"gateway" (${ends(token)})`);
    expect(stderr).toContain(`iot device token rotate ${id} `);
  });

  it("shows both requests with --dry-run, and none that deletes with --keep-old", async () => {
    const { id, token } = await deviceWith("Dry", "--name", "gateway", "--expire", "never");
    const body = JSON.stringify({ device: id, name: "gateway", permission: "full", expire_time: "never" });
    const post = `POST /device/token ${body}\n`;
    expect((await rotate(id, "gateway", "--dry-run")).stdout).toBe(`${post}DELETE /device/token/${ends(token)}\n`);
    expect((await rotate(id, "gateway", "--dry-run", "--keep-old")).stdout).toBe(post);
    expect(await tokensOf(id)).toHaveLength(2);
  });

  it("keeps the old one with --keep-old without a question, and says how to delete it", async () => {
    const { id, token } = await deviceWith("Kept", "--name", "gateway", "--permission", "read");
    const { code, stdout, stderr } = await rotate(id, "gateway", "--keep-old");
    expect(code).toBe(0);
    expect((await tokensOf(id)).filter(({ name }) => name === "gateway").map((one) => one.token)).toEqual(
      expect.arrayContaining([token, stdout.trim()]),
    );
    const [, line = ""] = /iot (device token delete \S+ \S+[^.\s])\./.exec(stderr) ?? [];
    expect((await here.iot([...line.split(" "), "--yes"])).code).toBe(0);
    expect((await tokensOf(id)).map((one) => one.token)).not.toContain(token);
  });

  it("says that both exist when the old one cannot be deleted, after it printed the new one", async () => {
    const { id, token } = await deviceWith("Refused", "--name", "gateway");
    here.sandbox.faults.set([{ route: "DELETE /device/token/*", kind: "status", status: 403, count: 1 }]);
    const { code, stdout, stderr } = await rotate(id, "gateway", "--yes");
    expect(code).toBe(8);
    expect(stderr).toContain("The new token was created, but the old one was not deleted.");
    expect(stderr).toContain(`iot device token delete ${id} ${ends(token).replace("…", "...")}`);
    expect((await tokensOf(id)).map((one) => one.token)).toEqual(expect.arrayContaining([token, stdout.trim()]));
  });

  it("does not claim either when the response to the deletion is lost", async () => {
    const { id } = await deviceWith("Lost", "--name", "gateway");
    here.sandbox.faults.set([{ route: "DELETE /device/token/*", kind: "truncate", count: 1 }]);
    const { code, stdout, stderr } = await rotate(id, "gateway", "--yes");
    expect({ code, stdout }).toEqual({ code: 8, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) });
    expect(stderr).toContain("the old one may be there still");
    expect(stderr).toContain("the response was lost");
  });

  it("deletes nothing when the new one cannot be created", async () => {
    const { id, token } = await deviceWith("Not created", "--name", "gateway");
    here.sandbox.faults.set([{ route: "POST /device/token", kind: "status", status: 400, count: 1 }]);
    const { code, stdout } = await rotate(id, "gateway", "--yes");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect((await tokensOf(id)).map((one) => one.token)).toContain(token);
  });

  it("asks for another expiry where the old one has passed", async () => {
    const { id } = await deviceWith("Expired", "--name", "gateway", "--expire", "1h");
    const later = { ...quickClock(), now: () => Date.now() + 7_200_000 };
    const { code, stderr } = await here.iot(["device", "token", "rotate", id, "gateway", "--yes"], { clock: later });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("--expire") });
    expect((await rotate(id, "gateway", "--yes", "--expire", "never")).code).toBe(0);
  });
});
