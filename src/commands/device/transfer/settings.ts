import type { DeviceCreateInfo, DeviceInfo, Resources } from "../../../index.ts";
import { ApiError } from "../../../lib/core/errors.ts";
import type { CommandContext } from "../../kit/context.ts";
import { integrationFinder } from "../../kit/finders/device.ts";
import { isNotFound } from "../../kit/resource/not-found.ts";
import { resolveForm } from "../../kit/resource/resolve-id.ts";
import type { Storage } from "./storage.ts";

/** What a new device takes over from another one: everything but its tokens, its serial number and its data. */
export async function transferSettings(
  { devices }: Resources,
  info: DeviceInfo,
  storage: Storage,
): Promise<Omit<DeviceCreateInfo, "name"> & Pick<DeviceInfo, "active" | "tags">> {
  const { description, active, visible, connector, network, tags, payload_decoder, mutable_variable_regex } = info;
  const params = await devices.paramList(info.id);
  return {
    ...storage,
    ...(storage.type === "hybrid" && mutable_variable_regex !== undefined ? { mutable_variable_regex } : {}),
    ...(description ? { description } : {}),
    ...(payload_decoder ? { payload_decoder } : {}),
    active,
    visible,
    connector,
    network,
    tags,
    configuration_params: params.map(({ key, value, sent }) => ({ key, value, sent })),
  };
}

/** Network and connector in another environment: the same id where it is known there, else the same name. */
export async function placeIn(
  ctx: CommandContext,
  to: CommandContext,
  { connector, network }: Pick<DeviceInfo, "connector" | "network">,
): Promise<{ readonly connector: string; readonly network: string }> {
  const [from, there] = [(await ctx.client()).integration, (await to.client()).integration];
  const place = { connector, network };
  for (const kind of ["network", "connector"] as const) {
    const api = kind === "network" ? "networks" : "connectors";
    if (await isThere(() => there[api].info(place[kind], ["name"]))) continue;
    const { name } = await from[api].info(place[kind], ["name"]);
    place[kind] = (await resolveForm(to, integrationFinder(kind), `name:${name ?? ""}`)).id;
  }
  return place;
}

async function isThere(look: () => Promise<unknown>): Promise<boolean> {
  try {
    await look();
    return true;
  } catch (error) {
    if (error instanceof ApiError && isNotFound(error)) return false;
    throw error;
  }
}
