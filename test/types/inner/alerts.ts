// Types of 11.x, from the one module that has them all.
import { Analysis, Resources, Utils } from "iotdeck";
import type { ActionQuery, Data, DeviceListItem, TagoContext, UserInfo } from "iotdeck/lib/types";

interface Receiver extends UserInfo {
  otp?: unknown;
}

async function receivers(): Promise<Receiver[]> {
  const users = await Resources.run.listUsers({ fields: ["id"], filter: { active: true } });
  return Promise.all(users.map(({ id }) => Resources.run.userInfo(id)));
}

async function start(context: TagoContext, scope: Data[]): Promise<void> {
  const filter: ActionQuery["filter"] = { tags: [] };
  for (const { device } of scope) filter.tags?.push({ key: "device_id", value: device });
  const actions = await Resources.actions.list({ fields: ["id", "name"], filter });
  const environment = Utils.envToJson(context.environment);
  for (const { email } of await receivers()) context.log(email, actions.length, environment["site"] ?? "");
}

export const names = (rows: DeviceListItem<"name">[]): string[] => rows.map(({ name }) => name);
Analysis.use(start);
