import { once } from "node:events";
import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { callTool } from "../../src/commands/mcp/call.ts";
import { commandTools } from "../../src/commands/mcp/tools.ts";
import { run } from "../../src/commands/program/run.ts";
import { nouns } from "../../src/commands/registry.ts";
import { cliEnvironment, cliPath, runCli, startCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_DEVICE_TOKENS, SEED_DEVICES } from "../helpers/seed.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** All that a server can serve. */
const everything = { allowWrite: true, hasFiles: true };
const allTools = await commandTools(nouns, everything);

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** The way to a server that runs inside this process. */
class HereTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  readonly #env: Readonly<Record<string, string>>;
  readonly #flags: readonly string[];
  readonly #input = new PassThrough();
  readonly #output = new ReadBuffer();
  #ended: Promise<void> | undefined;

  constructor(env: Readonly<Record<string, string>>, flags: readonly string[]) {
    this.#env = env;
    this.#flags = flags;
  }

  async start(): Promise<void> {
    const onOutput = (bytes: Buffer): void => {
      this.#output.append(bytes);
      for (let message = this.#output.readMessage(); message !== null; message = this.#output.readMessage())
        this.onmessage?.(message);
    };
    const options = { env: this.#env, stdin: this.#input, onOutput };
    this.#ended = runHere(["mcp", ...this.#flags], options).then(() => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#input.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#input.end();
    await this.#ended;
  }
}

/** The official client, and the server inside this process. */
const connect = (...flags: readonly string[]): Promise<Client> => connectWith(here.env, flags);

async function connectWith(env: Readonly<Record<string, string>>, flags: readonly string[]): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  clients.push(client);
  await client.connect(new HereTransport(env, flags));
  return client;
}

/** The official client, and the server in a process of its own. */
async function connectProcess(...flags: readonly string[]): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [await cliPath(), "mcp", ...flags],
    env: cliEnvironment(here.env),
    cwd: temporaryFolder(),
    stderr: "ignore",
  });
  await client.connect(transport);
  return client;
}

let reader: Promise<Client> | undefined;

/** One server with every tool, for the tests that leave it as it is. */
function shared(): Promise<Client> {
  reader ??= connectProcess("--toolset", "all");
  return reader;
}
afterAll(async () => (await reader)?.close());

interface Answer {
  readonly isError: boolean;
  /** The JSON document. */
  readonly value: unknown;
  readonly texts: readonly string[];
}

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args }, undefined, signal === undefined ? {} : { signal });
  const content = result.content as readonly { readonly type: string; readonly text: string }[];
  const texts = content.map(({ text }) => text);
  return { isError: result.isError === true, value: JSON.parse(texts[0] ?? "null"), texts };
}

interface ErrorObject {
  readonly code: string;
  readonly exit: number;
  readonly why: string;
  readonly next: string;
  readonly confirm?: string;
}
const errorOf = ({ value }: Answer): ErrorObject => (value as { readonly error: ErrorObject }).error;

