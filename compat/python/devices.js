import { ID, UUID } from "../kit.js";

/** How the package names a list: every list method sends these unless told otherwise. */
export const listQuery = { page: 1, fields: ["id", "name"], filter: {}, amount: 20, orderBy: "name,asc" };

const seeded = {
  httpsNetwork: "65a1000000000000000e0001",
  httpsConnector: "65a1000000000000000c0001",
  ownNetwork: "65a1000000000000000e0003",
  ownConnector: "65a1000000000000000c0003",
  immutable: "65a1000000000000000d0002",
};

const named = (name) => (rows) => rows.some((row) => row.name === name);
const base64 = (text) => Buffer.from(text).toString("base64");
const connection = { connector: seeded.httpsConnector, network: seeded.httpsNetwork };

export async function devices(call) {
  const body = { name: "Python probe", type: "mutable", ...connection, tags: [{ key: "made", value: "python" }] };
  const { device_id: id } = await call("devices.create", "POST /device", {
    body: { ...body, description: null, configuration_params: [{ key: "rate", value: "60", sent: false }] },
    result: { device_id: ID, token: UUID },
  });
  await call("devices.listDevice", "GET /device", {
    query: listQuery,
    result: (rows) => rows.length > 1,
  });
  await call("devices.listDevice with a filter and booleans", "GET /device", {
    query: {
      ...listQuery,
      filter: { name: "Python*", active: true, tags: [{ key: "made", value: "python" }] },
      resolveBucketName: false,
      resolveConnectorName: true,
    },
    result: (rows) => rows.length === 1 && rows[0].id === id && rows[0].name === "Python probe",
  });
  await call("devices.info", `GET /device/${id}`, {
    result: { id, name: "Python probe", type: "mutable", active: true },
  });
  await call("devices.info of an unknown id", `GET /device/${"0".repeat(24)}`, { refused: /Not Found/ });
  await call("devices.edit", `PUT /device/${id}`, {
    body: { name: "Python meter", active: true },
    result: "Successfully Updated",
  });
  await call("devices.paramSet", `POST /device/${id}/params`, {
    body: { key: "mode", value: "eco", sent: false },
    result: /Updated/,
  });
  await call("devices.paramSet of several", `POST /device/${id}/params`, {
    body: [
      { key: "high", value: "9", sent: true },
      { key: "low", value: "1", sent: false },
    ],
    result: /Updated/,
  });
  const params = await call("devices.paramList", `GET /device/${id}/params`, {
    result: (rows) => ["rate", "mode", "high", "low"].every((key) => rows.some((row) => row.key === key)),
  });
  await call("devices.paramList of those sent", `GET /device/${id}/params`, {
    query: { sent_status: true },
    result: (rows) => rows.length === 1 && rows[0].key === "high",
  });
  await call("devices.paramRemove", `DELETE /device/${id}/params/${params[0]?.id}`, { result: /Removed/ });
  const { token } = await call("devices.tokenCreate", "POST /device/token", {
    body: { device: id, name: "Python token", permission: "full", expire_time: "never" },
    result: { token: UUID, permission: "full" },
  });
  await call("devices.tokenList", `GET /device/token/${id}`, {
    query: { ...listQuery, fields: ["name", "token", "permission"], orderBy: "created_at,desc" },
    result: named("Python token"),
  });
  await call("devices.tokenDelete", `DELETE /device/token/${token}`, { result: /Removed/ });
  await call("devices.amount", `GET /device/${id}/data_amount`, { result: 0 });
  const chunks = await call("devices.getChunk", `GET /device/${seeded.immutable}/chunk`, {
    result: (rows) => rows.length > 0 && rows[0].amount > 0,
  });
  await call("devices.copyChunk", `POST /device/${seeded.immutable}/chunk/copy`, {
    body: { chunk_id: chunks[0]?.id, headers: true, file_address: "python/$DEVICE$/$CHUNK$" },
  });
  await call("devices.deleteChunk", `DELETE /device/${seeded.immutable}/chunk/${chunks[0]?.id}`, { result: /deleted/ });
  await call("devices.delete", `DELETE /device/${id}`, { result: "Successfully Removed" });
}

