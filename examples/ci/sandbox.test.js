import { Device, Resources } from "iotdeck";
import { expect, it } from "vitest";

// The variables of `iot sandbox exec`. The URLs of the sandbox are in TAGOIO_API and TAGOIO_SSE, which the library reads.
const { IOT_TOKEN = "", IOT_SANDBOX_DEVICE_TOKEN = "" } = process.env;

it("stores what the freezer sends", async () => {
  const freezer = new Device({ token: IOT_SANDBOX_DEVICE_TOKEN });
  await freezer.sendData({ variable: "temperature", value: -17.5, unit: "°C" });

  const resources = new Resources({ token: IOT_TOKEN });
  const { id } = await freezer.info();
  const [last] = await resources.devices.getDeviceData(id, { variables: "temperature", query: "last_value" });
  expect(last?.value).toBe(-17.5);
});
