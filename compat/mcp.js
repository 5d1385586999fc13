// Drives `iot mcp` with the client of the Model Context Protocol, inside `iot sandbox exec --tls`: every request of the
// server goes over https, with the certificate its environment names.
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { here } from "./install.js";
import { has, ID, match, ok } from "./kit.js";
import { rowsOf } from "./rows.js";

const program = join(dirname(here), "bin", "iot.js");

/** A client of its own server and sandbox, for as long as `use` takes. */
async function withClient(flags, use) {
  const client = new Client({ name: "iotdeck-compat", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, "sandbox", "exec", "--tls", "--", process.execPath, program, "mcp", ...flags],
      env: { PATH: process.env.PATH, HOME: process.env.HOME ?? "" },
      cwd: here,
      stderr: "ignore",
    }),
  );
  const ask = async (name, args = {}) => {
    const { isError, content } = await client.callTool({ name, arguments: args });
    const value = JSON.parse(content[0].text);
    if (isError) throw new Error(`${value.error.code}: ${value.error.message} ${value.error.why}`);
    return value;
  };
  try {
    await use(client, ask);
  } finally {
    await client.close();
  }
}

const failure = (promise) =>
  promise.then(
    () => "",
    ({ message }) => message,
  );

async function reading(row, client, ask) {
  const idOf = async (tool, name, key = "name") => (await ask(tool)).find((each) => each[key] === name)?.id;
  await row("tools/list", async () => {
    const { tools } = await client.listTools();
    ok(tools.length > 50, String(tools.length));
    ok(tools.every(({ annotations }) => annotations.readOnlyHint === true));
  });
  await row("status: the server speaks https", async () =>
    match((await ask("status")).api, /^https:\/\/127\.0\.0\.1:/),
  );
  await row("account_get", async () => has(await ask("account_get"), { email: "demo@example.test" }));
  await row("device_list", async () => ok((await ask("device_list", { limit: 3 })).length === 3));
  await row("device_get", async () =>
    has(await ask("device_get", { id: "name:Freezer 1" }), { name: "Freezer 1", id: ID }),
  );
  await row("device_data_list", async () => {
    const rows = await ask("device_data_list", { id: "name:Freezer 1", variable: ["temperature"], limit: 5 });
    ok(rows.length === 5 && rows.every(({ variable }) => variable === "temperature"), JSON.stringify(rows));
  });
  await row("dashboard_list, dashboard_get", async () => {
    const [{ id }] = await ask("dashboard_list");
    has(await ask("dashboard_get", { id }), { id });
  });
  await row("analysis_list, analysis_get", async () => {
    const [{ id }] = await ask("analysis_list");
    has(await ask("analysis_get", { id }), { id });
  });
  await row("entity_data_list", async () => {
    ok((await ask("entity_data_list", { id: await idOf("entity_list", "sites"), limit: 5 })).length === 5);
  });
  await row("dictionary_list, profile_list, file_list", async () => {
    for (const tool of ["dictionary_list", "profile_list"]) ok((await ask(tool)).length > 0, tool);
    ok(await ask("file_list"));
  });
  await row("what changes something is not served", async () =>
    match(await failure(ask("device_create", { name: "Never" })), /mcp\.read_only/),
  );
}

async function writing(row, client, ask) {
  const made = {};
  await row("tools/list with --allow-write", async () => {
    const { tools } = await client.listTools();
    ok(tools.find(({ name }) => name === "device_delete").annotations.destructiveHint);
  });
  await row("device_create", async () => {
    const connection = { network: "65a1000000000000000e0001", connector: "65a1000000000000000c0001" };
    made.id = (await ask("device_create", { name: "MCP probe", type: "mutable", ...connection })).id;
    match(made.id, ID);
  });
  await row("device_update", async () => {
    await ask("device_update", { id: made.id, description: "by a tool" });
    has(await ask("device_get", { id: made.id }), { description: "by a tool" });
  });
  await row("device_data_send, device_data_list", async () => {
    await ask("device_data_send", { id: made.id, values: ["temperature=21.5"], unit: "C" });
    has((await ask("device_data_list", { id: made.id }))[0], { variable: "temperature", value: 21.5, unit: "C" });
  });
  await row("device_param_set, device_param_list", async () => {
    await ask("device_param_set", { id: made.id, pairs: ["mode=eco"] });
    has((await ask("device_param_list", { id: made.id }))[0], { key: "mode", value: "eco" });
  });
  await row("device_delete wants a confirmation", async () => {
    match(await failure(ask("device_delete", { id: made.id })), /confirm/);
    await ask("device_delete", { id: made.id, confirm: "yes" });
    match(await failure(ask("device_get", { id: made.id })), /not_found|Not Found/i);
  });
}

/** Tells `report` of each call, like those of the packages. */
export async function runMcp(report) {
  await withClient(["--toolset", "all"], (client, ask) => reading(rowsOf("Reading", report), client, ask));
  await withClient(["--allow-write", "--toolset", "device"], (client, ask) =>
    writing(rowsOf("With --allow-write", report), client, ask),
  );
}