describe("iot mcp, reading", () => {
  it("lists one tool for each command that reads, with a schema of its arguments", { tags: ["slow"] }, async () => {
    const client = await shared();
    expect(client.getServerVersion()).toMatchObject({ name: "iotdeck" });
    expect(client.getInstructions()).toContain("is read-only");
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    expect(names).toEqual(
      expect.arrayContaining(["device_list", "device_data_list", "dashboard_get", "analysis_console"]),
    );
    expect(names.filter((name) => /_(create|update|delete|send|set|deploy|run|token)$/.test(name))).toEqual([]);
    expect(names.filter((name) => /^(mcp|alias|completion|sandbox|auth_(login|token)|api)/.test(name))).toEqual([]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools.find(({ name }) => name === "device_list")?.inputSchema).toMatchObject({
      type: "object",
      properties: {
        name: { type: ["string", "number"] },
        active: { type: "boolean" },
        tag: { type: "array" },
        limit: {},
      },
      additionalProperties: false,
    });
    const watch = tools.find(({ name }) => name === "device_watch");
    for (const flag of ["save", "exec"]) expect(watch?.inputSchema.properties).not.toHaveProperty(flag);
  });

  it("answers with the JSON of the command", async () => {
    const client = await connect("--toolset", "device,analyses");
    const { stdout } = await runHere(["device", "list", "--active", "--tag", "site=plant", "--json"], {
      env: here.env,
    });
    expect((await call(client, "device_list", { active: true, tag: ["site=plant"] })).value).toEqual(
      JSON.parse(stdout),
    );
    expect((await call(client, "device_list", { limit: 2, fields: ["id"] })).value).toHaveLength(2);
    expect((await call(client, "device_get", { id: "name:Freezer 1" })).value).toMatchObject({
      id: SEED_DEVICES.freezer,
    });
    const { tools } = await client.listTools();
    expect(tools.every(({ name }) => /^(device|analysis)_/.test(name))).toBe(true);
  });

  it("tells an argument and a flag of one name apart", { tags: ["slow"] }, async () => {
    const client = await shared();
    const rows = (await call(client, "device_data_list", { id: "name:Freezer 1", limit: 2 })).value;
    expect(rows).toMatchObject([{ device: SEED_DEVICES.freezer }, { device: SEED_DEVICES.freezer }]);
    const [, second] = rows as readonly { readonly id: string }[];
    const one = { id: "name:Freezer 1", flag_id: [second?.id] };
    expect((await call(client, "device_data_list", one)).value).toEqual([second]);
  });

  it("answers with the error object of the contract", async () => {
    const client = await shared();
    const unknown = await call(client, "device_get", { id: "0123456789abcdef01234567" });
    expect({ isError: unknown.isError, error: errorOf(unknown) }).toMatchObject({
      isError: true,
      error: { code: "device.not_found", exit: 6, why: expect.stringContaining("returned 404") },
    });
    for (const args of [
      { idd: "x" },
      { id: 7, limit: true },
      {},
      { id: ["a", "b"] },
      { id: "--yes" },
      { id: "a\0b" },
    ]) {
      const wrong = await call(client, "device_get", args);
      expect({ args, isError: wrong.isError, exit: errorOf(wrong).exit }).toEqual({ args, isError: true, exit: 2 });
    }
    const refused = await call(client, "device_delete", { id: ["x"], confirm: "yes" });
    expect({ isError: refused.isError, code: errorOf(refused).code }).toEqual({ isError: true, code: "mcp.read_only" });
    for (const name of ["no_such_tool", "auth_login", "analysis_dev", "sandbox_exec"])
      await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(`Unknown tool "${name}"`);
  });

  it("hides tokens and secrets", async () => {
    const client = await shared();
    const { texts } = await call(client, "device_token_list", { id: SEED_DEVICES.freezer });
    expect(texts.join("")).toContain("…");
    expect(texts.join("")).not.toContain(SEED_DEVICE_TOKENS.freezer);
    const made = await runHere(["analysis", "env", "set", "name:report", "MAIL_PASSWORD=-"], {
      env: here.env,
      stdin: "hunter2hunter2hunter2",
    });
    expect(made.code).toBe(0);
    expect((await call(client, "analysis_env_list", { name: "name:report" })).texts.join("")).not.toContain("hunter2");
  });

  it("ends a call that was cancelled, and goes on with others", async () => {
    const client = await shared();
    const stop = new AbortController();
    const before = here.requests().length;
    const watched = call(client, "device_watch", { ids: [SEED_DEVICES.freezer], for: "1h" }, stop.signal);
    const refused = expect(watched).rejects.toThrow();
    await waitFor(
      () =>
        here
          .requests()
          .slice(before)
          .some((line) => line.includes("/events")),
      "the stream",
    );
    expect((await call(client, "device_list", { limit: 1 })).value).toHaveLength(1);
    stop.abort();
    await refused;
    const again = Array.from({ length: 6 }, () => call(client, "device_list", { limit: 1 }));
    expect((await Promise.all(again)).every(({ isError }) => !isError)).toBe(true);
  });

  it("lets a command that follows end by itself", { tags: ["slow"] }, async () => {
    const client = await shared();
    const { value, isError } = await call(client, "device_watch", { ids: ["name:Freezer 1"], for: "300ms" });
    expect({ value, isError }).toEqual({ value: [], isError: false });
  });

  it("serves a sandbox of its own with --sandbox", { tags: ["slow"] }, async () => {
    const client = await connect("--sandbox");
    const before = here.requests().length;
    expect(client.getInstructions()).toContain("a sandbox (http://127.0.0.1:");
    expect((await call(client, "device_list", { limit: 3 })).value).toHaveLength(3);
    expect(here.requests()).toHaveLength(before);
  });
});

