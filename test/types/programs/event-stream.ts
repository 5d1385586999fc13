// The event stream, used as the browser's EventSource.
import { SSE } from "iotdeck";

const channels: SSE.OpenSSEConfig[] = [
  { channel: "device_data", resource_id: "61f1b8a4b3d2f4001a2b3c4d" },
  { channel: "notification" },
];

export async function listen(token: string): Promise<EventSource> {
  const source: EventSource = await SSE.openSSEListening(channels, { token, region: "us-e1" });
  source.onmessage = (event: MessageEvent) => console.log(JSON.parse(event.data));
  source.onerror = (event: Event) => console.log(event.type, source.readyState);
  source.addEventListener("open", () => console.log("open"));
  return source;
}
export async function plain(token: string): Promise<void> {
  const events = await SSE.openSSEListening({ channel: "ui" }, { token });
  events.onmessage = (event: MessageEvent<string>) => console.log(event.data);
  events.addEventListener("message", (event: MessageEvent) => console.log(event.lastEventId));
  events.close();
  console.log(SSE.channels.length);
}
