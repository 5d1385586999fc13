import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Account, ApiError, Device, Resources } from "../../src/index.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { SEED_ACCOUNTS } from "../helpers/seed.ts";

/** The client library against the sandbox: both ends of every route at once. */

let sandbox: Sandbox;
let region: { api: string; sse: string };
let resources: Resources;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  region = { api: sandbox.url, sse: sandbox.eventsUrl };
  resources = new Resources({ token: sandbox.tokens.profile, region });
});
afterAll(() => sandbox.close());

describe("the client library", () => {
  it("logs in, makes a token and works with it", async () => {
    const { email, password } = SEED_ACCOUNTS.demo;
    const login = await Account.login({ email, password }, region);
    const profile_id = login.profiles[0]?.id ?? "";
    const made = await Account.tokenCreate(
      { email, password, profile_id, name: "library", expire_time: "1 day" },
      region,
    );
    expect(made.expire_time).toBeInstanceOf(Date);
    const { info } = await new Resources({ token: made.token, region }).profiles.info("current");
    expect(info).toMatchObject({ id: profile_id, created_at: expect.any(Date) });
  });

  it("creates, reads, lists, changes and deletes devices with the analysis token too", async () => {
    const { devices } = new Resources({ token: sandbox.tokens.analysis, region });
    const { device_id, token } = await devices.create({ name: "Library", tags: [{ key: "from", value: "library" }] });
    expect(await devices.info(device_id)).toMatchObject({
      name: "Library",
      last_input: null,
      created_at: expect.any(Date),
    });
    await devices.sendDeviceData(device_id, { variable: "temperature", value: 21.5 });
    expect(await devices.getDeviceData(device_id, { variables: "temperature" })).toMatchObject([{ value: 21.5 }]);
    const rows = await devices.list({
      filter: { tags: [{ key: "from", value: "lib*" }] },
      fields: ["id", "last_input"],
    });
    expect(rows).toEqual([{ id: device_id, last_input: expect.any(Date), tags: [{ key: "from", value: "library" }] }]);
    expect(await devices.edit(device_id, { active: false })).toBe("Successfully Updated");
    const refused = await new Device({ token, region }).info().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 400, message: "Device is deactivated" });
    expect(await devices.delete(device_id)).toBe("Successfully Removed");
  });

  it("streams the device list, each device once", async () => {
    for (let index = 0; index < 25; index += 1) {
      await resources.devices.create({ name: `Stream ${index}`, tags: [{ key: "stream", value: "yes" }] });
    }
    const seen: string[] = [];
    const query = { filter: { tags: [{ key: "stream", value: "yes" }] } };
    for await (const page of resources.devices.listStreaming(query, { poolingRecordQty: 10, poolingTime: 0 })) {
      seen.push(...page.map(({ id }) => id));
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
  });

  it("handles parameters and tokens from both sides", async () => {
    const { device_id, token } = await resources.devices.create({ name: "Both sides" });
    const device = new Device({ token, region });
    await resources.devices.paramSet(device_id, { key: "interval", value: "60" });
    const [param] = await device.getParameters("onlyUnRead");
    await device.setParameterAsRead(param?.id ?? "");
    await resources.devices.paramSet(device_id, { key: "interval", value: "30" }, param?.id);
    expect(await resources.devices.paramList(device_id, true)).toMatchObject([
      { key: "interval", value: "30", sent: true },
    ]);
    const made = await resources.devices.tokenCreate(device_id, {
      name: "Second",
      permission: "read",
      expire_time: "1 hour",
    });
    expect(made.expire_date).toBeInstanceOf(Date);
    expect(await resources.devices.tokenList(device_id)).toMatchObject([{ name: "Second" }, { name: "Default" }]);
    await resources.devices.tokenDelete(made.token);
    expect(await resources.devices.tokenList(device_id)).toHaveLength(1);
  });

  it("builds a dashboard with a widget and reads its data", async () => {
    const { device_id, token } = await resources.devices.create({ name: "Shown" });
    await new Device({ token, region }).sendData({ variable: "level", value: 7 });
    const { dashboard } = await resources.dashboards.create({ label: "Library" });
    const { widgets } = resources.dashboards;
    const { widget } = await widgets.create(dashboard, {
      label: "Level",
      type: "dial",
      display: {},
      data: [{ origin: device_id, variables: ["level"], query: "last_value" }],
    });
    const { content } = await widgets.getData(dashboard, widget);
    expect(content).toMatchObject([{ result: [{ variable: "level", value: 7, origin: device_id }] }]);
    expect(await resources.dashboards.listDevicesRelated(dashboard)).toMatchObject([{ id: device_id }]);
    expect(await widgets.sendData(dashboard, widget, { origin: device_id, variable: "level", value: 8 })).toEqual([
      "1 Data Added",
    ]);
    expect(await widgets.info(dashboard, widget)).toMatchObject({ id: widget, dashboard });
    expect((await widgets.tokenGenerate(dashboard, widget)).widget_token).toMatch(/^[0-9a-f-]{36}$/);
    await resources.dashboards.delete(dashboard);
    await expect(widgets.info(dashboard, widget)).rejects.toThrow("Dashboard Not Found");
  });
});
