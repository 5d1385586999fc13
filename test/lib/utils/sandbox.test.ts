import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Resources, Utils } from "../../../src/index.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/index.ts";

/** The helpers against the sandbox, which gives every stored record an id of its own. */

let sandbox: Sandbox;
let resources: Resources;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  resources = new Resources({ token: sandbox.tokens.profile, region: { api: sandbox.url, sse: sandbox.eventsUrl } });
});
afterAll(() => sandbox.close());

describe("the helpers", () => {
  it("find a device and remove a value from its dropdowns, each record once", async () => {
    const { device_id } = await resources.devices.create({ name: "Form", type: "mutable" });
    const device = await Utils.getDevice(resources, device_id);
    const choice = (...names: string[]) => ({
      variable: "rooms",
      value: names.join(";"),
      metadata: { sentValues: names.map((value) => ({ value, label: value })) },
    });
    await device.sendData([choice("kitchen", "hall"), choice("hall"), choice("kitchen")]);
    const before = await device.getData({ variables: "rooms", qty: 99 });

    await Utils.updateMultipleDropdown(device, "rooms", "kitchen");

    const after = await device.getData({ variables: "rooms", qty: 99 });
    expect(after.map(({ value }) => value).sort()).toEqual(["", "hall", "hall"]);
    expect(after.map(({ metadata }) => metadata?.sentValues?.length).sort()).toEqual([0, 1, 1]);
    expect(after.map(({ time }) => time.getTime()).sort()).toEqual(before.map(({ time }) => time.getTime()).sort());
    expect(after.filter(({ id }) => before.some((old) => old.id === id))).toHaveLength(1);
  });

  it("find a token by its name", async () => {
    const { device_id, token } = await resources.devices.create({ name: "Gateway", type: "mutable" });
    const made = await resources.devices.tokenCreate(device_id, { name: "Second", permission: "full" });
    await expect(Utils.getTokenByName(resources, device_id, "Second")).resolves.toBe(made.token);
    await expect(Utils.getTokenByName(resources, device_id, ["Nope", "Default"])).resolves.toBe(token);
  });
});
