import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const freezer = "name:Freezer 1";

interface Param {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly sent: boolean;
}

describe("device param", () => {
  const params = (...flags: string[]): Promise<Param[]> =>
    here.json(["device", "param", "list", "name:Truck 7", ...flags]);

  it("adds new keys and changes those that exist, without a second copy", async () => {
    const { code } = await here.iot(["device", "param", "set", "name:Truck 7", "plate=AB-1", "interval=15"]);
    expect(code).toBe(0);
    expect((await params()).map(({ key, value }) => [key, value])).toEqual([
      ["plate", "AB-1"],
      ["interval", "15"],
    ]);
  });

  it("lists what waits for the device, and what it has taken", async () => {
    await here.iot(["device", "param", "set", "name:Truck 7", "taken=1", "--sent"]);
    expect((await params("--sent-only")).map(({ key }) => key)).toEqual(["taken"]);
    expect((await params("--unsent-only")).map(({ key }) => key)).not.toContain("taken");
  });

  it("deletes by key after a confirmation, and names the keys there are for one that is not", async () => {
    await here.iot(["device", "param", "set", "name:Truck 7", "gone=1"]);
    expect((await here.iot(["device", "param", "delete", "name:Truck 7", "gone"])).code).toBe(2);
    expect((await here.iot(["device", "param", "delete", "name:Truck 7", "gone", "--yes"])).code).toBe(0);
    const { code, stderr } = await here.iot(["device", "param", "delete", "name:Truck 7", "gone", "--yes"]);
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining("plate") });
  });

  it("refuses a pair without an equals sign", async () => {
    expect((await here.iot(["device", "param", "set", "name:Truck 7", "plate"])).code).toBe(2);
  });
});

describe("device token", () => {
  it("prints a created token once, in full, and nothing else on stdout", async () => {
    const before = Date.now();
    const { code, stdout, stderr } = await here.iot([
      "device",
      "token",
      "create",
      freezer,
      "--name",
      "gateway",
      "--permission",
      "write",
      "--expire",
      "30d",
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\n$/);
    expect(stderr).not.toContain(stdout.trim());
    const tokens = await here.json<{ token: string; name: string; permission: string; expire_time: string }[]>([
      "device",
      "token",
      "list",
      freezer,
      "--reveal",
    ]);
    const created = tokens.find(({ token }) => token === stdout.trim());
    expect(created).toMatchObject({ name: "gateway", permission: "write" });
    const made = Date.parse(created?.expire_time ?? "") - 30 * 86_400_000;
    expect(made).toBeGreaterThanOrEqual(before);
    expect(made).toBeLessThanOrEqual(Date.now());
  });

  it("refuses an end that has passed or cannot be read", async () => {
    for (const expire of ["2020-01-01", "soon"]) {
      expect((await here.iot(["device", "token", "create", freezer, "--expire", expire])).code, expire).toBe(2);
    }
  });

  it("deletes a token named by its ends, and never shows it in full", async () => {
    const { stdout } = await here.iot(["device", "token", "create", freezer, "--name", "short-lived"]);
    const token = stdout.trim();
    const ends = `${token.slice(0, 4)}...${token.slice(-4)}`;
    const dry = await here.iot(["device", "token", "delete", freezer, ends, "--dry-run"]);
    expect(dry.stdout).toBe(`DELETE /device/token/${token.slice(0, 4)}…${token.slice(-4)}\n`);
    const done = await here.iot(["device", "token", "delete", freezer, ends, "--yes"]);
    expect(done.code).toBe(0);
    expect(done.stdout + done.stderr).not.toContain(token);
    expect((await here.iot(["device", "token", "list", freezer])).stdout).not.toContain(token);
  });

  it("ends with 6 for a token the device does not have, without repeating it", async () => {
    const other = "5eed9999-0000-4000-8000-000000000001";
    const { code, stderr } = await here.iot(["device", "token", "delete", freezer, other, "--yes"]);
    expect(code).toBe(6);
    expect(stderr).not.toContain(other);
  });
});