export async function data(call, { tokens }) {
  const { device_id: id, token } = await call("(a device)", "POST /device", {
    body: { name: "Python data", type: "mutable", ...connection },
    result: { device_id: ID },
  });
  const own = { token };
  await call("Device.info", "GET /info", { ...own, result: { id, name: "Python data" } });
  await call("Device.sendData of one object", "POST /data", {
    ...own,
    body: {
      variable: "temperature",
      unit: "F",
      value: 55,
      time: "2015-11-03 13:44:33",
      location: { lat: 42.2974279, lng: -85.628292 },
    },
    result: "1 Data Added",
  });
  await call("Device.sendData with Python dates, and None where nothing is", "POST /data", {
    ...own,
    body: [
      { variable: "level", value: 1, time: "2026-01-02 03:04:05.123456", unit: null, metadata: null, location: null },
      { variable: "level", value: 2.5, time: "2026-01-02 03:05:05+00:00", group: "g1" },
      { variable: "level", value: true, serie: 1631814703672 },
    ],
    result: "3 Data Added",
  });
  const rows = await call("Device.getData", "GET /data", {
    ...own,
    query: { variables: ["level"], qty: 10, ordination: "ascending", details: false },
    result: (all) => all.length === 3 && all[0].value === 1 && all[0].time === "2026-01-02T03:04:05.123Z",
  });
  await call("Device.getData of several variables", "GET /data", {
    ...own,
    query: { variables: ["level", "temperature"], query: "last_value" },
    result: (all) => all.length === 2 && all.some(({ location }) => location?.type === "Point"),
  });
  await call("Device.getData between dates", "GET /data", {
    ...own,
    query: { variables: "level", start_date: "2026-01-02 03:04:00", end_date: "2026-01-02 03:04:59.999999", qty: 5 },
    result: (all) => all.length === 1,
  });
  // A bare number: the package makes no rows of it.
  await call("Device.getData count", "GET /data", { ...own, query: { variables: "level", query: "count" }, result: 3 });
  await call("Device.editData", "PUT /data", {
    ...own,
    body: { id: rows[0]?.id, value: "new value", unit: "new unit" },
    result: "1 item(s) updated",
  });
  await call("Device.getParameters", "GET /device/params", { ...own, result: [] });
  await call("devices.paramSet", `POST /device/${id}/params`, { body: { key: "led", value: "on", sent: false } });
  const [param] = await call("Device.getParameters(False)", "GET /device/params", {
    ...own,
    query: { sent_status: "false" },
    result: (all) => all.length === 1 && all[0].key === "led",
  });
  await call("Device.setParameterAsRead, without a body", `PUT /device/params/${param?.id}`, {
    ...own,
    result: /Updated/,
  });
  await call("Device.getParameters(True)", "GET /device/params", {
    ...own,
    query: { sent_status: "true" },
    result: (all) => all.length === 1 && all[0].sent === true,
  });
  await call("devices.getDeviceData", `GET /device/${id}/data`, {
    query: { variables: ["temperature"], query: "last_item", details: true },
    result: (all) => all[0].value === 55 && all[0].unit === "F",
  });
  await call("devices.sendDeviceData needs an analysis", `POST /device/${id}/data`, {
    body: { variable: "x", value: 1 },
    refused: /Authorization Denied/i,
  });
  await call("devices.sendDeviceData", `POST /device/${id}/data`, {
    token: tokens.analysis,
    body: [{ variable: "by_analysis", value: 1 }],
    result: "1 Data Added",
  });
  await call("devices.editDeviceData", `PUT /device/${id}/data`, {
    body: { id: rows[1]?.id, value: 9 },
    result: "1 item(s) updated",
  });
  await call("devices.deleteDeviceData", `DELETE /device/${id}/data`, {
    query: { variables: ["by_analysis"], qty: 10 },
    result: "1 Data Removed",
  });
  await call("Device.deleteData", "DELETE /data", { ...own, query: { ids: [rows[0]?.id] }, result: "1 Data Removed" });
  await call("devices.edit, a parser of one object", `PUT /device/${id}`, {
    body: {
      payload_decoder: base64('payload = [{ variable: "parsed", value: payload.find((row) => row.value).value }];'),
    },
  });
  await call("devices.dataBackup", `POST /device/${id}/data/backup`, {
    body: { file_address: "backup/$DEVICE$.csv", headers: true },
  });
  await call("Device.sendData through the parser", "POST /data", {
    ...own,
    body: { variable: "raw", value: 3 },
    result: "1 Data Added",
  });
  await call("Device.getData of what was parsed", "GET /data", {
    ...own,
    query: { variables: "parsed" },
    result: (all) => all[0].value === 3,
  });
  await call("devices.emptyDeviceData", `POST /device/${id}/empty`, { result: /Removed/ });
}

