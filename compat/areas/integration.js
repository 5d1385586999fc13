import { createServer } from "node:http";
import { deepEqual, equal, has, ID, match, ok, refused, UUID } from "../kit.js";

export async function run(row, world) {
  const { resources, sdk } = world;
  const { connectors, networks } = resources.integration;
  const made = {};

  await row("networks.create", async () => {
    const result = await networks.create({
      name: "Compat network",
      description: "wires",
      middleware_endpoint: "127.0.0.1",
    });
    has(result, { network: ID });
    made.network = result.network;
  });
  await row("networks.info", async () => {
    const info = await networks.info(made.network, ["id", "name", "middleware_endpoint"]);
    has(info, { id: made.network, name: "Compat network", middleware_endpoint: "127.0.0.1" });
    equal(info.description, undefined);
  });
  await row("networks.list", async () => {
    const names = (await networks.list({ amount: 100 })).map(({ name }) => name);
    ok(names.includes("Compat network") && names.includes("HTTPS"), names.join());
    const own = (await networks.list({ amount: 100, filter: { public: false } })).map(({ name }) => name);
    ok(own.includes("Compat network") && !own.includes("HTTPS"), own.join());
  });
  await row("networks.edit", async () => {
    equal(await networks.edit(made.network, { description: "wireless" }), "Network Successfully Updated");
    has(await networks.info(made.network, ["description"]), { description: "wireless" });
  });
  await row("networks.tokenCreate, tokenList", async () => {
    const result = await networks.tokenCreate(made.network, {
      name: "Compat",
      permission: "full",
      expire_time: "never",
    });
    has(result, { token: /^n-/, name: "Compat", network: made.network });
    made.networkToken = result.token;
    has((await networks.tokenList(made.network))[0], { token: result.token, name: "Compat" });
  });
  await row("connectors.create", async () => {
    const result = await connectors.create({ name: "Compat connector", networks: [made.network] });
    has(result, { connector: ID });
    made.connector = result.connector;
  });
  await row("connectors.info, list", async () => {
    has(await connectors.info(made.connector), {
      id: made.connector,
      name: "Compat connector",
      networks: [made.network],
      created_at: Date,
    });
    const found = await connectors.list({ filter: { name: "compat*" } });
    deepEqual(
      found.map(({ id }) => id),
      [made.connector],
    );
  });
  await row("connectors.edit", async () => {
    equal(await connectors.edit(made.connector, { description: "plug" }), "Connector Successfully Updated");
    has(await connectors.info(made.connector), { description: "plug" });
  });
  await row("Network resolves a device by its serial", async () => {
    const network = new sdk.Network({ token: made.networkToken });
    has(await network.info(), { id: made.network, name: "Compat network" });
    const { device_id: id, token } = await resources.devices.create({
      name: "Compat meter",
      type: "mutable",
      network: made.network,
      connector: made.connector,
      serie_number: "C0FFEE01",
    });
    made.device = id;
    equal(await network.resolveToken("C0FFEE01"), token);
    match(await network.resolveToken("C0FFEE01"), UUID);
    await refused(network.resolveToken("NONE"), /./);
  });
  await row("Network.deviceList, deviceParamSet", async () => {
    const network = new sdk.Network({ token: made.networkToken });
    const found = await network.deviceList(made.network, { amount: 100 });
    has(
      found.find(({ id }) => id === made.device),
      { name: "Compat meter", token: UUID, created_at: Date },
    );
    match(await network.deviceParamSet(made.device, { key: "slave", value: "3", sent: true }), /Updated/);
    has((await resources.devices.paramList(made.device))[0], { key: "slave", value: "3" });
  });
  await row("Network.publishToRelay", async () => {
    const before = (await world.outbox()).length;
    const network = new sdk.Network({ token: made.networkToken });
    const options = { topic: "compat/relay", message: "turn", qos: 0, retain: false, device: made.device };
    match(String(await network.publishToRelay(options)), /./);
    match(JSON.stringify((await world.outbox())[before]), /compat\/relay/);
  });
  if (world.url.startsWith("https:")) {
    await row("Utils.sendDownlink over https", async () => {
      const device = await world.idOf("device", "Soil probe");
      const result = await sdk.Utils.sendDownlink(resources, device, { payload: "0B", port: 2 });
      equal(result, "Downlink accepted with status 200");
      match(JSON.stringify((await world.outbox()).at(-1)), /"payload":"0B"/);
    });
  }
  await row("Utils.sendDownlink reaches the endpoint of the network", async () => {
    // The peers always speak https there; whatever listens sees the first byte of a TLS greeting and the call fails.
    const seen = [];
    const server = createServer().on("connection", (socket) =>
      socket.on("data", (bytes) => seen.push(bytes[0])).on("error", () => {}),
    );
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      await networks.edit(made.network, { middleware_endpoint: `127.0.0.1:${server.address().port}` });
      const device = await world.idOf("device", "Soil probe");
      const change = { network: made.network, connector: made.connector };
      await refused(resources.devices.edit(device, change), /tokens/);
      for (const { token } of await resources.devices.tokenList(device)) await resources.devices.tokenDelete(token);
      await resources.devices.edit(device, change);
      const serie_number = "C0FFEE02";
      await resources.devices.tokenCreate(device, { name: "Compat", permission: "full", serie_number });
      // What a network server does at the first uplink.
      const { token } = await resources.serviceAuthorization.tokenCreate({ name: "Compat uplink", permission: "full" });
      await new sdk.Network({ token: made.networkToken }).resolveToken(serie_number, token);
      await refused(sdk.Utils.sendDownlink(resources, device, { payload: "0A", port: 1 }), /./);
      equal(seen[0], 22);
      const params = await resources.devices.paramList(device);
      has(
        params.find(({ key }) => key === "downlink"),
        { value: "0A", sent: false },
      );
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
  await row("networks.tokenDelete", async () => {
    equal(await networks.tokenDelete(made.networkToken), "Token Successfully Removed");
    await refused(new sdk.Network({ token: made.networkToken }).info(), "Authorization Denied");
  });
  await row("connectors.delete", async () => {
    await resources.devices.delete(made.device);
    equal(await connectors.delete(made.connector), "Connector Successfully Deleted");
    await refused(connectors.info(made.connector), "Connector Not Found");
  });
  await row("networks.delete", async () => {
    equal(await networks.delete(made.network), "Successfully Removed");
    await refused(networks.info(made.network), "Network Not Found");
  });
  await row("tagocores.list, info, edit", async () => {
    const { tagocores } = resources;
    const list = await tagocores.list();
    equal(list.length, 2);
    has(await tagocores.info(list[0].id, true), { id: list[0].id, name: /./ });
    match(await tagocores.edit(list[0].id, { name: "Compat core" }), /Updated/);
    has(await tagocores.info(list[0].id), { name: "Compat core" });
    match((await tagocores.tokenGenerate(list[0].id)).token ?? "x", /./);
    ok(Array.isArray(await tagocores.standaloneDeviceList(list[0].id)));
  });
  if (world.version >= 12) {
    await row("sql.create, info, list, edit, execute, tables, delete", async () => {
      const { sql } = resources;
      has((await sql.tables()).tables[0], { function: "device", tag_form: "device_tag" });
      const device = await world.idOf("device", "Soil probe");
      const query = `SELECT count(d.id) AS n FROM device('${device}') AS d`;
      await refused(sql.create({ name: "Compat query", query: "SELECT 1 AS one" }), /at least one table/);
      const { id } = await sql.create({ name: "Compat query", query, tags: [] });
      match(id, ID);
      has(await sql.info(id), { id, name: "Compat query", created_at: Date });
      ok((await sql.list({ amount: 100 })).some((each) => each.id === id));
      await sql.edit(id, { name: "Compat query 2", query });
      has(await sql.info(id), { name: "Compat query 2", version: 1 });
      has(await sql.execute(id), { columns: [{ name: "n", type: "integer" }], row_count: 1 });
      deepEqual(await sql.delete(id), { id });
    });
  }
}
