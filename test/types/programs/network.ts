// A network's middleware: finds devices, sends their data on, and parses payloads.
import { type Data, type DataCreate, Device, Network, type NetworkDeviceListQueryInfo, Utils } from "iotdeck";

const network = new Network({ token: process.env["NETWORK_TOKEN"] ?? "", details: true });

export function parse(payload: Pick<Data, "variable" | "value" | "group">[]): DataCreate[] {
  const raw = payload.find(({ variable }) => variable === "payload");
  if (typeof raw?.value !== "string") return [];
  const bytes = Buffer.from(raw.value, "hex");
  return [{ variable: "temperature", value: bytes.readInt16BE(0) / 10, unit: "°C", group: raw.group ?? "" }];
}
export async function forward(serial: string, hex: string): Promise<string> {
  const token = await network.resolveToken(serial, "authorization");
  await network.publishToRelay({ topic: "up", device: "d1", qos: 1 as number });
  const devices: Pick<NetworkDeviceListQueryInfo, "token" | "name">[] = await network.deviceList("c1", { amount: 10 });
  console.log(devices.length, Utils.parseLorawanQRCode("LW:D0:1122334455667788:AABBCCDDEEFF0011:AABB1122").dev_eui);
  return new Device({ token }).sendData(parse([{ variable: "payload", value: hex, group: "g" }]));
}
