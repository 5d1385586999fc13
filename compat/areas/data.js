import { allOf, base64, deepEqual, equal, has, ID, match, ok, refused } from "../kit.js";

const DAY_MS = 86_400_000;
const startOfToday = Math.floor(Date.now() / DAY_MS) * DAY_MS;
/** Ten readings, one an hour, of the day before yesterday. */
const firstMs = startOfToday - 2 * DAY_MS;
const at = (hour) => new Date(firstMs + hour * 3_600_000);
const readings = Array.from({ length: 10 }, (_, hour) => ({
  variable: "Level",
  value: hour,
  unit: "cm",
  group: `g${hour}`,
  time: at(hour),
  ...(hour === 4 && { location: { lat: 45.5, lng: 9.25 }, metadata: { color: "red" } }),
}));
const values = (rows) => rows.map(({ value }) => value);

export async function run(row, world) {
  const { resources, sdk } = world;
  const { devices } = resources;
  const { id, device } = await world.newDevice("Compat tank");

  await row("device.sendData", async () => {
    equal(await device.sendData(readings), "10 Data Added");
    equal(await device.sendData({ variable: "state", value: "full" }), "1 Data Added");
    equal(await device.sendData({ variable: "valve", value: true }), "1 Data Added");
  });
  await row("device.sendData refuses a row without a variable", () =>
    refused(device.sendData({ value: 1 }), /variable|Body/i),
  );
  await row("device.info", async () =>
    has(await device.info(), { id, name: "Compat tank", last_input: Date, created_at: Date }),
  );
  await row("getData, plain page", async () => {
    const rows = await device.getData({ variables: "level" });
    deepEqual(values(rows), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    has(rows[9], { id: ID, device: id, variable: "level", value: 0, unit: "cm", group: "g0", time: at(0) });
    equal(rows[9].created_at, undefined);
    deepEqual(rows[5].location, { type: "Point", coordinates: [9.25, 45.5] });
    deepEqual(rows[5].metadata, { color: "red" });
  });
  await row("getData keeps the type of a value", async () => {
    deepEqual(values(await device.getData({ variables: ["state", "valve"], qty: 1 })), ["full", true]);
  });
  await row("getData with details", async () =>
    has((await device.getData({ details: true }))[0], { created_at: Date }),
  );
  await row("getData by qty, skip and ordination", async () => {
    deepEqual(values(await device.getData({ variables: "level", qty: 3, skip: 2 })), [7, 6, 5]);
    deepEqual(values(await device.getData({ variables: "level", qty: 3, ordination: "ascending" })), [0, 1, 2]);
  });
  await row("getData by dates", async () => {
    deepEqual(values(await device.getData({ variables: "level", start_date: at(3), end_date: at(5) })), [5, 4, 3]);
    equal((await device.getData({ variables: "level", start_date: "1 day" })).length, 0);
    const day = at(0).toISOString().slice(0, 10);
    equal((await device.getData({ variables: "level", start_date: day, end_date: day })).length, 10);
  });
  await row("getData by group, value and id", async () => {
    const [found] = await device.getData({ groups: "g4" });
    has(found, { value: 4, group: "g4" });
    deepEqual(values(await device.getData({ variables: "level", values: ["4", 7] })), [7, 4]);
    deepEqual(await device.getData({ ids: [found.id] }), [found]);
  });
  await row("getData last_item, first_item", async () => {
    deepEqual(values(await device.getData({ variables: ["level"], query: "last_item" })), [9]);
    deepEqual(values(await device.getData({ variables: ["level"], query: "first_item" })), [0]);
  });
  await row("getData last_value, first_value", async () => {
    deepEqual(values(await device.getData({ variables: ["level", "state"], query: "last_value" })), [9, "full"]);
    deepEqual(values(await device.getData({ variables: ["level"], query: "first_value" })), [0]);
  });
  await row("getData last_location, first_location", async () => {
    deepEqual(values(await device.getData({ variables: ["level"], query: "last_location" })), [4]);
    deepEqual(values(await device.getData({ variables: ["level"], query: "first_location" })), [4]);
  });
  await row("getData last_insert, first_insert", async () => {
    equal((await device.getData({ variables: ["level"], query: "last_insert" })).length, 1);
    equal((await device.getData({ variables: ["level"], query: "first_insert" })).length, 1);
  });
  await row("getData min, max", async () => {
    deepEqual(values(await device.getData({ variables: ["level"], query: "min", start_date: at(0) })), [0]);
    deepEqual(values(await device.getData({ variables: ["level"], query: "max", start_date: at(0) })), [9]);
  });
  await row("getData count, avg, sum", async () => {
    const range = { variables: ["level"], start_date: at(0), end_date: at(10) };
    const [count] = await device.getData({ ...range, query: "count" });
    equal(count.value, 10);
    ok(count.time instanceof Date);
    equal((await device.getData({ ...range, query: "avg" }))[0].value, 4.5);
    equal((await device.getData({ ...range, query: "sum" }))[0].value, 45);
    await refused(device.getData({ query: "avg", variables: ["level"] }), /start_date/);
  });
  await row("getData aggregate", async () => {
    const rows = await device.getData({
      variables: ["level"],
      query: "aggregate",
      interval: "day",
      function: "sum",
      start_date: at(0),
      end_date: at(10),
    });
    equal(rows.length, 1);
    has(rows[0], { variable: "level", value: 45, device: id });
    equal(+new Date(rows[0].time), firstMs);
  });
  await row("getData conditional", async () => {
    const rows = await device.getData({
      variables: ["level"],
      query: "conditional",
      function: "gte",
      value: 7,
      start_date: at(0),
      end_date: at(10),
    });
    deepEqual(values(rows), [9, 8, 7]);
  });
  await row("getData of an unknown query", () => refused(device.getData({ query: "nonsense" }), /Invalid query/));
  await row("getDataStreaming", async () => {
    const rows = await allOf(device.getDataStreaming({ variables: "level" }, { poolingRecordQty: 4, poolingTime: 1 }));
    deepEqual(values(rows), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
  await row("sendDataStreaming", async () => {
    const rows = Array.from({ length: 25 }, (_, value) => ({ variable: "flood", value }));
    equal(await device.sendDataStreaming(rows, { poolingRecordQty: 10, poolingTime: 1 }), "25 Data added.");
    equal((await device.getData({ variables: "flood", query: "count" }))[0].value, 25);
  });
  await row("device.editData", async () => {
    const [found] = await device.getData({ groups: "g9" });
    equal(await device.editData({ id: found.id, value: 90 }), "1 item(s) updated");
    const [changed] = await device.getData({ ids: found.id });
    deepEqual(changed, { ...found, value: 90 });
  });
  await row("device.deleteData", async () => {
    equal(await device.deleteData({ variables: "flood", qty: 20 }), "20 Data Removed");
    equal(await device.deleteData({ variables: "level", groups: "g0" }), "1 Data Removed");
    equal((await device.getData({ variables: "level", query: "count" }))[0].value, 9);
  });
  await row("device.getParameters, setParameterAsRead", async () => {
    await devices.paramSet(id, { key: "mode", value: "eco", sent: false });
    const [param] = await device.getParameters("onlyUnRead");
    has(param, { id: ID, key: "mode", value: "eco", sent: false });
    match(await device.setParameterAsRead(param.id), /updated/i);
    deepEqual(await device.getParameters("onlyUnRead"), []);
    equal((await device.getParameters("onlyRead")).length, 1);
  });
  await row("devices.sendDeviceData needs an analysis", async () => {
    await refused(devices.sendDeviceData(id, { variable: "x", value: 1 }), "Authorization Denied");
    const analysis = new sdk.Resources({ token: world.tokens.analysis });
    equal(await analysis.devices.sendDeviceData(id, [{ variable: "by_analysis", value: 1 }]), "1 Data Added");
    equal(
      await analysis.devices.sendDeviceDataStreaming(id, [{ variable: "by_analysis", value: 2 }], { poolingTime: 1 }),
      "1 Data added.",
    );
  });
  await row("devices.getDeviceData", async () => {
    deepEqual(values(await devices.getDeviceData(id, { variables: "by_analysis", ordination: "ascending" })), [1, 2]);
    const [count] = await devices.getDeviceData(id, { variables: "by_analysis", query: "count" });
    equal(count.value, 2);
  });
  await row("devices.getDeviceDataStreaming", async () => {
    const stream = devices.getDeviceDataStreaming(id, { variables: "level" }, { poolingRecordQty: 4, poolingTime: 1 });
    deepEqual(values(await allOf(stream)), [1, 2, 3, 4, 5, 6, 7, 8, 90]);
  });
  await row("devices.editDeviceData", async () => {
    const [found] = await devices.getDeviceData(id, { variables: "by_analysis", qty: 1 });
    equal(await devices.editDeviceData(id, { id: found.id, unit: "bar" }), "1 item(s) updated");
    has((await devices.getDeviceData(id, { ids: found.id }))[0], { value: found.value, unit: "bar" });
  });
  await row("devices.deleteDeviceData", async () => {
    equal(await devices.deleteDeviceData(id, { variables: "by_analysis", qty: 10 }), "2 Data Removed");
  });
  await row("devices.emptyDeviceData", async () => {
    equal(await devices.emptyDeviceData(id), "Data Successfully Removed");
    equal(await devices.amount(id), 0);
  });
  await row("a parser runs on what arrives", async () => {
    const payload_decoder = base64(
      'payload = payload.map((row) => ({ ...row, variable: "parsed_" + row.variable, value: Number(row.value) * 2 }));',
    );
    await devices.edit(id, { payload_decoder });
    await device.sendData({ variable: "raw", value: 21 });
    const [found] = await device.getData({ variables: "parsed_raw" });
    has(found, { value: 42 });
    await devices.edit(id, { payload_decoder: null });
  });
  await row("immutable data cannot be changed", async () => {
    const meter = await world.idOf("device", "Water meter");
    const [found] = await devices.getDeviceData(meter, { variables: "flow", qty: 1 });
    await refused(
      devices.editDeviceData(meter, { id: found.id, value: 1 }),
      "You cannot edit data on immutable device",
    );
    await refused(devices.deleteDeviceData(meter, { qty: 1 }), "Data in immutable devices cannot be deleted");
    await refused(devices.getDeviceData(meter, { ids: [found.id] }), /not supported on Immutable/);
  });
  await row("devices.getChunk, deleteChunk", async () => {
    const station = await world.idOf("device", "Weather station");
    const chunks = await devices.getChunk(station);
    ok(chunks.length >= 3);
    has(chunks[0], { id: /^\d+_\d+$/, from: /\+00:00$/, to: /\+00:00$/ });
    ok(chunks[0].amount > 0);
    equal(await devices.deleteChunk(station, chunks[0].id), `Chunk ${chunks[0].id} deleted`);
    equal((await devices.getChunk(station)).length, chunks.length - 1);
  });
}
