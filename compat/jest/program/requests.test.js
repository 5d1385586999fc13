const { ApiError, Migration, Resources, SdkError } = require("iotdeck");

const place = JSON.parse(process.env.SANDBOX);

describe.each([
  ["the default transport", {}],
  ["undici", { transport: "undici" }],
  ["fetch", { transport: "fetch" }],
])("A client over %s", (_name, options) => {
  const { devices } = new Resources({ ...place, ...options });

  it("reads devices", async () => {
    const [device] = await devices.list({ amount: 1 });
    const { id, created_at } = await devices.info(device.id);
    expect(id).toBe(device.id);
    expect(created_at).toBeInstanceOf(Date);
  });

  it("throws errors of the exported classes", async () => {
    const error = await devices.info("0123456789abcdef01234567").catch((caught) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(SdkError);
    expect(error).toBeInstanceOf(Error);
    expect(error.status).toBe(404);
  });
});

it("converts widgets", () => {
  expect(Migration.convertWidget({ type: "dial", display: { numberformat: "0.0" } }).type).toBe("dial");
});