describe("iot mcp, its toolsets", () => {
  const toolsOf = async (...flags: string[]) => (await (await connect(...flags)).listTools()).tools;
  const bytesOf = (tools: object): number => Buffer.byteLength(JSON.stringify({ tools }));

  it("serves a small set by default, a third of all or less", async () => {
    const tools = await toolsOf();
    const all = (await (await shared()).listTools()).tools;
    const names = tools.map(({ name }) => name);
    expect(names).toHaveLength(25);
    expect(names).toEqual(
      expect.arrayContaining(["device_list", "device_data_list", "dashboard_get", "profile_summary"]),
    );
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(bytesOf(tools) * 3).toBeLessThan(bytesOf(all));
    expect(await toolsOf("--toolset", "default")).toEqual(tools);
  });

  it("adds everyday changes with --allow-write, and nothing that deletes", async () => {
    const tools = await toolsOf("--allow-write");
    const changes = tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name);
    expect(changes.toSorted()).toEqual([
      "action_disable",
      "action_enable",
      "analysis_run",
      "device_create",
      "device_data_send",
      "device_param_set",
      "device_update",
    ]);
    expect(tools).toHaveLength(25 + changes.length);
  });

  it("combines the default set with nouns, each tool once", async () => {
    const names = (await toolsOf("--toolset", "default,billing,devices")).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining(["billing_summary", "device_token_list", "dashboard_list", "analysis_console"]),
    );
    expect(names).not.toContain("dashboard_diff");
    expect((await toolsOf("--toolset", "all,billing")).length).toBeGreaterThan(80);
  });

  it("says how to get a tool that is not in the set", async () => {
    const client = await connect();
    const answer = await call(client, "billing_summary");
    expect(errorOf(answer)).toMatchObject({ code: "mcp.not_served", next: expect.stringContaining("default,billing") });
    expect(errorOf(await call(client, "billing_subscription_update")).code).toBe("mcp.read_only");
    const writer = await connect("--allow-write");
    expect(errorOf(await call(writer, "device_delete", { id: ["x"] })).code).toBe("mcp.not_served");
  });
});

