import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

interface Token {
  readonly token: string;
  readonly name: string;
  readonly serie_number: string | null;
}

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const tokensOf = (id: string): Promise<Token[]> =>
  here.json(["device", "token", "list", id, "--reveal", "--fields", "token,name,serie_number"]);

describe("device replace", () => {
  it("gives the device a new serial number and token, and leaves all else as it is", async () => {
    const before = await here.json<{ id: string }>(["device", "get", "name:Soil probe"]);
    const old = (await tokensOf(before.id)).find((one) => one.serie_number !== null);
    const { code, stdout, stderr } = await here.iot([
      "device",
      "replace",
      "serial:0004A30B001C0530",
      "--serial",
      "0004A30B001C0999",
      "--yes",
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("0004A30B001C0999") });
    expect(await here.json(["device", "get", "serial:0004A30B001C0999"])).toEqual(before);
    const now = await tokensOf(before.id);
    expect(now).toContainEqual({ name: old?.name, token: stdout.trim(), serie_number: "0004A30B001C0999" });
    expect(now.map(({ token }) => token)).not.toContain(old?.token);
  });

  it("refuses a serial number that another device has, and one that is not given", async () => {
    const { code, stderr } = await here.iot([
      "device",
      "replace",
      "name:Truck 7",
      "--serial",
      "0004A30B001C0999",
      "--yes",
    ]);
    expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('Device "Soil probe"') });
    const none = await here.iot(["device", "replace", "name:Truck 7", "--yes"]);
    expect({ code: none.code, stderr: none.stderr }).toEqual({ code: 2, stderr: expect.stringContaining("--serial") });
  });
});
