// Entities: schema, indexes and rows.
import type { EntityCreateInfo, EntityDataQuery, EntityInfo, Resources } from "iotdeck";

const entity: EntityCreateInfo = {
  name: "pumps",
  schema: { level: { action: "create", type: "float" }, note: { type: "string", required: false } },
  index: { level_idx: { fields: ["level"] } },
  tags: [{ key: "site", value: "north" }],
};
const query: EntityDataQuery = { filter: { level: "5" }, amount: 50, page: 1, index: "level_idx" };

export async function fill(resources: Resources): Promise<unknown[]> {
  const { id } = await resources.entities.create(entity);
  await resources.entities.editSchemaIndex(id, { schema: { note: { action: "rename", new_name: "text" } } });
  await resources.entities.sendEntityData(id, [{ level: 5 }, { level: 7, text: "full" }]);
  await resources.entities.editEntityData(id, { id: "1", level: 6 });
  await resources.entities.deleteEntityData(id, { ids: ["1"] });
  const info: EntityInfo = await resources.entities.info(id);
  const list = await resources.entities.list({ fields: ["id", "name"], filter: { name: "*pump*" } });
  const rows = await resources.entities.getEntityData(id, query);
  return [info.name, list.map(({ name }) => name), rows.map((row) => row["level"])];
}
