import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VERSION } from "../../src/lib/core/version.ts";
import { quickClock } from "../helpers/quick-clock.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const freezer = "65a1000000000000000d0001";

describe("what a list refuses", () => {
  it.each([
    ["device list --sort nmae", 'Did you mean "name"?'],
    ["dashboard list --sort lable:desc", 'Did you mean "label"?'],
    ["device list --fields id,nmae", 'Did you mean "name"?'],
    ["device list --fields id,name.nosuch", 'Run the command with "--fields help".'],
    ["file list --sort siez", 'Did you mean "size"?'],
    ["widget list --dashboard 65a1000000000000000b0001 --sort typ", 'Did you mean "type"?'],
    ["device list --limit 3 --all", "Use one of them."],
    ["device list --page 2 --all", "Use one of them."],
    [`device data list ${freezer} --limit 3 --all`, "Use one of them."],
    ["billing history --limit 3 --all", "Use one of them."],
  ])("%s", async (line, next) => {
    const { code, stdout, stderr } = await here.iot(line.split(" "));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`next: ${next}`);
  });
});

describe("a list with --watch", () => {
  it("prints every row, and then those that have changed or are new, until it is stopped", async () => {
    const made = await here.json<{ readonly id: string }>(["device", "create", "--name", "Watched"]);
    let round = 0;
    const clock = quickClock(async () => {
      round += 1;
      // A field that is not printed is no change.
      if (round === 1) await here.iot(["device", "update", made.id, "--description", "Note"]);
      if (round === 2) await here.iot(["device", "update", made.id, "--name", "Renamed"]);
      if (round === 4) throw new DOMException("The program was asked to stop", "AbortError");
    });
    const { stdout } = await here.iot(
      ["device", "list", "--watch", "--limit", "100", "--fields", "name", "-o", "ndjson"],
      {
        clock,
      },
    );
    const names = stdout.trim().split("\n");
    expect(names.filter((line) => line.includes("Freezer 1"))).toHaveLength(1);
    expect(names.filter((line) => line.includes("Watched"))).toHaveLength(1);
    expect(names.at(-1)).toBe('{"name":"Renamed"}');
  });

  it.each([
    ["device list --watch --json", "-o ndjson"],
    ["device list --watch --refresh 10ms", "10s"],
    ["device list --refresh 10s", "--watch"],
  ])("refuses %s", async (line, next) => {
    const { code, stderr } = await here.iot(line.split(" "));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(next) });
  });
});

describe("the value of one tag", () => {
  const lists = (format: string): Promise<string> =>
    here
      .iot(["device", "list", "--tag", "device_type=truck", "--fields", "name,tags.site", "-o", format])
      .then(({ stdout }) => stdout.trim());

  it.each([
    ["json", '[\n  {\n    "name": "Truck 7",\n    "tags": {\n      "site": "road"\n    }\n  }\n]'],
    ["ndjson", '{"name":"Truck 7","tags":{"site":"road"}}'],
    ["csv", "name,tags.site\nTruck 7,road"],
    ["tsv", "name\ttags.site\nTruck 7\troad"],
    ["yaml", "- name: Truck 7\n  tags:\n    site: road"],
    ["md", "| name | tags.site |\n| --- | --- |\n| Truck 7 | road |"],
    ["table", "name\ttags.site\nTruck 7\troad"],
  ])("is a field in %s", async (format, text) => {
    expect((await lists(format)).replaceAll("\r", "")).toBe(text);
  });

  it("is a field of templates, of one row, beside all tags, and null where there is none", async () => {
    const template = await here.iot(["device", "list", "--tag", "site=road", "--template", "{{name}} {{tags.site}}"]);
    expect(template.stdout).toContain("Truck 7 road\n");
    expect(await here.json(["device", "get", "name:Truck 7", "--fields", "tags.site,tags.nosuch"])).toEqual({
      tags: { site: "road", nosuch: null },
    });
    const both = await here.json<object>(["device", "get", "name:Truck 7", "--fields", "tags,tags.site"]);
    expect(both).toMatchObject({ tags: expect.arrayContaining([{ key: "site", value: "road" }]), "tags.site": "road" });
  });
});

describe("--limit", () => {
  it.each([
    `device param list ${freezer}`,
    "tag keys device",
    "profile limits",
    "config list",
    "sandbox gaps",
    "widget types",
  ])("cuts %s, and says that there is more", async (line) => {
    const all = JSON.parse((await here.iot([...line.split(" "), "--json"])).stdout) as unknown[];
    const { stdout, stderr, code } = await here.iot([...line.split(" "), "--limit", "1", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(all.slice(0, 1));
    expect(stderr).toContain(`hint: 1 of ${all.length} row`);
  });

  it.each([
    "device chunk list 65a1000000000000000d0001",
    "profile team list",
    "dashboard snapshot list",
    "sandbox snapshot list",
    "sandbox status",
    "auth status",
    "env list",
    "alias list",
    "analysis env list 65a1000000000000000a0001",
  ])("is a flag of %s", async (line) => {
    const { stderr } = await here.iot([...line.split(" "), "--limit", "1"]);
    expect(stderr).not.toContain("usage");
    expect(stderr).not.toContain("has no flag");
  });
});

it("prints the version with -V and --version after any command", async () => {
  for (const line of ["device list -V", "device --version", "-V analysis download"]) {
    const { stdout, code } = await here.iot(line.split(" "));
    expect({ line, stdout, code }).toEqual({ line, stdout: `${VERSION}\n`, code: 0 });
  }
});
