import type { EventParts } from "./dashboard-events.ts";
import { publishDashboards } from "./dashboard-events.ts";

/** Publishes the events of each channel when their causes occur. */
export function publishSignals(app: EventParts): void {
  const { hub, signals } = app;
  publishDashboards(app);

  signals.on("resourceChanged", ({ profile, kind, event, document }) => {
    if (!hub.listening("ui")) return;
    const when = event === "edit" ? "update" : event;
    hub.publish({ channel: "ui", profile, payload: { resource: kind, id: document.id, when } });
  });

  signals.on("dataStored", ({ profile, device, records }) => {
    if (!hub.listening("device_data", device.id)) return;
    hub.publish({ channel: "device_data", resourceId: device.id, profile, payload: records });
  });

  signals.on("entityDataChanged", ({ profile, entity, records }) => {
    if (!hub.listening("entity_data", entity.id)) return;
    hub.publish({ channel: "entity_data", resourceId: entity.id, profile, payload: records });
  });
}
