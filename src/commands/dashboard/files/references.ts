import type { Resources } from "../../../index.ts";
import type { References } from "../../kit/dashboards/content.ts";

/** The devices and analyses a dashboard of the platform uses, with their names. */
export async function dashboardReferences({ dashboards }: Resources, id: string): Promise<References> {
  const [devices, analyses] = await Promise.all([
    dashboards.listDevicesRelated(id),
    dashboards.listAnalysisRelated(id),
  ]);
  return { devices: named(devices), analyses: named(analyses) };
}

function named(rows: readonly { readonly id: string; readonly name: string }[]): { id: string; name: string }[] {
  return rows.map(({ id, name }) => ({ id, name })).sort((a, b) => (a.id < b.id ? -1 : 1));
}
