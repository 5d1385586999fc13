// Records for the calls of the OpenAPI file: each call gets fresh ones, so that none depends on another.
import { SEEDED } from "./seeded.js";

/** Makes a row of a text that is no JSON. */
const TEXT_PARSER = `if (!Array.isArray(payload)) payload = [payload];
payload = payload.map((row) => (row.variable ? row : { variable: "text", value: String(row.payload ?? row) }));`;

/** Makes a row of a text that is a serial number. */
const SERIAL_PARSER = `const text = Array.isArray(payload) ? payload[0]?.payload ?? payload[0] : payload;
if (typeof text === "string") payload = [{ variable: "text", value: text, metadata: { serial: text } }];`;

const encoded = (text) => Buffer.from(text).toString("base64");

/** One request; a body that is a string or a form is sent as it is. */
export async function send(sandbox, method, path, { token, body, contentType = "application/json" } = {}) {
  const isForm = body instanceof FormData;
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: { ...(token && { token }), ...(body !== undefined && !isForm && { "content-type": contentType }) },
    body: isForm || contentType !== "application/json" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    return { status: response.status, body: undefined };
  }
}

export async function createWorld(sandbox) {
  let count = 0;
  const next = () => {
    count += 1;
    return count;
  };

  const ask = async (method, path, body, token = sandbox.tokens.profile) => {
    const answer = await send(sandbox, method, path, { token, body });
    if (answer.body?.status !== true) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.result;
  };

  /** A device with a row, a parameter, a tag and a parser. */
  const device = async (more = {}) => {
    const { device_id: deviceID, token } = await ask("POST", "/device", {
      name: `Device ${next()}`,
      type: "mutable",
      description: "For one call",
      tags: [{ key: "type", value: "Smoke Detector" }],
      payload_decoder: encoded(TEXT_PARSER),
      configuration_params: [{ key: "url", value: "https://example.test" }],
      ...more,
    });
    const location = { lat: 35.77, lng: -78.67 };
    await ask("POST", "/data", [{ variable: "temperature", value: 16, unit: "C", location }], token);
    const [row] = await ask("GET", `/device/${deviceID}/data`);
    const [param] = await ask("GET", `/device/${deviceID}/params`);
    return { deviceID, device: deviceID, token, tokenID: token, paramID: param.id, rowID: row.id };
  };

  const user = async () => {
    const email = `user${next()}@example.test`;
    const person = { name: "Uma User", company: "Plant", phone: "+15555550100", language: "en" };
    const tags = [{ key: "role", value: "guest" }];
    const account = { email, password: "Secret-123", timezone: "UTC", active: true };
    const { user: userID } = await ask("POST", "/run/users", { ...person, ...account, tags });
    return { userID, run_user: userID, email };
  };

  const notification = async () => {
    const { userID } = await user();
    const body = { run_user: userID, title: "Low", message: "Too low", buttons: [{ id: "ok", label: "Fine" }] };
    const { id: notificationID } = await ask("POST", "/run/notification", body);
    return { userID, notificationID, run_user: userID };
  };

  /** The entity whose info and rows the file shows. */
  const entity = async () => {
    const field = (type) => ({ action: "create", type, required: false });
    const { id: entity_id } = await ask("POST", "/entity", {
      name: `Entity ${next()}`,
      schema: {
        charge_amount: field("int"),
        int_field: field("int"),
        monthly_revenue: field("float"),
        update_date: field("timestamp"),
        update_new_date: field("timestamp"),
      },
      index: { index_charge_amount: { action: "create", fields: ["charge_amount"] } },
      tags: [{ key: "active", value: "yes" }],
    });
    const rows = [1, 2].map((n) => ({ monthly_revenue: 2345.34 * n, update_date: "2024-11-01T03:00:00.000Z" }));
    await ask("POST", `/entity/${entity_id}/data`, rows);
    const stored = await ask("GET", `/entity/${entity_id}/data?index=id_idx`);
    return { entity_id, rowIDs: stored.map(({ id }) => id), rowID: stored[0].id };
  };

  const widget = async () => {
    const { deviceID } = await device();
    const { dashboard: dashboardID } = await ask("POST", "/dashboard", {
      label: `Dashboard ${next()}`,
      type: "dashboard",
      arrangement: [],
    });
    const data = [{ origin: deviceID, query: "last_value", variables: ["temperature"] }];
    const theme = { color: { background: "#fff", button: "#fff", dot: "#fff", header: "#fff" } };
    const variables = [{ origin: deviceID, variable: "temperature" }];
    const shown = { header_buttons: [], help: "", show_units: true, show_variables: true, theme, variables };
    const body = { label: "Card", type: "card", display: shown, data, realtime: true, analysis_run: SEEDED.analysis };
    const { widget: widgetID } = await ask("POST", `/dashboard/${dashboardID}/widget`, body);
    const arrangement = [{ widget_id: widgetID, x: 0, y: 0, width: 1, height: 3, tab: null }];
    const condition = [{ key: "type", value: "Smoke Detector" }];
    const blueprint = { id: SEEDED.device, name: "sensor", conditions: condition, filter_conditions: [] };
    const more = { setup: {}, icon: { color: "#fff", url: "" }, background: {}, blueprint_devices: [blueprint] };
    await ask("PUT", `/dashboard/${dashboardID}`, { arrangement, ...more });
    return { dashboardID, dashboard: dashboardID, widgetID, origin: deviceID, variable: "temperature" };
  };

  const policy = async () => {
    const permissions = [{ effect: "allow", action: ["access"], resource: ["device"] }];
    const { am_id } = await ask("POST", "/am", { name: `Rule ${next()}`, permissions, targets: [["run_user"]] });
    return { am_id };
  };

  const dictionary = async () => {
    const slug = `D${next()}`;
    const body = { name: slug, slug, fallback: "en-US", languages: [{ code: "en-US", active: true }] };
    const { dictionary: dictionary_id } = await ask("POST", "/dictionary", body);
    await ask("PUT", `/dictionary/${dictionary_id}/en-US`, { dictionary: { KEY: "Text" }, active: true });
    return { dictionary_id, slug_or_dictionary_id: dictionary_id, language: "en-US" };
  };

  /** A device of a network whose token the call carries. */
  const networkDevice = async () => {
    const serieNumber = `SERIAL${next()}`;
    const { ownNetwork: network, ownConnector: connector } = SEEDED;
    const made = await device({ network, connector, serie_number: serieNumber });
    const { token } = await ask("POST", "/serviceauth", { name: serieNumber, permission: "full" });
    return { ...made, serieNumber, AuthorizationKey: token };
  };

  const backup = async () => {
    await ask("POST", `/profile/${SEEDED.profile}/backup`);
    for (;;) {
      const [made] = await ask("GET", `/profile/${SEEDED.profile}/backup?orderBy=created_at,desc`);
      if (made?.status === "completed") return { backup_id: made.id };
    }
  };

  const file = async () => {
    const content = encoded("temperature,1\n");
    await ask(
      "POST",
      "/files",
      ["layer05.png", "July_data/31072024_data.csv"].map((filename) => ({ filename, file: content })),
    );
    return {};
  };

  await ask("PUT", `/integration/network/${SEEDED.ownNetwork}`, { payload_decoder: encoded(SERIAL_PARSER) });

  /** Which records a path needs, the first that fits. */
  const makers = [
    [/\{dashboardID\}/, widget],
    [/^\/(?:info|data|device)/, device],
    [/^\/run\/notification/, notification],
    [/\{userID\}/, user],
    [/^\/entity/, entity],
    [/\{am_id\}/, policy],
    [/\{backup_id\}|\/backup$/, backup],
    [/^\/dictionary/, dictionary],
    [/^\/integration/, networkDevice],
    [/^\/files/, file],
  ];

  const opening = { network: SEEDED.ownNetwork, name: "Calls", permission: "full", expire_time: "never" };
  const { token: networkToken } = await ask("POST", "/integration/network/token", opening);

  return {
    sandbox,
    networkToken,
    ask,
    next,
    device,
    /** Values by the names of the file: for path parts and for ids in bodies. */
    values: async ({ path }) => {
      const [, make] = makers.find(([pattern]) => pattern.test(path)) ?? [];
      return { ...SEEDED, profile_id: SEEDED.profile, id: SEEDED.profile, type: "device", ...(await make?.()) };
    },
  };
}
