import type { ServerResponse } from "node:http";
import { tagsOf } from "../access/demands.ts";
import type { App } from "../app.ts";
import { isId } from "../core/ids.ts";
import { denied, PlatformError } from "../core/platform-error.ts";
import type { Principal, TokenKind } from "../core/principal.ts";
import { decodeQuery, listOf, splitTarget } from "../core/query.ts";
import { authorize, tokenOf } from "../http/auth.ts";
import type { RawHandler } from "../http/server.ts";
import type { Resource } from "../resource.ts";
import { publishSignals } from "./channels.ts";
import { streamGaps } from "./gaps.ts";
import { privateTopic } from "./hub.ts";

const gaps = {
  ...streamGaps,
  dashboards: {
    subject: "Events of ui_dashboard",
    choice: "one per widget that shows a stored row; {dashboard, when} on changes",
    general: true,
  },
  records: {
    subject: "Events of ui",
    choice:
      "{resource, id, when} for every record that is created, changed or deleted; not for notifications that are read",
    general: true,
  },
} as const;

/** Requirements of a channel (docs/internals/platform/server.md, Event stream). */
interface Channel {
  readonly needsId: boolean;
  /** Kind of record of its resource id. Default: not looked up. */
  readonly owner?: string;
  readonly tokens: readonly TokenKind[];
}

const CHANNELS: Readonly<Record<string, Channel>> = {
  device_data: { needsId: true, owner: "device", tokens: ["profile", "device"] },
  analysis_trigger: { needsId: false, tokens: ["analysis"] },
  analysis_console: { needsId: true, owner: "analysis", tokens: ["profile"] },
  device_inspector: { needsId: true, owner: "device", tokens: ["profile"] },
  entity_data: { needsId: true, tokens: ["profile"] },
  ui_dashboard: { needsId: true, owner: "dashboard", tokens: ["profile", "run_user"] },
  notification: { needsId: false, tokens: ["profile", "run_user"] },
  ui: { needsId: false, tokens: ["profile"] },
};

/** Most channels of one stream. */
const MAX_TOPICS = 100;

/** Rejects a resource that does not exist in the profile, or is not the device's own. */
function checkOwner(app: App, { owner }: Channel, resourceId: string, principal: Principal): void {
  if (principal.kind === "device" && resourceId !== principal.refId) throw denied();
  if (owner === undefined) return;
  const document = app.collection(owner).need(resourceId, principal.profile);
  if (principal.kind !== "run_user") return;
  if (!app.policy.allows(principal, owner, ["access"], { id: resourceId, tags: tagsOf(document["tags"]) }))
    throw denied();
}

/** One topic of the query, checked against the token. */
function checkTopic(app: App, topic: string, principal: Principal): string {
  const [name = "", resourceId, ...rest] = topic.split(".");
  const channel = Object.hasOwn(CHANNELS, name) ? CHANNELS[name] : undefined;
  if (channel === undefined || rest.length > 0)
    throw new PlatformError(400, `Invalid channel ${name.slice(0, 40)}`).assumed(streamGaps.unknownChannel);
  if (!channel.tokens.some((kind) => kind === principal.kind)) throw denied();
  if (channel.needsId !== (resourceId !== undefined)) {
    throw new PlatformError(400, `Channel ${name} ${channel.needsId ? "needs a resource id" : "takes no resource id"}`);
  }
  // Events of this channel are for one analysis or portal user only.
  if (resourceId === undefined && principal.kind !== "profile") return privateTopic(name, principal.refId);
  if (resourceId === undefined) return name;
  if (!isId(resourceId)) throw new PlatformError(400, `Invalid resource ID of channel ${name}`);
  checkOwner(app, channel, resourceId, principal);
  return `${name}.${resourceId}`;
}

/** A device learns when its live inspector is open. */
function markInspected(app: App, topics: ReadonlySet<string>, outgoing: ServerResponse): void {
  const start = "device_inspector.";
  const ids = [...topics].filter((topic) => topic.startsWith(start)).map((topic) => topic.slice(start.length));
  const mark = (value: string | null): void => {
    for (const id of ids) app.collection("device").touch(id, { inspected_at: value });
  };
  if (ids.length === 0) return;
  mark(new Date(app.clock.now()).toISOString());
  outgoing.on("close", () => {
    if (app.hub.isOpen) mark(null);
  });
}

const STREAM_TOKENS: readonly TokenKind[] = ["profile", "device", "analysis", "run_user"];

/** `GET /events?channels=a,b.{id}&token=`: the event stream. */
function serveEvents(app: App): RawHandler {
  return ({ incoming, outgoing }, onCaller, assume) => {
    const url = incoming.url ?? "";
    const query = decodeQuery(splitTarget(url)[1]);
    const demand = { kinds: STREAM_TOKENS, permission: "read" } as const;
    const principal = authorize(app.tokens, tokenOf(incoming.headers, query), demand);
    onCaller(principal);
    if (principal.kind === "analysis" && app.collection("analysis").get(principal.refId)?.["active"] === false)
      throw denied();
    const asked = [...listOf(query["channels"]), ...listOf(query["channel"])].flatMap((text) => text.split(","));
    if (asked.length === 0) throw new PlatformError(400, "Invalid channel: name at least one in channels");
    if (asked.length > MAX_TOPICS) throw new PlatformError(400, `At most ${MAX_TOPICS} channels`);
    const topics = new Set(asked.map((topic) => checkTopic(app, topic.trim(), principal)));
    if (incoming.headers["last-event-id"] !== undefined) assume(streamGaps.missedEvents);
    markInspected(app, topics, outgoing);
    app.hub.open(outgoing, { profile: principal.profile, topics }, app.faults.stream);
    return "sent";
  };
}

/** The event stream. */
export const events: Resource = {
  gaps,
  serve: (app) => {
    publishSignals(app);
    app.server.serve("GET", "/events", serveEvents(app), { faults: true });
  },
};
