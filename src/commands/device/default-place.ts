import { usageError } from "../kit/command-error.ts";
import type { CommandContext } from "../kit/context.ts";
import { listIntegrations } from "./finder.ts";

/** Where a device goes that names no network or connector. */
export async function defaultPlace(ctx: CommandContext, body: Readonly<Record<string, unknown>>): Promise<object> {
  if (body["connector"] !== undefined && body["network"] !== undefined) return {};
  const connectors = await listIntegrations(ctx, "connector", undefined, 100);
  const wanted = body["connector"];
  const usable = connectors.find(
    ({ id, networks }) => (wanted === undefined || id === wanted) && (networks ?? []).length > 0,
  );
  const network = body["network"] ?? usable?.networks?.[0];
  const connector = wanted ?? usable?.id;
  if (network !== undefined && connector !== undefined) return { network, connector };
  throw usageError("No connector with a network was found for the new device.", {
    next: 'Name both: --connector "name:…" --network "name:…".',
  });
}
