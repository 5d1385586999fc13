import type { Resources } from "../../../index.ts";
import { isUnknownId } from "../resource/not-found.ts";

/** Whether the platform has the dashboard. */
export async function exists(client: Resources, id: string): Promise<boolean> {
  try {
    await client.dashboards.info(id);
    return true;
  } catch (error) {
    if (isUnknownId(error)) return false;
    throw error;
  }
}

/** Removes every dashboard with exactly this label: what work that broke off has left under a name of its own. */
export async function removeLabelled(client: Resources, label: string): Promise<void> {
  const found = await client.dashboards.list({ filter: { label }, fields: ["id", "label"], amount: 100 });
  for (const each of found) if (each.label === label) await removeDashboard(client, each.id);
}

/** Removes a dashboard; one that is gone is no failure. */
export async function removeDashboard(client: Resources, id: string): Promise<void> {
  try {
    await client.dashboards.delete(id);
  } catch (error) {
    if (!isUnknownId(error)) throw error;
  }
}

/** Removes a widget; one that is gone is no failure. */
export async function removeWidget(client: Resources, dashboard: string, id: string): Promise<void> {
  try {
    await client.dashboards.widgets.delete(dashboard, id);
  } catch (error) {
    if (!isUnknownId(error)) throw error;
  }
}
