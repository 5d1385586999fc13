// A unit test that replaces members and calls an analysis with a context of its own.
import { type Data, Resources, type TagoContext } from "iotdeck";

const lines: unknown[] = [];
const context: TagoContext = {
  token: "a-token",
  analysis_id: "61f1b8a4b3d2f4001a2b3c4d",
  environment: [{ key: "stage", value: "test" }],
  log: (...values: unknown[]) => lines.push(...values),
};
const record: Data = { id: "1", device: "d1", variable: "level", value: 5, time: new Date() };

async function analysis({ log }: TagoContext, [first]: Data[], resources: Resources): Promise<void> {
  log(first?.value, (await resources.devices.info(first?.device ?? "")).name);
}
export async function test(): Promise<unknown[]> {
  const resources = new Resources({ token: "p-token" });
  resources.devices.edit = async (id) => `changed ${id}`;
  resources.devices.amount = () => Promise.resolve(5);
  await analysis(context, [record], resources);
  return lines;
}
