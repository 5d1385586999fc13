import type { Resources } from "../../index.ts";
import type { CommandContext } from "../kit/context.ts";
import { conflictError, usageError } from "../kit/failures/command-error.ts";
import { type Integration, integrationFinder, listIntegrations } from "../kit/finders/device.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";

/** Where a device goes that names no network or connector. */
export async function defaultPlace(ctx: CommandContext, body: Readonly<Record<string, unknown>>): Promise<object> {
  if (body["connector"] !== undefined && body["network"] !== undefined) return {};
  const wanted = body["connector"];
  const connectors = await (typeof wanted === "string"
    ? ownNetworks(ctx, wanted)
    : listIntegrations(ctx, "connector", undefined, 100));
  const usable = connectors.find(({ networks }) => (networks ?? []).length > 0);
  const network = body["network"] ?? usable?.networks?.[0];
  const connector = wanted ?? usable?.id;
  if (network !== undefined && connector !== undefined) return { network, connector };
  throw usageError("No connector with a network found for the new device.", {
    next: 'Add both: --connector "name:…" --network "name:…".',
  });
}

/** A connector with its networks: in a list of all, it may come after many others. */
async function ownNetworks(ctx: CommandContext, id: string): Promise<Pick<Integration, "id" | "networks">[]> {
  const { integration } = await ctx.client();
  const finder = integrationFinder("connector");
  return [await lookUp(ctx, finder, id, () => integration.connectors.info(id, ["networks"]))];
}

/**
 * Network and connector of an update: both where one changes, as the platform wants them.
 *
 * @throws when the device has tokens: they would have to go, and hardware may hold them
 */
export async function changedPlace(
  { devices }: Pick<Resources, "devices">,
  id: string,
  { network, connector }: Readonly<Record<string, unknown>>,
): Promise<object> {
  if (network === undefined && connector === undefined) return {};
  const current = await devices.info(id);
  const next = { network: network ?? current.network, connector: connector ?? current.connector };
  if (next.network === current.network && next.connector === current.connector) return next;
  const tokens = await devices.tokenList(id, { fields: ["name"], amount: 1 });
  if (tokens.length === 0) return next;
  throw conflictError("The network and connector of a device with tokens cannot be changed.", {
    why: "The platform only allows it for devices without tokens. New tokens must be stored in the hardware again.",
    next: `Delete them with "iot device token delete ${id}", repeat this command, then run "iot device token create ${id}".`,
  });
}
