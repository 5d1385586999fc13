import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import type { HandlerContext } from "../http/handler.ts";
import type { EntityDocument } from "../store/document.ts";
import type { StreamHub } from "../stream/hub.ts";

export interface InspectorParts {
  readonly clock: Clock;
  readonly hub: StreamHub;
  readonly ids: IdSource;
}

/** Writes a line to a device's live inspector. Costs nothing while it is not open. */
export type Inspect = (title: string, content: unknown) => void;

const silent: Inspect = () => {};

/** The live inspector of a device for one connection: all its lines carry the same `connection_id`. */
export function inspectorOf(app: InspectorParts, device: EntityDocument): Inspect {
  if (!app.hub.listening("device_inspector", device.id)) return silent;
  const connectionId = app.ids.id();
  return (title, content) => {
    app.hub.publish({
      channel: "device_inspector",
      resourceId: device.id,
      profile: device.profile,
      payload: {
        connection_id: connectionId,
        device_id: device.id,
        timestamp: new Date(app.clock.now()).toISOString(),
        title,
        content: typeof content === "string" ? content : JSON.stringify(content),
      },
    });
  };
}

/** Lines for every request with data. */
export function inspectRequest(inspect: Inspect, { request, query, body }: HandlerContext): void {
  if (inspect === silent) return;
  inspect(`[${request.method}] HTTP Request`, `${request.method} ${request.path} ${request.contentType}`.trim());
  const { token: _token, ...shown } = query;
  if (Object.keys(shown).length > 0) inspect("Query params", shown);
  inspect("Raw Payload", body ?? "");
}
