// Turns actions into a page of text; its tests make up actions with the properties the page shows.
import type { ActionInfo, ConfigurationParams, DeviceInfo } from "iotdeck";

export function pageOf(action: ActionInfo): string {
  const tags = (action.tags ?? []).map(({ key, value }) => `${key}=${value}`).join(", ");
  const state = action.active === false ? "off" : "on";
  return [`# ${action.name}`, `${action.type ?? "unknown"}, ${state}`, tags].join("\n");
}

export const sample: ActionInfo = {
  id: "61f1b8a4b3d2f4001a2b3c4d",
  name: "Tank low",
  action: { type: "script", script: ["61f1b8a4b3d2f4001a2b3c4e"] },
  tags: [{ key: "kind", value: "tank" }],
  created_at: new Date(0),
  updated_at: new Date(0),
  last_triggered: new Date(0),
};

export const labelOf = (device: Pick<DeviceInfo, "id" | "name">, params: ConfigurationParams[]): string =>
  `${device.name} (${device.id}): ${params.map(({ key, value }) => `${key}=${value}`).join(" ")}`;

export const page: string =
  pageOf(sample) + labelOf({ id: "d", name: "Tank" }, [{ key: "a", value: "b", sent: false }]);