export async function networks(call) {
  await call("networks.listNetwork", "GET /integration/network/", { query: listQuery, result: named("HTTPS") });
  await call("networks.info", `GET /integration/network/${seeded.ownNetwork}`, {
    query: { fields: ["id", "name"] },
    result: { id: seeded.ownNetwork, name: "Plant gateway" },
  });
  await call("networks.edit", `PUT /integration/network/${seeded.ownNetwork}`, {
    body: { description: "Python" },
    result: "Network Successfully Updated",
  });
  const { token } = await call("networks.tokenCreate", "POST /integration/network/token", {
    body: { network: seeded.ownNetwork, name: "Python", permission: "full", expire_time: "never" },
    result: { token: /^n-/ },
  });
  await call("networks.tokenList", `GET /integration/network/token/${seeded.ownNetwork}`, {
    query: { ...listQuery, fields: ["name", "token"] },
    result: named("Python"),
  });
  const { network } = await call("networks.create", "POST /integration/network/", {
    body: { name: "Python network", description: null },
    result: { network: ID },
  });
  const { connector } = await call("connectors.create", "POST /integration/connector/", {
    body: { name: "Python connector", networks: [network] },
    result: { connector: ID },
  });
  await call("connectors.list", "GET /integration/connector/", { query: listQuery, result: (rows) => rows.length > 1 });
  await call("connectors.info", `GET /integration/connector/${connector}`, {
    query: { fields: ["id", "name"] },
    result: { name: "Python connector" },
  });
  await call("connectors.edit", `PUT /integration/connector/${connector}`, {
    body: { description: "plug" },
    result: "Connector Successfully Updated",
  });
  const serie = "PY0001";
  const { token: deviceToken } = await call("(a device with a serial number)", "POST /device", {
    body: {
      name: "Python serial",
      type: "mutable",
      serie_number: serie,
      network: seeded.ownNetwork,
      connector: seeded.ownConnector,
    },
    result: { token: UUID },
  });
  const { token: service } = await call("serviceAuthorization.tokenCreate", "POST /serviceauth", {
    body: { name: "Python", permission: "full" },
    result: { token: /./ },
  });
  await call("Network.info", "GET /info", { token, result: { id: seeded.ownNetwork } });
  await call("Network.resolveToken", `GET /integration/network/resolve/${serie}`, { token, result: deviceToken });
  await call("Network.resolveToken with an authorization", `GET /integration/network/resolve/${serie}/${service}`, {
    token,
    result: deviceToken,
  });
  await call("Network.deviceList", `GET /integration/network/${seeded.ownNetwork}/devices`, {
    token,
    query: { ...listQuery, amount: 100 },
    result: named("Python serial"),
  });
  await call("serviceAuthorization.tokenList", "GET /serviceauth", { query: listQuery, result: named("Python") });
  await call("serviceAuthorization.tokenEdit", `PUT /serviceauth/${service}`, { body: { verification_code: "abc" } });
  await call("serviceAuthorization.tokenDelete", `DELETE /serviceauth/${service}`, { result: /Removed/ });
  await call("networks.tokenDelete", `DELETE /integration/network/token/${token}`, { result: /Removed/ });
  await call("connectors.delete", `DELETE /integration/connector/${connector}`, {
    result: "Connector Successfully Deleted",
  });
  await call("networks.delete", `DELETE /integration/network/${network}`, { result: "Successfully Removed" });
}
