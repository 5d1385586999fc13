import { Resources } from "iotdeck";

/**
 * Names of the freezers whose last temperature is above the limit: a program as anybody would write it, which knows
 * nothing of the sandbox.
 */
export async function warmFreezers({ token, region, limit }) {
  const resources = new Resources({ token, region });
  const freezers = await resources.devices.list({
    fields: ["id", "name"],
    filter: { tags: [{ key: "device_type", value: "freezer" }] },
  });
  const warm = [];
  for (const { id, name } of freezers) {
    const [last] = await resources.devices.getDeviceData(id, { variables: "temperature", query: "last_value" });
    if (typeof last?.value === "number" && last.value > limit) warm.push(name);
  }
  return warm;
}
