import { InputError } from "../core/errors.ts";

/** Channels of one resource, whose id is part of the name in the URL. */
const channelsWithResource = [
  "analysis_console",
  "device_inspector",
  "device_data",
  "entity_data",
  "ui_dashboard",
] as const;

/** Channels of the whole profile, or of the analysis of the token. */
const channelsWithoutResource = ["analysis_trigger", "notification", "ui"] as const;

/** Names of all channels of the event stream. */
export const channels = [...channelsWithResource, ...channelsWithoutResource] as const;

/** A `channel` to listen to; channels of one resource need its id as `resource_id`. */
export type Channel =
  | { channel: (typeof channelsWithResource)[number]; resource_id: string }
  | { channel: (typeof channelsWithoutResource)[number] };

const needsResource = new Set<string>(channelsWithResource);
const known = new Set<string>(channels);

/** Name of a channel in the URL: `device_data.{resource_id}` or `ui`. */
export function channelText(channel: Channel): string {
  const { channel: name, resource_id: id } = channel as { channel?: unknown; resource_id?: unknown };
  if (typeof name !== "string" || !known.has(name)) {
    throw new InputError(`Invalid channel ${String(name)}: use one of ${channels.join(", ")}`, "channel");
  }
  if (!needsResource.has(name)) return name;
  // A comma would inject a second channel: the list is comma-separated.
  if (typeof id !== "string" || id === "" || id.includes(",")) {
    throw new InputError(`Invalid resource_id: the channel ${name} needs the id of one resource`, "resource_id");
  }
  return `${name}.${id}`;
}

/**
 * URL of an event stream. It contains the token, because the platform accepts it nowhere else: never print it.
 *
 * @param sse event stream URL of the region; the path is always `/events`
 */
export function eventsAddress(sse: string, wanted: Channel | readonly Channel[], token: string): string {
  const list = Array.isArray(wanted) ? (wanted as readonly Channel[]) : [wanted as Channel];
  if (list.length === 0) throw new InputError("Invalid channels: name at least one channel to listen to", "channels");
  const url = new URL("/events", sse);
  url.searchParams.set("channels", list.map(channelText).join(","));
  url.searchParams.set("token", token);
  return url.href;
}
