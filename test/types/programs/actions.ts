// Actions of several types.
import type { ActionCreateInfo, ActionQuery, Resources } from "iotdeck";

const alert: ActionCreateInfo = {
  name: "Full",
  type: "condition",
  active: true,
  trigger: [{ device: "d1", variable: "level", is: ">", value: "80", value_type: "number", unlock: false }],
  action: { type: "email", to: "jo@example.org", subject: "Tank", message: "Full" },
  tags: [{ key: "site", value: "north" }],
};
const query: ActionQuery = { page: 1, amount: 10, filter: { name: "*Full*" }, orderBy: ["name", "asc"] };

export async function arrange(resources: Resources): Promise<void> {
  const { action } = await resources.actions.create(alert);
  await resources.actions.create({ name: "Plain", action: { type: "script", script: ["61f1b8a4b3d2f4001a2b3c4d"] } });
  await resources.actions.edit(action, { type: "schedule", trigger: [{ cron: "0 8 * * *", timezone: new Date() }] });
  await resources.actions.edit(action, { action: { type: "post", url: "https://example.org", headers: { tries: 1 } } });
  const list = await resources.actions.list(query);
  const { trigger, last_triggered } = await resources.actions.info(list[0]?.id ?? action);
  console.log(trigger?.length, last_triggered);
}