describe("iot mcp, its resources", () => {
  it("lists devices and dashboards page by page, each once", async () => {
    const own = await sandboxUnderTest({ seed: "empty" });
    try {
      const client = await connectWith(own.env, []);
      expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        "iot://device/{id}",
        "iot://dashboard/{id}",
      ]);
      const rows = Array.from({ length: 51 }, (_, i) => `Pump ${i},mutable\n`);
      await own.json(["device", "import", "-"], { stdin: `name,type\n${rows.join("")}` });
      await own.json(["dashboard", "create", "--label", "Board \u202e"]);
      const pages: string[][] = [];
      for (let cursor: string | undefined; ; ) {
        const { resources, nextCursor } = await client.listResources(cursor === undefined ? {} : { cursor });
        pages.push(resources.map(({ uri, name }) => `${uri.split("/")[2]} ${name}`));
        if (nextCursor === undefined) break;
        cursor = nextCursor;
      }
      expect(pages.map(({ length }) => length)).toEqual([50, 1, 1]);
      expect(new Set(pages.flat()).size).toBe(52);
      expect(pages[2]).toEqual(["dashboard Board U+202E"]);
      for (const cursor of ["", "9.1", "0.0", "x", "0.1.1", "-1.1"])
        await expect(client.listResources({ cursor })).rejects.toMatchObject({ code: -32602 });
    } finally {
      await own.close();
    }
  });

  it("reads one as the JSON of its command, with secrets masked even with --allow-write", async () => {
    const client = await connect("--allow-write");
    const { resources } = await client.listResources();
    const uri = `iot://device/${SEED_DEVICES.freezer}`;
    expect(resources).toContainEqual(expect.objectContaining({ uri, name: "Freezer 1", mimeType: "application/json" }));
    const token = "a-0123abcd-0123-4567-89ab-0123456789ab";
    await here.json(["device", "update", SEED_DEVICES.freezer, "--description", `see ${token}`]);
    const { contents } = await client.readResource({ uri });
    const text = (contents as readonly { readonly text: string }[])[0]?.text ?? "";
    expect(contents).toMatchObject([{ uri, mimeType: "application/json" }]);
    expect(JSON.parse(text)).toMatchObject({ id: SEED_DEVICES.freezer, name: "Freezer 1" });
    expect(text).not.toContain(token);
    const board = resources.find((one) => one.uri.startsWith("iot://dashboard/"));
    expect(board).toBeUndefined();
    const [{ id = "" } = {}] = await here.json<{ id: string }[]>(["dashboard", "list"]);
    const dashboard = await client.readResource({ uri: `iot://dashboard/${id}` });
    expect(JSON.parse((dashboard.contents as { text: string }[])[0]?.text ?? "")).toMatchObject({ id });
  });

  it("rejects addresses that name nothing, with the code of the protocol", async () => {
    const client = await connect();
    const before = here.requests().length;
    for (const uri of [
      "iot://device/name:Freezer 1",
      "iot://device/../profile",
      `iot://device/${SEED_DEVICES.freezer}/token`,
      `iot://secret/${SEED_DEVICES.freezer}`,
      `file:///etc/passwd`,
      "x",
    ])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32002 });
    expect(here.requests()).toHaveLength(before);
    await expect(client.readResource({ uri: "iot://device/0123456789abcdef01234567" })).rejects.toMatchObject({
      code: -32002,
    });
  });

  it("has only those whose tools are served", async () => {
    const boards = await connect("--toolset", "dashboard");
    expect((await boards.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    await expect(boards.readResource({ uri: `iot://device/${SEED_DEVICES.freezer}` })).rejects.toThrow("not found");
    const without = await connect("--toolset", "billing");
    expect(without.getServerCapabilities()).toEqual({ tools: {} });
  });
});

