import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { startTerminal } from "../helpers/terminal.ts";

interface Created {
  readonly id: string;
  readonly name: string;
  readonly token?: string;
  readonly connector: string;
  readonly payload_decoder?: string | null;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
}

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterEach(() => here.sandbox.faults.set([]));
afterAll(() => here.close());

const parser = fileURLToPath(new URL("../../examples/parser/parser.js", import.meta.url));
const create = <T = Created>(...flags: readonly string[]): Promise<T> => here.json(["device", "create", ...flags]);
const get = (id: string): Promise<Created> => here.json(["device", "get", id]);

describe("device create", () => {
  it("prints the token of the new device with --show-token, and otherwise says how to see it", async () => {
    const { id, token } = await create("--name", "Shown", "--show-token");
    const [known] = await here.json<{ token: string }[]>(["device", "token", "list", id, "--reveal"]);
    expect(token).toBe(known?.token);
    const plain = await here.iot(["device", "create", "--name", "Hidden", "--json"]);
    expect(JSON.parse(plain.stdout)).not.toHaveProperty("token");
    expect(plain.stderr).toContain("iot device token list");
    const { code, stderr } = await here.iot(["device", "create", "--name", "Shown", "--show-token", "--if-missing"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("no new token") });
  });

  it("sets the parser with --parser, and refuses a script that is none before anything is created", async () => {
    const { id } = await create("--name", "Parsed", "--parser", parser);
    const { payload_decoder: stored } = await get(id);
    expect(Buffer.from(stored ?? "", "base64").toString("utf8")).toBe(readFileSync(parser, "utf8"));
    const before = here.requests().length;
    const refused = await here.iot(["device", "create", "--name", "Broken", "--parser", "-"], { stdin: "payload = [" });
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining("valid"),
    });
    const both = await here.iot(["device", "create", "--input", "-", "--parser", "-"], { stdin: '{"name":"Both"}' });
    expect({ code: both.code, stderr: both.stderr }).toEqual({ code: 2, stderr: expect.stringContaining("both read") });
    expect(here.requests().slice(before)).not.toContain("POST /device");
  });

  it("says that the device exists when it cannot be read after its creation", async () => {
    here.sandbox.faults.set([{ route: "GET /device/*", kind: "status", status: 403, count: 1 }]);
    const { code, stdout, stderr } = await here.iot(["device", "create", "--name", "Unread"]);
    expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
    const [, id = ""] =
      /The device (\w{24}) was created, but reading it failed; "iot device get \w+"/.exec(stderr) ?? [];
    expect((await get(id)).name).toBe("Unread");
  });

  it("reads the connector that is named, which a list of the first hundred may lack", async () => {
    const [{ id = "" } = {}] = await here.json<{ id: string }[]>(["connector", "list", "--name", "Custom HTTPS"]);
    const before = here.requests().length;
    expect((await create("--name", "Placed", "--connector", id)).connector).toBe(id);
    const read = here
      .requests()
      .slice(before)
      .filter((line) => line.startsWith("GET /integration/connector/"));
    expect(read).toEqual([expect.stringContaining(`GET /integration/connector/${id}`)]);
  });
});

describe("device create without a name", () => {
  it("ends with 2 where nobody can be asked", async () => {
    const { code, stderr } = await here.iot(["device", "create"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("A new device needs name") });
  });

  const onTerminal = { tags: ["posix" as const, "slow" as const] };

  it("asks a terminal for name, connector and tags, and again for tags that are none", onTerminal, async () => {
    const run = await startTerminal(["device", "create", "--show-token"], { env: here.env, columns: 120, rows: 40 });
    await run.waitFor(/Name of the device/);
    run.type("Asked for\r");
    await run.waitFor(/Which connector\? Type to search/);
    run.type("Soil Probe S2");
    await run.waitFor(/1 match/);
    run.type("\r");
    await run.waitFor(/Tags, such as/);
    run.type("site\r");
    await run.waitFor(/A tag needs key=value/);
    run.type("site=7, room=cold store\r");
    expect(await run.ended).toBe(0);
    const [made] = await here.json<Created[]>([
      "device",
      "list",
      "--name",
      "Asked for",
      "--fields",
      "id,name,connector,tags",
    ]);
    expect(made?.tags).toEqual([
      { key: "site", value: "7" },
      { key: "room", value: "cold store" },
    ]);
    const connectors = await here.json<{ id: string }[]>(["connector", "list", "--name", "Soil Probe S2"]);
    expect(connectors.map(({ id }) => id)).toContain(made?.connector);
    expect((await run.lines()).join("\n")).toMatch(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/);
  });

  it("asks only for what no flag sets, and creates nothing without a name", onTerminal, async () => {
    const flags = ["--connector", "name:Custom HTTPS", "--tag", "site=8"];
    const run = await startTerminal(["device", "create", ...flags], { env: here.env });
    await run.waitFor(/Name of the device/);
    run.type("\r");
    expect(await run.ended).toBe(2);
    const again = await startTerminal(["device", "create", ...flags], { env: here.env });
    await again.waitFor(/Name of the device/);
    again.type("Asked for a name\r");
    expect(await again.ended).toBe(0);
    expect(await here.json<Created[]>(["device", "list", "--name", "Asked for a name"])).toHaveLength(1);
  });
});
