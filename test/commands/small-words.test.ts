import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

describe("a flag of another program leads to the one here", () => {
  it.each([
    ["analysis console name:report --limit 3", "--lines"],
    ["api POST /device --body x.json", "--input"],
    ["api POST /device -d x.json", "--input"],
    ["device list -L 3", "--limit"],
    ["device list -n 3", "--limit"],
    ["analysis console name:report -l 3", "--lines"],
  ])("iot %s", async (line, flag) => {
    const { code, stderr } = await here.iot(line.split(" "));
    expect(code).toBe(2);
    expect(stderr).toContain(`Did you mean "${flag}"?`);
  });

  it("and a hyphen to --input -", async () => {
    expect((await here.iot(["api", "POST", "/device", "-"])).stderr).toContain("Did you mean --input -?");
  });
});

describe("an empty list says why", () => {
  it.each([
    [["--limit", "0"], "No rows shown: --limit is 0."],
    [["--page", "99"], "No rows on page 99."],
    [["--name", "nosuch"], "No devices match."],
  ])("%j", async (flags, text) => {
    expect((await here.iot(["device", "list", ...flags])).stderr).toBe(`info: ${text}\n`);
  });

  it("also where the limit is a flag of the command", async () => {
    const { stderr } = await here.iot(["billing", "history", "--limit", "0"]);
    expect(stderr).toContain("No rows shown: --limit is 0.");
  });
});

describe("a hyphen", () => {
  it("is the ids on stdin, one per line", async () => {
    const rows = await here.json<{ id: string }[]>(["device", "list", "--limit", "2"]);
    const stdin = rows.map(({ id }) => `${id}\n`).join("");
    const planned = await here.iot(["device", "delete", "-", "--dry-run", "--json"], { stdin });
    for (const { id } of rows) expect(planned.stdout).toContain(`/device/${id}`);
    const [first] = rows;
    expect((await here.iot(["device", "get", "-", "-o", "id"], { stdin: `${first?.id}\n` })).stdout).toBe(
      `${first?.id}\n`,
    );
    const several = await here.iot(["device", "get", "-"], { stdin });
    expect({ code: several.code, stderr: several.stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("stdin contains 2 device ids; this takes one."),
    });
    const none = await here.iot(["device", "delete", "-", "--yes"], { stdin: "\n" });
    expect({ code: none.code, isSaid: none.stderr.includes("stdin contains no device ids") }).toEqual({
      code: 2,
      isSaid: true,
    });
  });

  it("is named where --input reads stdin", async () => {
    const { code, stderr } = await here.iot(["device", "data", "send", "name:Pump 3", "-"], { stdin: "" });
    expect({ code, isSaid: stderr.includes("To read stdin: --input -") }).toEqual({ code: 2, isSaid: true });
  });

  it("is a statement for sql run", async () => {
    const { code, stdout } = await here.iot(["sql", "run", "-", "--dry-run"], { stdin: "SELECT 1 AS one" });
    expect({ code, isSent: stdout.includes("SELECT 1 AS one") }).toEqual({ code: 0, isSent: true });
  });
});

describe("a narrow terminal", () => {
  it("shows whom an access rule is for before its id", async () => {
    const { stdout } = await here.iot(["access", "list"], { terminal: 80 });
    const [header = ""] = stdout.split("\n");
    for (const column of ["name", "who", "may"]) expect(header).toContain(column);
    expect(stdout).not.toMatch(/[0-9a-f]{24}/);
  });

  it("shows the names of networks, where a program gets their ids", async () => {
    const [network] = await here.json<{ id: string; name: string }[]>(["network", "list", "--own"]);
    const shown = await here.iot(["connector", "list", "--own"], { terminal: 80 });
    expect(shown.stdout).toContain(network?.name);
    const piped = await here.iot(["connector", "list", "--own"]);
    expect(piped.stdout).toContain(network?.id);
    expect(piped.stdout).not.toContain(network?.name);
  });

  it("shows the names of network and connector of one device with their ids", async () => {
    const [device] = await here.json<{ id: string; network: string; connector: string }[]>([
      ...["device", "list", "--limit", "1", "--fields", "id,network,connector"],
    ]);
    const { id = "", network = "", connector = "" } = device ?? {};
    const { stdout } = await here.iot(["device", "get", id], { terminal: 100 });
    for (const [noun, other] of [
      ["network", network],
      ["connector", connector],
    ] as const) {
      const { name } = await here.json<{ name: string }>([noun, "get", other]);
      expect(stdout).toContain(`${name} (${other})`);
    }
    expect(await here.json<object>(["device", "get", id])).toMatchObject({ network, connector });
    expect(await here.json<object>(["device", "get", id])).not.toHaveProperty("names");
  });
});
