import type { App } from "../app.ts";
import type { Inspection } from "../http/inspection-key.ts";
import type { RequestLog } from "../http/request-log.ts";
import type { RawHandler } from "../http/server.ts";
import { CONSOLE_CHANNEL, tellConsole } from "../stream/console-events.ts";

/** Rows of one event: the console shows no more at a time. */
const MAX_LIVE_ROWS = 200;

/** The event stream of the console. It only listens to signals while a console is open. */
export function serveLive(app: App, inspection: Inspection, requestLog: RequestLog): RawHandler {
  const { hub, signals } = app;
  let watching = 0;
  let stops: readonly (() => void)[] = [];
  const start = () => [
    signals.on("dataStored", ({ device: { id, name }, records }) =>
      tellConsole(hub, {
        type: "data",
        device: id,
        name,
        records: records.slice(-MAX_LIVE_ROWS),
        amount: records.length,
      }),
    ),
    signals.on("dataChanged", ({ event, device: { id } }) =>
      tellConsole(hub, { type: "changed", kind: "data", event, id }),
    ),
    signals.on("resourceChanged", ({ kind, event, document: { id } }) =>
      tellConsole(hub, { type: "changed", kind, event, id }),
    ),
    signals.on("clockMoved", () => tellConsole(hub, { type: "clock" })),
    signals.on("everythingReplaced", () => tellConsole(hub, { type: "replaced" })),
    requestLog.on((entry) => {
      if (!entry.console && !entry.url.startsWith("/__sandbox/")) tellConsole(hub, { type: "request", entry });
    }),
  ];
  return (request) => {
    inspection.admit(request);
    // First, since it throws when there are too many.
    hub.open(request.outgoing, { profile: "", topics: new Set([CONSOLE_CHANNEL]) });
    if (watching === 0) stops = start();
    watching += 1;
    request.outgoing.once("close", () => {
      watching -= 1;
      if (watching === 0) for (const stop of stops) stop();
    });
    return "sent";
  };
}
