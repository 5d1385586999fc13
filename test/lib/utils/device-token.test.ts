import { describe, expect, it } from "vitest";
import { Account, Device, InputError, Resources, Utils } from "../../../src/index.ts";
import { failureOf, token } from "../../helpers/fault-client.ts";
import { scripted, success } from "../../helpers/scripted-transport.ts";

const wrong = <T>(value: unknown) => value as T;
const id = "65a1000000000000000d0001";
const tokens = [
  { token: "t1", name: "Default", permission: "full" },
  { token: "t2", name: "Gateway A", permission: "full" },
];
const notes = { api: "http://127.0.0.1:9", sse: "" };

describe.each([
  ["Account", Account],
  ["Resources", Resources],
])("by way of %s", (_name, Type) => {
  const ask = (rows: unknown) => {
    const transport = scripted(success(rows), success({ id }));
    return { transport, account: new Type({ token, region: notes, transport }) };
  };

  it.each<[string | readonly string[] | undefined, string]>([
    [undefined, "t1"],
    [[], "t1"],
    ["Gateway", "t2"],
    [["Nope", "way A"], "t2"],
    [["Default", "Gateway"], "t1"],
  ])("the token whose name holds one of %j is found", async (names, found) => {
    const { account, transport } = ask(tokens);
    await expect(Utils.getTokenByName(account, id, names)).resolves.toBe(found);
    expect(decodeURIComponent(transport.requests[0]?.url ?? "")).toBe(
      `${notes.api}/device/token/${id}?page=1&fields[0]=name&fields[1]=token&fields[2]=permission&amount=20&orderBy=created_at,desc`,
    );
  });

  it("returns null for a device without tokens", async () => {
    await expect(Utils.getTokenByName(ask([]).account, id, "x")).resolves.toBeNull();
  });

  it("throws when no token has the name", async () => {
    const error = await failureOf(Utils.getTokenByName(ask(tokens).account, id, ["Nope", "None"]));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe(`Can't find Token for ${id} in Nope,None`);
  });

  it("creates a device with its first token, in the region of the account", async () => {
    const { account, transport } = ask(tokens);
    const device = await Utils.getDevice(account, id);
    expect(device).toBeInstanceOf(Device);
    await device.info();
    expect(transport.requests[1]?.url).toBe(`${notes.api}/info`);
    expect(transport.requests.map(({ headers }) => headers["token"])).toEqual([token, "t1"]);
  });

  it("creates no device without a token", async () => {
    const error = await failureOf(Utils.getDevice(ask([]).account, id));
    expect(error.message).toBe(`Token not found for the device id ${id}`);
  });
});

describe("an invalid account argument", () => {
  it.each([undefined, null, {}, "token", new Device({ token })])("is refused: %j", async (account) => {
    const byName = await failureOf(Utils.getTokenByName(wrong(account), id));
    expect(byName).toBeInstanceOf(InputError);
    expect(byName.message).toBe("Account parameter must be an instance of TagoIO Account.");
    const device = await failureOf(Utils.getDevice(wrong(account), id));
    expect(device).toBeInstanceOf(InputError);
    expect(device.message).toBe("The parameter 'account' must be an instance of a TagoIO Account.");
  });
});
