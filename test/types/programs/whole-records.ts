// Lists without fields, whose rows the official types promise whole.
import { type ActionInfo, type DashboardInfo, type DictionaryInfo, Resources, type SecretsInfo } from "iotdeck";

const resources = new Resources({ token: "p-token" });

export async function dashboards(): Promise<string[]> {
  const list: DashboardInfo[] = await resources.dashboards.list({ amount: 50 });
  return list.map((dashboard) => `${dashboard.label} ${dashboard.created_at.toISOString()}`);
}
export async function actions(): Promise<ActionInfo[]> {
  const list = await resources.actions.list();
  return list.filter((action) => action.active && action.type === "condition");
}
export async function others(): Promise<(DictionaryInfo | Pick<SecretsInfo, "id" | "key">)[]> {
  const rules = await resources.accessManagement.list();
  const connectors = await resources.integration.connectors.list();
  console.log(rules[0]?.targets, connectors[0]?.public, (await resources.tagocores.list())[0]?.machine_id);
  return [...(await resources.dictionaries.list()), ...(await resources.secrets.list())];
}
