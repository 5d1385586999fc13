import { deepEqual, equal, has, ID, ok, refused } from "../kit.js";

export async function run(row, world) {
  const { resources, sdk } = world;
  const { accessManagement } = resources;
  const made = {};
  const { id: device } = await world.newDevice("Compat guarded", { tags: [{ key: "area", value: "north" }] });
  const { user } = await resources.run.userCreate({
    name: "Compat Guarded",
    email: "guarded@example.test",
    password: "Secret-123",
    timezone: "UTC",
    active: true,
    tags: [{ key: "area", value: "north" }],
  });
  const { token } = await resources.run.loginAsUser(user);
  const asUser = new sdk.Resources({ token });
  const names = async () => (await asUser.devices.list({ amount: 100 })).map(({ name }) => name);

  await row("without a rule a portal user sees nothing", async () => {
    deepEqual(await names(), []);
    await refused(asUser.devices.info(device), "Authorization Denied");
  });
  await row("accessManagement.create", async () => {
    const result = await accessManagement.create({
      name: "Compat rule",
      targets: [["run_user", "id", user]],
      permissions: [{ effect: "allow", action: ["access"], resource: ["device", "tag_match", "area"] }],
    });
    has(result, { am_id: ID });
    made.id = result.am_id;
  });
  await row("a rule by tag_match opens what carries the same tag", async () => {
    deepEqual(await names(), ["Compat guarded"]);
    has(await asUser.devices.info(device), { id: device });
    await refused(asUser.devices.info(await world.idOf("device", "Freezer 1")), "Authorization Denied");
    await refused(asUser.devices.edit(device, { name: "Mine" }), "Authorization Denied");
  });
  await row("accessManagement.info", async () => {
    const info = await accessManagement.info(made.id);
    has(info, {
      id: made.id,
      name: "Compat rule",
      active: true,
      targets: [["run_user", "id", user]],
      created_at: Date,
    });
    equal(info.permissions.length, 1);
  });
  await row("accessManagement.list", async () => {
    const found = await accessManagement.list({ filter: { name: "compat*" } });
    equal(found.length, 1);
    has(found[0], { id: made.id, name: "Compat rule" });
    equal(found[0].permissions, undefined);
  });
  await row("accessManagement.edit: a denial wins", async () => {
    const permissions = [
      { effect: "allow", action: ["access"], resource: ["device"] },
      { effect: "deny", action: ["access"], resource: ["device", "id", device] },
    ];
    equal(await accessManagement.edit(made.id, { permissions }), "Access Management Successfully Updated");
    const seen = await names();
    ok(seen.includes("Freezer 1") && !seen.includes("Compat guarded"), seen.join());
  });
  await row("an inactive rule opens nothing", async () => {
    await accessManagement.edit(made.id, { active: false });
    deepEqual(await names(), []);
  });
  await row("accessManagement.delete", async () => {
    ok(/Access Management Successfully Deleted|Successfully Removed/.test(await accessManagement.delete(made.id)));
    await refused(accessManagement.info(made.id), "Access Management Not Found");
  });
}
