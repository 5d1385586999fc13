import type { Resources } from "../../../index.ts";
import { conflictError } from "../failures/command-error.ts";
import type { JsonObject } from "../files/files.ts";
import { dashboardBody, holds } from "./body.ts";
import { readWidget } from "./read.ts";

/** A widget as it was when the plan was made, and as it is to be. */
interface Replacement {
  readonly dashboard: string;
  readonly id: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Whether a widget is still to be written. Throws where it is gone, or somebody else changed it. */
export async function isToReplace(client: Resources, { dashboard, id, before, after }: Replacement): Promise<boolean> {
  const now = await readWidget(client, dashboard, id);
  if (now === undefined) throw conflictError(`Widget ${id} no longer exists.`, { code: "widget.gone" });
  if (holds(now, after)) return false;
  if (holds(now, before)) return true;
  throw conflictError("The widget changed since the plan was made.", { code: "widget.changed" });
}

/** Writes a new widget over the old one, unless it is there already. */
export async function replaceWidget(client: Resources, replacement: Replacement): Promise<void> {
  const { dashboard, id, after } = replacement;
  if (await isToReplace(client, replacement)) await client.dashboards.widgets.edit(dashboard, id, dashboardBody(after));
}