describe("iot mcp --allow-write", () => {
  it("masks the tokens of lists, and shows the one that a call creates", async () => {
    const client = await connect("--allow-write", "--toolset", "all");
    const { tools } = await client.listTools();
    expect(tools.filter(({ inputSchema }) => "reveal" in (inputSchema.properties ?? {}))).toEqual([]);
    expect(tools.map(({ name }) => name)).not.toContain("analysis_token");
    const made = await call(client, "device_token_create", { id: SEED_DEVICES.freezer, name: "by a tool" });
    const { token } = made.value as { token: string };
    const listed = await call(client, "device_token_list", { id: SEED_DEVICES.freezer });
    expect(listed.texts.join("")).toContain(`${token.slice(0, 4)}…${token.slice(-4)}`);
    for (const secret of [token, SEED_DEVICE_TOKENS.freezer]) expect(listed.texts.join("")).not.toContain(secret);
    const revealed = await call(client, "device_token_list", { id: SEED_DEVICES.freezer, reveal: true });
    expect(errorOf(revealed)).toMatchObject({ exit: 2 });
  });

  it("carries out changes; what cannot be taken back needs a confirmation", async () => {
    const client = await connect("--allow-write", "--toolset", "device");
    const { tools } = await client.listTools();
    const remove = tools.find(({ name }) => name === "device_delete");
    expect(remove?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(remove?.inputSchema.properties).toHaveProperty("confirm");
    const watch = tools.find(({ name }) => name === "device_watch");
    expect(watch?.inputSchema.properties).not.toHaveProperty("exec");
    expect(tools.find(({ name }) => name === "device_create")?.annotations).toMatchObject({ destructiveHint: false });

    const made = await call(client, "device_create", { name: "Made by a tool", tag: ["site=9"] });
    expect(made.isError).toBe(false);
    const { id } = made.value as { id: string };
    expect(made.texts[1]).toContain('Created device "Made by a tool"');
    const unconfirmed = await call(client, "device_delete", { id: [id] });
    expect(errorOf(unconfirmed)).toMatchObject({ code: "confirm.needed", exit: 2 });
    const dry = await call(client, "device_delete", { id: [id], dry_run: true });
    expect(dry.value).toEqual([{ method: "DELETE", path: `/device/${id}` }]);
    expect((await call(client, "device_get", { id })).isError).toBe(false);
    const gone = await call(client, "device_delete", { id: [id], confirm: true });
    expect(gone.value).toEqual([{ id, name: "Made by a tool" }]);
    const many = await call(client, "device_delete", {
      id: [SEED_DEVICES.siloNorth, SEED_DEVICES.siloEast],
      confirm: "yes",
    });
    expect(errorOf(many)).toMatchObject({ exit: 2 });
  });

  it("takes a text for stdin", async () => {
    const client = await connect("--allow-write", "--toolset", "device");
    const body = { name: "From stdin", tags: [{ key: "a", value: "b" }] };
    const { value } = await call(client, "device_create", { input: "-", stdin: JSON.stringify(body) });
    expect(value).toMatchObject(body);
  });

  it("asks for a confirmation where the command would ask, and says what it would do", async () => {
    const client = await connect("--allow-write", "--toolset", "device");
    const one = await call(client, "device_update", { id: SEED_DEVICES.siloNorth, description: "by a tool" });
    expect(one).toMatchObject({ isError: false, value: { description: "by a tool" } });
    const many = { tag: ["device_type=silo"], set_tag: ["floor=2"] };
    const asked = errorOf(await call(client, "device_update", many));
    expect(asked).toMatchObject({ code: "confirm.needed", message: expect.stringMatching(/^Update \d+ devices/) });
    expect(asked).toMatchObject({ why: 'The call has no "confirm" for it.' });
    const yes = { ...many, confirm: asked.confirm ?? "yes" };
    expect(asked.next).toContain(`"confirm": ${JSON.stringify(yes.confirm)}.`);
    expect((await call(client, "device_update", yes)).isError).toBe(false);
    const remove = { tag: ["device_type=silo"] };
    const wrong = errorOf(await call(client, "device_delete", { ...remove, confirm: "no such name" }));
    expect(wrong).toMatchObject({ code: "confirm.wrong_name", next: expect.stringContaining('"confirm": "') });
    const named = await call(client, "device_delete", { ...remove, confirm: wrong.confirm, dry_run: true });
    expect(named.isError).toBe(false);
  });

  it("offers a confirmation wherever a command may ask for one", async () => {
    const unsafe = allTools.filter(
      ({ command, isConfirmed }) => /^(delete|empty|restore)$/.test(command.path.at(-1) ?? "") && !isConfirmed,
    );
    expect(unsafe.map(({ name }) => name)).toEqual([]);
    for (const { inputSchema, isConfirmed } of allTools)
      expect("confirm" in (inputSchema["properties"] as object)).toBe(isConfirmed);
  });
});

describe("iot mcp in its environment", () => {
  /** Runs a call of a server that may write, here. */
  async function callHere(name: string, args: object, opened?: string) {
    const tool = allTools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    const setup = { env: cliEnvironment(here.env), cwd: temporaryFolder(), flags: [], allowWrite: true, run };
    const named = opened === undefined ? setup : { ...setup, opened };
    const { isError, texts } = await callTool(tool, args, named, new AbortController().signal);
    return { isError, text: texts.join("\n") };
  }

  it("creates nothing twice with if_missing, and tells of a name that is taken", async () => {
    const first = await callHere("analysis_create", { name: "By a tool", if_missing: true });
    const id = /"id": ?"(\w{24})"/.exec(first.text)?.[1];
    const again = await callHere("analysis_create", { name: "By a tool", if_missing: true });
    expect(again).toMatchObject({ isError: false, text: expect.stringContaining(`already exists (${id})`) });
    const second = await callHere("analysis_create", { name: "By a tool" });
    expect(second).toMatchObject({
      isError: false,
      text: expect.stringContaining(`is already taken by analysis ${id}`),
    });
  });

  it("has no tool with an argument that names another environment or profile", async () => {
    const leading = allTools.flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema["properties"] as Record<string, { readonly description?: string }>)
        .filter(
          ([member, { description = "" }]) =>
            /^((to_)?env|(to_)?profile|of|addon_profile)$/.test(member) ||
            /\benvironment (to|that)\b|^profile(:| whose)|profile that (gets|loses)|, or current/.test(description),
        )
        .map(([member]) => `${name} ${member}`),
    );
    expect(leading).toEqual([]);
  });

  it.each(["dashboard_copy", "dashboard_apply", "dashboard_import", "dashboard_diff"])(
    "refuses another environment for %s, nested or not",
    async (name) => {
      const before = here.requests().length;
      const given = name === "dashboard_copy" ? { id: "name:Plant overview" } : {};
      for (const more of [
        { to_env: "prod" },
        { "to-env": "prod" },
        { env: "prod" },
        { profile: "65a1000000000000000f0002" },
        { args: { to_env: "prod" } },
        { args: ["--to-env=prod"] },
        { map_file: { to_env: "prod" } },
        { map_file: ["--to-env", "prod"] },
      ]) {
        const { isError, text } = await callHere(name, { ...given, ...more, confirm: "yes" });
        expect({ more, isError, isUsage: text.includes('"exit":2') }).toEqual({ more, isError: true, isUsage: true });
      }
      expect(here.requests()).toHaveLength(before);
    },
  );

  it("takes a flag among the ids for an id", async () => {
    const { isError, text } = await callHere("device_delete", { id: ["--env=prod", "--profile=x"], confirm: "yes" });
    expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringContaining("--env=prod") });
  });

  it("never serves commands about the program, its login, its environments, its settings and other profiles", async () => {
    const names = allTools.map(({ name }) => name);
    expect(
      names.filter((name) => /^(auth|env|config|alias|mcp|sandbox|init|doctor|completion|api)(_|$)/.test(name)),
    ).toEqual([]);
    expect(names.filter((name) => /^profile_(get|update|delete|switch)$/.test(name))).toEqual([]);
  });

  it("asks for the name of a protected environment at the start, once", async () => {
    const { url, eventsUrl, tokens } = here.sandbox;
    const env = { IOT_CONFIG_DIR: temporaryFolder() };
    await runHere(["env", "add", "prod", "--api-url", url, "--events-url", eventsUrl, "--protected", "--use"], { env });
    await runHere(["auth", "login", "--with-token"], { env, stdin: tokens.profile });
    for (const flags of [[], ["--confirm", "staging"]]) {
      const refused = await runHere(["mcp", "--allow-write", ...flags], { env });
      expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("prod (Demo Plant)") });
    }
    const client = await connectWith(env, ["--allow-write", "--confirm", "prod", "--toolset", "device"]);
    expect(client.getInstructions()).toContain("prod (Demo Plant)");
    expect((await call(client, "device_create", { name: "Served", type: "mutable" })).isError).toBe(false);
    expect(errorOf(await call(client, "device_delete", { id: ["name:Served"] })).code).toBe("confirm.needed");
    expect((await call(client, "device_delete", { id: ["name:Served"], confirm: "yes" })).isError).toBe(false);
  });

  it("stays there when the settings are changed meanwhile", async () => {
    const { url, eventsUrl, tokens } = here.sandbox;
    const env = { IOT_CONFIG_DIR: temporaryFolder() };
    await runHere(["env", "add", "staging", "--api-url", url, "--events-url", eventsUrl, "--use"], { env });
    await runHere(["auth", "login", "--with-token"], { env, stdin: tokens.profile });
    await runHere(["env", "add", "elsewhere", "--api-url", "http://127.0.0.1:9"], { env });
    const client = await connectWith(env, []);
    await runHere(["env", "use", "elsewhere"], { env });
    expect((await call(client, "device_list", { limit: 1 })).isError).toBe(false);
  });
});

