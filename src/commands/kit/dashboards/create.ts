import type { DashboardCreateInfo, Resources } from "../../../index.ts";
import type { JsonObject } from "../files/files.ts";

/** Creates a dashboard without widgets: they follow, and then their arrangement. Its settings come from a file. */
export async function createDashboard({ dashboards }: Resources, settings: JsonObject): Promise<string> {
  return (await dashboards.create(settings as unknown as DashboardCreateInfo)).dashboard;
}
