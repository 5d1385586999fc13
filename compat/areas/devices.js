import { allOf, deepEqual, equal, has, ID, match, ok, refused, UUID } from "../kit.js";

export async function run(row, world) {
  const { resources, sdk, account } = world;
  const { devices } = resources;
  const made = {};

  await row("devices.create", async () => {
    const result = await devices.create({
      name: "Compat boiler",
      type: "mutable",
      connector: await world.idOf("integration/connector/", "Custom HTTPS"),
      network: await world.idOf("integration/network/", "HTTPS"),
      tags: [{ key: "compat", value: "boiler" }],
      configuration_params: [{ key: "limit", value: "90", sent: true }],
    });
    has(result, { device_id: ID, bucket_id: result.device_id, token: UUID });
    made.id = result.device_id;
    made.token = result.token;
  });
  await row("devices.create refuses a body without a name", () => refused(devices.create({}), /name|Body/i));
  await row("devices.info", async () =>
    has(await devices.info(made.id), {
      id: made.id,
      profile: world.profileId,
      name: "Compat boiler",
      type: "mutable",
      active: true,
      visible: true,
      tags: [{ key: "compat", value: "boiler" }],
      last_input: null,
      created_at: Date,
      updated_at: Date,
    }),
  );
  await row("devices.info of an unknown id", () =>
    refused(devices.info("65a1000000000000000d9999"), "Device Not Found"),
  );
  await row("devices.info of something that is no id", () => refused(devices.info("nonsense"), "Invalid Device ID"));
  await row("devices.list with filters", async () => {
    const filter = { name: "compat*", tags: [{ key: "compat", value: "boiler" }] };
    const [found, ...others] = await devices.list({ filter, fields: ["id", "name", "created_at"] });
    equal(others.length, 0);
    has(found, { id: made.id, name: "Compat boiler", created_at: Date });
    equal(found.type, undefined);
  });
  await row("devices.list by pages and order", async () => {
    const all = await devices.list({ amount: 1_000, orderBy: ["name", "desc"] });
    const names = all.map(({ name }) => name.toLowerCase());
    deepEqual(names, [...names].sort().reverse());
    const second = await devices.list({ amount: 5, page: 2, orderBy: ["name", "desc"] });
    deepEqual(
      second.map(({ id }) => id),
      all.slice(5, 10).map(({ id }) => id),
    );
    deepEqual(await devices.list({ page: 1_000 }), []);
  });
  await row("devices.list by a boolean and a date", async () => {
    const inactive = await devices.list({ filter: { active: false }, fields: ["name", "active"] });
    deepEqual(
      inactive.map(({ name }) => name),
      ["Retired gateway"],
    );
    const fresh = await devices.list({ filter: { created_at: "1 hour" }, fields: ["name"] });
    deepEqual(
      fresh.map(({ id }) => id),
      [made.id],
    );
  });
  await row("devices.list with the names of connectors", async () => {
    const [found] = await devices.list({
      filter: { id: made.id },
      resolveConnectorName: true,
      resolveBucketName: true,
    });
    has(found, { id: made.id });
  });
  await row("devices.list by serial number", async () => {
    const found = await devices.list({ serial: "0004A30B001C0530" });
    deepEqual(
      found.map(({ name }) => name),
      ["Soil probe"],
    );
  });
  await row("devices.listStreaming", async () => {
    const all = await devices.list({ amount: 1_000 });
    const streamed = await allOf(devices.listStreaming({}, { poolingRecordQty: 5, poolingTime: 1 }));
    deepEqual(new Set(streamed.map(({ id }) => id)), new Set(all.map(({ id }) => id)));
  });
  await row("devices.edit", async () => {
    equal(
      await devices.edit(made.id, {
        name: "Compat boiler 2",
        description: "hot",
        tags: [{ key: "compat", value: "2" }],
      }),
      "Successfully Updated",
    );
    has(await devices.info(made.id), {
      name: "Compat boiler 2",
      description: "hot",
      tags: [{ key: "compat", value: "2" }],
      active: true,
    });
  });
  await row("devices.paramSet adds", async () => {
    equal(await devices.paramSet(made.id, { key: "fan", value: "on", sent: false }), "Params Successfully Updated");
    equal(await devices.paramSet(made.id, [{ key: "a", value: "1" }]), "Params Successfully Updated");
  });
  await row("devices.paramList", async () => {
    const params = await devices.paramList(made.id);
    deepEqual(params.map(({ key, value, sent }) => [key, value, sent]).sort(), [
      ["a", "1", false],
      ["fan", "on", false],
      ["limit", "90", true],
    ]);
    for (const { id } of params) match(id, ID);
    deepEqual(
      (await devices.paramList(made.id, true)).map(({ key }) => key),
      ["limit"],
    );
    made.param = params.find(({ key }) => key === "fan").id;
  });
  await row("devices.paramSet edits", async () => {
    await devices.paramSet(made.id, { value: "off", sent: true }, made.param);
    const found = (await devices.paramList(made.id)).find(({ id }) => id === made.param);
    deepEqual(found, { id: made.param, key: "fan", value: "off", sent: true });
  });
  await row("devices.paramRemove", async () => {
    equal(await devices.paramRemove(made.id, made.param), "Successfully Removed");
    equal((await devices.paramList(made.id)).length, 2);
  });
  await row("devices.tokenCreate", async () => {
    const result = await devices.tokenCreate(made.id, { name: "Second", permission: "read", expire_time: "1 day" });
    has(result, { token: UUID, permission: "read", expire_date: Date });
    ok(Math.abs(+result.expire_date - Date.now() - 86_400_000) < 60_000);
    made.second = result.token;
  });
  await row("a token that may only read", async () => {
    const reader = new sdk.Device({ token: made.second });
    deepEqual(await reader.getData(), []);
    await refused(reader.sendData({ variable: "x", value: 1 }), "Authorization Denied");
  });
  await row("devices.tokenList", async () => {
    const list = await devices.tokenList(made.id, {
      fields: ["name", "token", "permission", "expire_time", "created_at"],
    });
    deepEqual(list.map(({ name, token, permission }) => [name, token, permission]).sort(), [
      ["Default", made.token, "full"],
      ["Second", made.second, "read"],
    ]);
    ok(list.every(({ created_at }) => created_at instanceof Date));
    has(
      list.find(({ name }) => name === "Second"),
      { expire_time: Date },
    );
  });
  await row("Utils.getTokenByName", async () => {
    equal(await sdk.Utils.getTokenByName(account, made.id, "Second"), made.second);
  });
  await row("Utils.getDevice", async () => {
    const device = await sdk.Utils.getDevice(account, made.id);
    has(await device.info(), { id: made.id, name: "Compat boiler 2" });
  });
  await row("devices.tokenDelete", async () => {
    equal(await devices.tokenDelete(made.second), "Token Successfully Removed");
    await refused(new sdk.Device({ token: made.second }).info(), "Authorization Denied");
  });
  await row("devices.amount", async () => {
    equal(await devices.amount(made.id), 0);
    equal(await devices.amount(await world.idOf("device", "Vibration logger")), 49_990);
  });
  await row("buckets.list, info, amount", async () => {
    const { buckets } = resources;
    ok((await buckets.list({ amount: 100 })).some(({ id }) => id === made.id));
    has(await buckets.info(made.id), { id: made.id, name: "Compat boiler 2" });
    equal(await buckets.amount(made.id), 0);
  });
  await row("tags.getTagKeys", async () => {
    const keys = await resources.tags.getTagKeys("device");
    ok(keys.includes("compat") && keys.includes("device_type"), JSON.stringify(keys));
  });
  await row("an inactive device refuses its own token", async () => {
    await devices.edit(made.id, { active: false });
    await refused(new sdk.Device({ token: made.token }).info(), "Device is deactivated");
    await devices.edit(made.id, { active: true });
  });
  await row("devices.delete of a protected one", async () => {
    await refused(devices.delete(await world.idOf("device", "Main meter")), "The main meter must not be deleted");
  });
  await row("devices.delete", async () => {
    equal(await devices.delete(made.id), "Successfully Removed");
    await refused(devices.info(made.id), "Device Not Found");
    await refused(new sdk.Device({ token: made.token }).info(), "Authorization Denied");
  });
}
