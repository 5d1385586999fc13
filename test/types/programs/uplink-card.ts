// Writes one row per sensor, whose metadata has an interface of its own.
import { type Data, type DataCreate, type DataEdit, Resources } from "iotdeck";

interface CardMetadata {
  sensor: string;
  celsius: number;
  door: "open" | "closed";
  label?: string;
}

interface Card {
  readonly device: string;
  readonly metadata: CardMetadata;
  readonly time: Date;
}

export async function store({ device, metadata, time }: Card): Promise<string> {
  const [existing] = await Resources.devices.getDeviceData(device, { variables: "card", groups: device, qty: 1 });
  if (existing) {
    const row = { ...existing, time, metadata: { ...existing.metadata, ...metadata } };
    return Resources.devices.editDeviceData(device, row);
  }
  return Resources.devices.sendDeviceData(device, { variable: "card", group: device, time, metadata });
}

export function rowsOf(cards: readonly Card[]): DataCreate[] {
  const rows: DataCreate[] = [];
  for (const { device, metadata, time } of cards) rows.push({ variable: "card", group: device, time, metadata });
  return rows;
}

export const relabel = ({ id, metadata }: Data, next: CardMetadata): DataEdit =>
  metadata?.label === next.label ? { id } : { id, metadata: next };
