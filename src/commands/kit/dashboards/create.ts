import type { DashboardCreateInfo, Resources } from "../../../index.ts";
import type { JsonObject } from "../files/files.ts";

/** Makes a dashboard without widgets: they follow, and then their places. Its settings are those of a file. */
export async function createDashboard({ dashboards }: Resources, settings: JsonObject): Promise<string> {
  return (await dashboards.create(settings as unknown as DashboardCreateInfo)).dashboard;
}
