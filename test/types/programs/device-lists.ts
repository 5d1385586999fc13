// Lists of devices with filters, fields and an order, one page after the other.
import { type DeviceListItem, type DeviceQuery, Resources, type TagsObj } from "iotdeck";

const resources = new Resources({ token: process.env["PROFILE_TOKEN"] });

export async function offline(minutes: number): Promise<string[]> {
  const limit = Date.now() - minutes * 60_000;
  const devices = await resources.devices.list({
    amount: 100,
    page: 1,
    fields: ["id", "name", "last_input", "tags"],
    filter: { tags: [{ key: "kind", value: "tank" }], active: true, bucket: { id: "61f1b8a4b3d2f4001a2b3c4d" } },
    orderBy: ["last_input", "desc"],
    resolveConnectorName: true,
  });
  return devices.filter((device) => (device.last_input?.getTime() ?? 0) < limit).map((device) => device.name);
}

export async function all(filter: DeviceQuery["filter"]): Promise<DeviceListItem[]> {
  const found: DeviceListItem[] = [];
  for await (const page of resources.devices.listStreaming({ filter: filter ?? {} })) found.push(...page);
  return found;
}

export const tagOf = (device: DeviceListItem<"id" | "name">, key: string): string | undefined =>
  device.tags.find((tag: TagsObj) => tag.key === key)?.value;

export async function names(): Promise<string[]> {
  const list = await resources.devices.list();
  return list.map((device) => `${device.id} ${device.name} ${device.active}`);
}
