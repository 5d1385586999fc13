import { afterEach, describe, expect, it, vi } from "vitest";
import { Account, ApiError, Device, type GenericModuleParams, InputError, Resources } from "../../../src/index.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import { ok, startFaultServer } from "../../helpers/fault-server.ts";
import { manualClock, scripted, success } from "../../helpers/scripted-transport.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const wrong = (value: unknown) => value as GenericModuleParams;
const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";

describe.each([
  ["Resources", (params: GenericModuleParams) => new Resources(params)],
  ["Account", (params: GenericModuleParams) => new Account(params)],
  ["Device", (params: GenericModuleParams) => new Device(params)],
])("new %s", (_name, make) => {
  it.each([null, "token", 5, true])("needs params, not %j", (params) => {
    expect(() => make(wrong(params))).toThrow(InputError);
    expect(() => make(wrong(params))).toThrow(expect.objectContaining({ message: "Invalid Params", field: "params" }));
  });

  it.each([undefined, null, "", 5, {}, " ", "a b", "line\nbreak", "größe", "\0"])(
    "needs a token that can be a header, not %j",
    (bad) => {
      const make1 = () => make(wrong({ token: bad }));
      expect(make1).toThrow(InputError);
      expect(make1).toThrow(expect.objectContaining({ message: "Invalid Token", field: "token" }));
    },
  );

  it("shows its token to nobody who prints it", async () => {
    const { inspect } = await import("node:util");
    const made = make({ token });
    expect(inspect(made, { depth: 10, showHidden: false })).not.toContain(token);
    expect(JSON.stringify(made)).not.toContain(token);
  });
});

describe("Resources without params", () => {
  it("use the token of the running analysis", async () => {
    const server = await startFaultServer(ok([]));
    try {
      vi.stubEnv("T_ANALYSIS_TOKEN", token);
      vi.stubEnv("TAGOIO_API", server.url);
      await new Resources().devices.list();
      await Resources.devices.list();
      await Resources.dashboards.list();
      await Resources.profiles.list();
      expect(server.requests.map(({ path }) => path.split("?")[0])).toEqual([
        "/device",
        "/device",
        "/dashboard",
        "/profile",
      ]);
      for (const { headers } of server.requests) expect(headers["token"]).toBe(token);
    } finally {
      await server.close();
    }
  });

  it("need one", () => {
    vi.stubEnv("T_ANALYSIS_TOKEN", undefined);
    expect(() => new Resources()).toThrow("Invalid Token");
    expect(() => Resources.devices).toThrow("Invalid Token");
  });
});

describe("a list", () => {
  const url = "https://api.tago.io/device";
  const listOf = (result: unknown) => {
    const transport = scripted(success(result));
    return new Resources({ token, transport, region: "us-e1", clock: manualClock() }).devices;
  };

  it.each([null, undefined, []])("whose result is %j is an empty one", async (result) => {
    await expect(listOf(result).list()).resolves.toEqual([]);
  });

  it.each<[unknown, string]>([
    ["text", "a string where a list belongs"],
    [{ id: "d1" }, "an object where a list belongs"],
    [5, "a number where a list belongs"],
    [false, "a boolean where a list belongs"],
    [[{ id: "d1" }, 5], "a list with a number where an object belongs"],
    [[null], "a list with null where an object belongs"],
    [[["d1"]], "a list with a list where an object belongs"],
  ])("whose result is %j is an error that names the operation", async (result, found) => {
    const error = await failureOf(listOf(result).list());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: "INVALID_REPLY", method: "GET", url, data: result });
    expect(error.message).toBe(`Invalid reply from GET ${url}: ${found}`);
  });

  it("names its device in such an error", async () => {
    const error = await failureOf(listOf({}).tokenList("65a1000000000000000d0001"));
    expect(error).toMatchObject({ url: "https://api.tago.io/device/token/65a1000000000000000d0001" });
  });
});
