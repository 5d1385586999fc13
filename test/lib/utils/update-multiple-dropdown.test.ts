import { describe, expect, it } from "vitest";
import { Device, InputError, Resources, Utils } from "../../../src/index.ts";
import { failureOf, token } from "../../helpers/fault-client.ts";
import { failed, type Step, scripted, success } from "../../helpers/scripted-transport.ts";

const wrong = <T>(value: unknown) => value as T;
const time = "2024-03-05T10:20:30.000Z";
const sentValues = [
  { value: "one", label: "One" },
  { value: "two", label: "Two" },
];
const record = (more: object = {}) => ({
  id: "i1",
  variable: "list",
  value: "one;two",
  time,
  metadata: { sentValues, keep: 1 },
  ...more,
});
const without = (value: string) => sentValues.filter((one) => one.value !== value);

function deviceWith(...steps: readonly [Step, ...Step[]]) {
  const transport = scripted(...steps);
  const device = new Device({ token, region: { api: "http://127.0.0.1:9", sse: "" }, attempts: 1, transport });
  const seen = () =>
    transport.requests.map(({ method, url, body }) => {
      const line = `${method} ${url.replace("http://127.0.0.1:9", "")}`;
      return body === undefined ? line : [line, JSON.parse(String(body)) as unknown];
    });
  return { device, seen };
}

describe("removing a value from dropdowns", () => {
  it("deletes the old record before it stores the changed one with the same id", async () => {
    const untouched = record({ id: "i2", value: "two", metadata: { sentValues: without("one") } });
    const { device, seen } = deviceWith(success([record(), untouched]), success("ok"));
    await expect(Utils.updateMultipleDropdown(device, "list", "one")).resolves.toBeUndefined();
    expect(seen()).toEqual([
      "GET /data?variables=list&qty=999",
      "DELETE /data?ids=i1",
      ["POST /data", [record({ value: "two", metadata: { sentValues: without("one"), keep: 1 } })]],
    ]);
  });

  it.each<[string, unknown, string | string[]]>([
    ["no record", [], "one"],
    ["records without the value", [record()], "three"],
    ["records with a label of that text", [record()], ["One"]],
    ["records without values", [record({ metadata: undefined }), record({ metadata: { sentValues: "one" } })], "one"],
    ["a record without an id", [record({ id: undefined })], "one"],
  ])("changes nothing for %s", async (_what, records, values) => {
    const { device, seen } = deviceWith(success(records), success("ok"));
    await Utils.updateMultipleDropdown(device, "list", values);
    expect(seen()).toHaveLength(1);
  });

  it.each<[string, string[], string[]]>([
    ["variables", [], ["one"]],
    ["values", ["list"], []],
  ])("does not even read for an empty list of %s", async (_what, variables, values) => {
    const { device, seen } = deviceWith(success([record()]));
    await Utils.updateMultipleDropdown(device, variables, values);
    expect(seen()).toEqual([]);
  });

  it("compares numbers as strings", async () => {
    const numbers = record({ value: 1, metadata: { sentValues: [{ value: 1, label: "One" }] } });
    const { device, seen } = deviceWith(success([numbers]), success("ok"));
    await Utils.updateMultipleDropdown(device, ["list"], ["1"]);
    expect(seen()[2]).toEqual(["POST /data", [{ ...numbers, metadata: { sentValues: [] } }]]);
  });

  it("stores nothing when the old record cannot be deleted", async () => {
    const { device, seen } = deviceWith(success([record(), record({ id: "i2" })]), failed(400, "Immutable"));
    const error = await failureOf(Utils.updateMultipleDropdown(device, "list", "one"));
    expect(error).toMatchObject({ name: "ApiError", message: "Immutable" });
    expect(seen()).toEqual(["GET /data?variables=list&qty=999", "DELETE /data?ids=i1"]);
  });

  it("stops with the error when the changed record cannot be stored", async () => {
    const records = success([record(), record({ id: "i2" })]);
    const { device, seen } = deviceWith(records, success("ok"), failed(400, "No room"));
    const error = await failureOf(Utils.updateMultipleDropdown(device, "list", "one"));
    expect(error).toMatchObject({ name: "ApiError", message: "No room" });
    expect(seen()).toHaveLength(3);
  });

  it.each([undefined, {}, new Resources({ token })])("needs a device, not %j", async (device) => {
    const error = await failureOf(Utils.updateMultipleDropdown(wrong(device), "list", "one"));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe("The parameter 'device' must be an instance of a TagoIO Device.");
  });
});
