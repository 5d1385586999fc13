// Data of a device: every kind of query, edits, deletions and both streams.
import {
  type Data,
  type DataQueryDefault,
  type DataQueryNumberResponse,
  type DataToEdit,
  type DataToSend,
  Device,
  type OptionsStreaming,
} from "iotdeck";

const device = new Device({
  token: "d-token",
  region: { api: "https://api.example.org", sse: "https://sse.example.org" },
});
const options: OptionsStreaming = { poolingRecordQty: 500, poolingTime: 100, neverStop: false, initialSkip: 0 };

export async function copy(query: DataQueryDefault): Promise<string> {
  const rows: Data[] = await device.getData(query);
  const sent: DataToSend[] = rows.map(({ variable, value = 0, time }) => ({ variable, value, time }));
  const changed: DataToEdit[] = rows.map(({ id }) => ({ id, value: 5, location: { lat: 1, lng: 2 } }));
  await device.editData(changed);
  await device.deleteData({ variables: "old", qty: 100, start_date: new Date(0), end_date: "1 day" });
  for await (const page of device.getDataStreaming({ variables: ["level"] }, options)) console.log(page.length);
  return device.sendDataStreaming(sent, options);
}
export async function figures(): Promise<number> {
  const count: DataQueryNumberResponse[] = await device.getData({ query: "count", variables: "level" });
  await device.getData({ query: "last_value", start_date: "1 day", values: [5], variables: "level" });
  const info = await device.info();
  console.log(info.parse_function, info.last_output?.toISOString(), info.bucket.id, info.tags);
  return count[0]?.value ?? 0;
}
