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
});
