import { deepEqual, equal, has, ID, match, ok, refused } from "../kit.js";

export async function run(row, world) {
  const { entities } = world.resources;
  const made = {};

  await row("entities.create", async () => {
    const result = await entities.create({
      name: "compat_orders",
      schema: {
        customer: { type: "string", required: true },
        amount: { type: "int" },
        due: { type: "timestamp" },
        extra: { type: "json" },
      },
      index: { customer_amount: { fields: ["customer", "amount"] } },
      tags: [{ key: "compat", value: "1" }],
    });
    has(result, { id: ID });
    made.id = result.id;
  });
  await row("entities.info", async () => {
    const info = await entities.info(made.id);
    has(info, {
      id: made.id,
      name: "compat_orders",
      tags: [{ key: "compat", value: "1" }],
      created_at: Date,
      updated_at: Date,
    });
    has(info.schema.customer, { type: "string", required: true });
    ok(["id", "created_at", "updated_at"].every((field) => field in info.schema));
    deepEqual(info.index.customer_amount.fields, ["customer", "amount"]);
  });
  await row("entities.list", async () => {
    const found = await entities.list({ filter: { name: "compat_*" } });
    equal(found.length, 1);
    has(found[0], { id: made.id, name: "compat_orders", profile: world.profileId });
  });
  await row("entities.edit", async () => {
    const result = await entities.edit(made.id, { tags: [{ key: "compat", value: "2" }] });
    equal(result.message ?? result, "Entity Successfully Updated");
    has(await entities.info(made.id), { tags: [{ key: "compat", value: "2" }] });
  });
  await row("entities.sendEntityData", async () => {
    const rows = [
      { customer: "Ann", amount: 3, due: "2026-01-02T00:00:00.000Z", extra: { a: [1] } },
      { customer: "Ann", amount: 7 },
      { customer: "Bob", amount: 5 },
    ];
    equal(await entities.sendEntityData(made.id, rows), "3 Data Added");
    await refused(entities.sendEntityData(made.id, { amount: 1 }), /customer|Body/i);
  });
  await row("entities.getEntityData", async () => {
    const rows = await entities.getEntityData(made.id, { amount: 10 });
    equal(rows.length, 3);
    const ann = rows.find(({ amount }) => amount === 3);
    has(ann, { customer: "Ann", extra: { a: [1] }, created_at: Date, updated_at: Date });
    equal(new Date(ann.due).toISOString(), "2026-01-02T00:00:00.000Z");
    made.row = ann.id;
    equal(rows.find(({ customer }) => customer === "Bob").due, null);
  });
  await row("entities.getEntityData by index and prefix", async () => {
    const query = { index: "customer_amount", filter: { customer: "Ann" }, order_by: "asc" };
    deepEqual(
      (await entities.getEntityData(made.id, query)).map(({ amount }) => amount),
      [3, 7],
    );
    const range = { ...query, filter: { customer: "Ann", amount: { start: 5, end: 9 } } };
    deepEqual(
      (await entities.getEntityData(made.id, range)).map(({ amount }) => amount),
      [7],
    );
    await refused(entities.getEntityData(made.id, { index: "none" }), /Invalid index/i);
    await refused(entities.getEntityData(made.id, { index: "customer_amount", filter: { amount: 3 } }), /./);
  });
  await row("entities.editEntityData", async () => {
    equal(await entities.editEntityData(made.id, { id: made.row, amount: 4 }), "1 item(s) updated");
    const found = (await entities.getEntityData(made.id)).find(({ id }) => id === made.row);
    has(found, { amount: 4, customer: "Ann" });
  });
  await row("entities.amount", async () => equal(await entities.amount(made.id), 3));
  await row("entities.deleteEntityData", async () => {
    equal(await entities.deleteEntityData(made.id, { ids: [made.row] }), "1 item(s) deleted");
    equal(await entities.amount(made.id), 2);
  });
  await row("entities.editSchemaIndex", async () => {
    await entities.editSchemaIndex(made.id, {
      schema: { city: { action: "create", type: "string" } },
      index: { city_idx: { action: "create", fields: ["city"] } },
    });
    const { schema, index } = await entities.info(made.id);
    has(schema.city, { type: "string" });
    deepEqual(index.city_idx.fields, ["city"]);
  });
  await row("entities.renameField, updateField, deleteIndex, deleteField", async () => {
    await entities.renameField(made.id, "city", "town");
    ok("town" in (await entities.info(made.id)).schema);
    await entities.updateField(made.id, "town", { required: false });
    await entities.deleteIndex(made.id, "city_idx");
    await entities.deleteField(made.id, "town");
    const { schema, index } = await entities.info(made.id);
    ok(!("town" in schema) && !("city" in schema) && !("city_idx" in index));
  });
  await row("entities.emptyEntityData", async () => {
    equal(await entities.emptyEntityData(made.id), "Data Successfully Removed");
    equal(await entities.amount(made.id), 0);
  });
  await row("entities.delete", async () => {
    equal(await entities.delete(made.id), "Entity Successfully Removed");
    await refused(entities.info(made.id), "Entity Not Found");
  });
  await row("the entity of the seed", async () => {
    const [sites] = await entities.list({ filter: { name: "sites" } });
    equal(await entities.amount(sites.id), 2_000);
    const page = await entities.getEntityData(sites.id, { amount: 100, page: 20 });
    equal(page.length, 100);
    match(String(page[0].id), /./);
  });
}
