// Finds the actions and devices of an alert: the filter grows with what is known.
import { type ActionQuery, type DeviceQuery, Resources } from "iotdeck";

interface Wanted {
  readonly device?: string;
  readonly group?: string;
  readonly site?: string;
}

export async function actionsOf({ device, group }: Wanted) {
  const filter: ActionQuery["filter"] = { tags: [] };
  if (!filter.tags) filter.tags = [];
  if (device) filter.tags.push({ key: "device_id", value: device });
  if (group) filter.tags.push({ key: "group_id", value: group });
  return Resources.actions.list({ amount: 9999, fields: ["id", "tags"], filter });
}

export async function devicesOf(wanted: Wanted): Promise<string[]> {
  const query: DeviceQuery = { amount: 50, fields: ["id", "name"], filter: { tags: [] } };
  for (const [key, value] of Object.entries(wanted)) query.filter?.tags?.push({ key, value });
  if (wanted.site) query.fields?.push("tags");
  query.orderBy = ["name", "asc"];
  const devices = await Resources.devices.list(query);
  return devices.map(({ id }) => id);
}
