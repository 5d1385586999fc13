// A command line that turns its flags into a query and prints a table.
import { Account, type DeviceListItem, type DeviceQuery } from "iotdeck";

interface Flags {
  name?: string;
  tagKeys: string[];
  tagValues: string[];
  stringify: boolean;
}

function queryOf({ name, tagKeys, tagValues }: Flags): DeviceQuery["filter"] {
  const filter: DeviceQuery["filter"] = {};
  if (name) filter.name = `*${name}*`;
  for (const key of tagKeys) {
    filter.tags = filter.tags || [];
    filter.tags.push({ key });
  }
  for (const [index, value] of tagValues.entries()) {
    filter.tags = filter.tags || [];
    const tag = filter.tags[index];
    if (tag) tag.value = value;
    else filter.tags.push({ value });
  }
  return filter;
}

export async function print(token: string, flags: Flags): Promise<void> {
  const account = new Account({ token });
  const filter = queryOf(flags) ?? {};
  const devices = await account.devices.list({ amount: 100, fields: ["id", "name", "last_input", "tags"], filter });
  if (flags.stringify) return console.log(JSON.stringify(devices, null, 2));
  const cell = (date: Date | null | undefined): string => date?.toISOString() ?? "never";
  console.table(devices.map(({ id, name, last_input }) => ({ id, name, last: cell(last_input) })));
}

export const namesOf = (devices: Pick<DeviceListItem, "name">[]): string[] => devices.map(({ name }) => name);
