import { ApiError } from "../../../lib/core/errors.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { usageError } from "../failures/command-error.ts";
import { dashboardFinder } from "../finders/dashboard.ts";
import { deviceFinder } from "../finders/device.ts";
import { isUnknownId } from "../resource/not-found.ts";
import type { Finder } from "../resource/resolve-id.ts";
import { simpleFinder } from "../resource/simple-finder.ts";
import type { NamedReference, References } from "./content.ts";

/** Kinds of things widgets use. */
export type ReferenceKind = keyof References;

/** How the things that widgets use are found. */
export const finders: Readonly<Record<ReferenceKind, Finder>> = {
  devices: deviceFinder,
  analyses: simpleFinder({
    noun: "analysis",
    plural: "analyses",
    api: ({ analysis }) => analysis,
  }),
};

const fullId = /^[0-9a-f]{24}$/i;

/** Id of the thing on the platform: the same one, or the only one with its name. */
export async function lookForReference(
  to: CommandContext,
  kind: ReferenceKind,
  { id, name }: NamedReference,
): Promise<string | undefined> {
  if (fullId.test(id) && (await isThere(() => finders[kind].nameOf(to, id)))) return id;
  const found = (await finders[kind].find(to, { form: "name", name }, 20)).filter((each) => each.name === name);
  return found.length === 1 ? found[0]?.id : undefined;
}

// What belongs to somebody else is as far away as what does not exist.
async function isThere(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (isUnknownId(error) || (error instanceof ApiError && [400, 403].includes(error.status))) return false;
    throw error;
  }
}

/** Id of the dashboard that files belong to: the same one, else the only one with the label; undefined for a new one. */
export async function lookForDashboard(
  to: CommandContext,
  id: string,
  label: string,
): Promise<{ readonly id: string; readonly isSame: boolean } | undefined> {
  if (fullId.test(id) && (await isThere(() => dashboardFinder.nameOf(to, id)))) return { id, isSame: true };
  const found = (await dashboardFinder.find(to, { form: "name", name: label }, 20)).filter(
    ({ name }) => name === label,
  );
  const [only, ...others] = found;
  if (only === undefined) return undefined;
  if (others.length === 0) return { id: only.id, isSame: false };
  throw usageError(`Several dashboards have the label ${quote(label)}.`, {
    code: "usage.ambiguous_id",
    why: `Their ids are ${found.map((each) => each.id).join(", ")}; none is ${id}, the id in the files.`,
    next: "Choose one with --dashboard or in the --map-file.",
  });
}
