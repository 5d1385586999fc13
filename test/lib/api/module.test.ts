import { afterEach, describe, expect, it, vi } from "vitest";
import { Account, Device, type DeviceConstructorParams, InputError, Resources, Services } from "../../../src/index.ts";
import { ok, startFaultServer } from "../../helpers/fault-server.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const wrong = (value: unknown) => value as DeviceConstructorParams;
const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";

describe.each([
  ["Resources", (params: DeviceConstructorParams) => new Resources(params)],
  ["Account", (params: DeviceConstructorParams) => new Account(params)],
  ["Device", (params: DeviceConstructorParams) => new Device(params)],
])("new %s", (_name, make) => {
  it.each(["token", 5, true])("needs params, not %j", (params) => {
    expect(() => make(wrong(params))).toThrow(InputError);
    expect(() => make(wrong(params))).toThrow(expect.objectContaining({ message: "Invalid Token", field: "token" }));
  });

  it.each<[unknown, string]>([
    [` ${token}\n`, token],
    [12345, "12345"],
  ])("takes %j as a token", (given, sent) => {
    expect(make(wrong({ token: given })).client.options.token).toBe(sent);
  });

  it.each([undefined, null, "", {}, true, " ", "a b", "line\nbreak", "größe", "\0"])(
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

describe.each([
  ["Account", (params: DeviceConstructorParams) => new Account(params)],
  ["Device", (params: DeviceConstructorParams) => new Device(params)],
])("new %s", (_name, make) => {
  it.each([undefined, null])("needs params, not %j", (params) => {
    expect(() => make(wrong(params))).toThrow(expect.objectContaining({ message: "Invalid Params", field: "params" }));
  });
});

describe.each([
  ["Resources", (params?: Partial<DeviceConstructorParams>) => new Resources(params)],
  ["Services", (params?: Partial<DeviceConstructorParams>) => new Services(params)],
])("new %s without a token", (_name, make) => {
  it.each<unknown>([undefined, null, {}, { region: "eu-w1" }, "token"])("uses the analysis token: %j", (params) => {
    vi.stubEnv("T_ANALYSIS_TOKEN", token);
    const { options } = make(wrong(params)).client;
    expect(options).toMatchObject({ token, ...(params instanceof Object ? params : {}) });
  });

  it.each<unknown>([{ token: undefined }, { token: "" }])("does not where the token is empty: %j", (params) => {
    vi.stubEnv("T_ANALYSIS_TOKEN", token);
    expect(() => make(wrong(params))).toThrow("Invalid Token");
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

describe("members of clients", () => {
  it("can be replaced and spied on in unit tests", async () => {
    const resources = new Resources({ token });
    const list = vi.fn(async () => [{ id: "d1" }]);
    Object.assign(resources, { devices: { list } });
    expect(await resources.devices.list()).toEqual([{ id: "d1" }]);
    vi.spyOn(resources.dashboards.widgets, "info").mockResolvedValue({ id: "w1" } as never);
    expect(await resources.dashboards.widgets.info("d", "w1")).toEqual({ id: "w1" });
    const services = new Services({ token });
    services.email = Object.assign(services.email, { send: async () => "sent" });
    expect(await services.email.send({} as never)).toBe("sent");
  });
});
