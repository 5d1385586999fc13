// Sets parameters of a device by key: changes those that exist, adds the others.
import { type ConfigurationParams, Resources } from "iotdeck";

export async function setParameters(device: string, values: Record<string, string>): Promise<void> {
  const existing = await Resources.devices.paramList(device);
  const changed: ConfigurationParams[] = [];
  for (const [key, value] of Object.entries(values)) {
    const found = existing.find((param) => param.key === key);
    const next: ConfigurationParams = { key, value, sent: false };
    if (found) next.id = found.id;
    changed.push(next);
  }
  await Resources.devices.paramSet(device, changed);
}

export function addTo(params: ConfigurationParams[], key: string, value: string): ConfigurationParams {
  const made: ConfigurationParams = { key, value, sent: false };
  params.push(made);
  return made;
}