describe("iot mcp, the process", () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  };
  const lines = (...messages: readonly object[]): string =>
    messages.map((message) => `${JSON.stringify(message)}\n`).join("");

  it("prints nothing but JSON-RPC, one message on a line, whatever text the platform holds", {
    tags: ["slow"],
  }, async () => {
    const name = "\u001b]0;owned\u0007\u202e\u0085 \u2028 end";
    const body = JSON.stringify({ name, tags: [{ key: "hostile", value: "\u001b[2J\nx" }] });
    const made = await runHere(["device", "create", "--input", "-"], { env: here.env, stdin: body });
    expect(made.code).toBe(0);
    const input = lines(
      initialize,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "device_list", arguments: { tag: ["hostile"] } } },
      { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "device_get", arguments: { id: name } } },
    );
    const { code, stdout, stderr } = await runCli(["mcp"], { env: here.env, stdin: `${input}this is no JSON\n` });
    expect(code).toBe(0);
    const messages = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { jsonrpc: string; id: number; result: unknown });
    expect(messages.map(({ jsonrpc, id }) => [jsonrpc, id]).sort()).toEqual([
      ["2.0", 1],
      ["2.0", 2],
      ["2.0", 3],
    ]);
    for (const mark of ["\u001b", "\u202e", "\u0085", "\u2028"]) expect(stdout + stderr).not.toContain(mark);
    const listed = messages.find(({ id }) => id === 2)?.result as { content: { text: string }[] };
    expect(JSON.parse(listed.content[0]?.text ?? "")).toMatchObject([{ name }]);
    expect(stderr).toContain("warning: Could not read a message");
  });

  it("ends with its input, and with a signal", { tags: ["slow", "posix"] }, async () => {
    expect(await runCli(["mcp"], { env: here.env })).toMatchObject({ code: 0, stdout: "" });
    const child = await startCli(["mcp"], { env: here.env });
    let talk = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      talk += chunk.toString();
    });
    const ended = new Promise((resolve) => child.on("close", resolve));
    await waitFor(() => talk.includes("Serving"), "the start");
    child.kill("SIGTERM");
    expect(await ended).toBe(143);
  });

  it("ends quietly when whoever started it is gone", { tags: ["slow"] }, async () => {
    const child = await startCli(["mcp"], { env: here.env });
    let talk = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      talk += chunk.toString();
    });
    const ended = new Promise((resolve) => child.on("close", resolve));
    await waitFor(() => talk.includes("Serving"), "the start");
    const { stdout } = child;
    if (stdout === null) throw new Error("The program has no stdout");
    const closed = once(stdout, "close");
    stdout.destroy();
    await closed;
    child.stdin?.write(lines(initialize));
    expect(await ended).toBe(0);
    expect(talk).not.toContain("error:");
  });

  it("needs a credential, and known toolsets", async () => {
    const { IOT_TOKEN: _, ...env } = here.env;
    expect(await runHere(["mcp"], { env })).toMatchObject({ code: 4, stdout: "" });
    expect(await runHere(["mcp", "--toolset", "devise"], { env: here.env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"device"'),
    });
  });

  it("knows a noun for every tool", async () => {
    const names = new Set(nouns.map(({ name }) => name));
    expect(allTools.filter(({ noun }) => !names.has(noun))).toEqual([]);
  });
});
