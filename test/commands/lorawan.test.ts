import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliResult, startCli, temporaryFolder } from "../helpers/cli.ts";
import { type HereOptions, runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const iot = (args: readonly string[], more: HereOptions = {}): Promise<CliResult> =>
  runHere(args, { env: here.env, ...more });
const qr = (args: readonly string[], more: HereOptions = {}) => iot(["lorawan", "qr", ...args], more);

async function json<T>(args: readonly string[], more: HereOptions = {}): Promise<T> {
  const { code, stdout, stderr } = await qr([...args, "-o", "json"], more);
  if (![0, 8].includes(code)) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

const codeOf = (eui: string): string => `LW:D0:1122334455667788:${eui}:AABB1122`;
const eui = (number: number): string => `AA00000000${number.toString(16).padStart(6, "0").toUpperCase()}`;
const place = ["--create-device", "--connector", "name:Soil Probe S2"] as const;

interface Row {
  readonly dev_eui: string;
  readonly id?: string;
  readonly name: string;
  readonly result: string;
  readonly reason?: string;
}

async function withSerial(
  serial: string,
): Promise<{ id: string; name: string; tags: unknown; serie_number?: string }[]> {
  const { stdout } = await iot(["device", "list", "--serial", serial, "--json"]);
  return JSON.parse(stdout);
}

/** The modules of a drawing of half blocks, read back: true is dark. */
function modulesOf(drawing: string): string[] {
  const rows: string[] = [];
  for (const line of drawing.trimEnd().split("\n")) {
    const cells = [...line].map((char) => ({ "█": "00", "▀": "01", "▄": "10", " ": "11" })[char] ?? "??");
    rows.push(cells.map((pair) => pair.charAt(0)).join(""), cells.map((pair) => pair.charAt(1)).join(""));
  }
  return rows;
}

describe("lorawan qr parse", () => {
  it("reads a text, a file with comments, and stdin", async () => {
    const [row] = await json<object[]>(["parse", "LW:D0:1122334455667788:AABBCCDDEEFF0011:AABB1122:owner:sn1:own:77"]);
    expect(row).toMatchObject({
      type: "LW",
      schema_id: "D0",
      join_eui: "1122334455667788",
      dev_eui: "AABBCCDDEEFF0011",
      profile_id: "AABB1122",
      owner_token: "owner",
      sn_number: "sn1",
      proprietary: "own",
      checksum: "77",
    });
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "codes.txt"), `# from the box\n${codeOf(eui(1))}\r\n\n${codeOf(eui(2))}\n`);
    const rows = await json<{ dev_eui: string; row: number }[]>(["parse", join(cwd, "codes.txt")]);
    expect(rows.map(({ dev_eui, row: line }) => [dev_eui, line])).toEqual([
      [eui(1), 2],
      [eui(2), 4],
    ]);
    expect(await json(["parse", "-"], { stdin: `${codeOf(eui(3))}\n` })).toHaveLength(1);
  });

  it.each([
    ["LW:D0:1122334455667788", "fewer than four parts", 3],
    ["LW:D0:1122334455667788:XYZ:AA", "device EUI", 3],
    ["LW:D0:11:AABBCCDDEEFF0011:AA", "join EUI", 3],
    ["no-such-file.txt", "does not exist", 3],
  ])("refuses %s", async (text, says, code) => {
    expect(await qr(["parse", text])).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(says) });
  });

  it("names the row of a mistake in a file, and refuses a file of nothing", async () => {
    const stdin = `${codeOf(eui(1))}\nLW:D0:broken\n`;
    const { code, stderr } = await qr(["parse", "-", "--json"], { stdin });
    expect({ code, row: JSON.parse(stderr).error.row }).toEqual({ code: 3, row: 2 });
    expect(await qr(["parse", "-"], { stdin: "\n# nothing\n" })).toMatchObject({ code: 3 });
    expect(await qr(["parse"])).toMatchObject({ code: 2 });
    expect(await qr(["parse", codeOf(eui(1)), "--report", "x.csv"])).toMatchObject({ code: 2 });
  });
});

describe("lorawan qr parse --create-device", () => {
  it("creates one device from a code, and leaves one that is there", async () => {
    const args = ["parse", codeOf(eui(16)), ...place, "--name", "Probe {dev_eui} of {profile_id}", "--tag", "site=7"];
    const [made] = await json<Row[]>(args);
    expect(made).toMatchObject({ dev_eui: eui(16), name: `Probe ${eui(16)} of AABB1122`, result: "created" });
    expect(await withSerial(eui(16))).toMatchObject([
      { id: made?.id, name: made?.name, tags: [{ key: "site", value: "7" }] },
    ]);
    expect(await json<Row[]>(args)).toMatchObject([{ id: made?.id, result: "exists" }]);
    expect(await withSerial(eui(16))).toHaveLength(1);
  });

  it("creates a fleet from a CSV of EUIs, with names, tags and a report", async () => {
    const cwd = temporaryFolder();
    const file = join(cwd, "fleet.csv");
    writeFileSync(
      file,
      `EUI,Label,Site,tag:floor\n${eui(32).replace(/(..)(?=.)/g, "$1-")},North,A 1,2\n${eui(33)},,B,\nbroken,Third,C,1\n`,
    );
    const report = join(cwd, "report.csv");
    const maps = ["--map", "Label=name", "--map", "Site=tag:site", "--map", "EUI=dev_eui", "--tag", "site=none"];
    const dry = await json<{ path: string; body: object }[]>([
      "parse",
      file,
      ...place,
      ...maps,
      "--dry-run",
      "--skip-invalid",
    ]);
    expect(dry).toHaveLength(2);
    expect(await withSerial(eui(32))).toEqual([]);

    const rows = await json<Row[]>(["parse", file, ...place, ...maps, "--report", report]);
    expect(rows.map(({ name, result }) => [name, result])).toEqual([
      ["North", "created"],
      [eui(33), "created"],
      ["", "invalid"],
    ]);
    const [north] = await withSerial(eui(32));
    expect(north?.tags).toEqual([
      { key: "site", value: "A 1" },
      { key: "floor", value: "2" },
    ]);
    expect(readFileSync(report, "utf8").split("\n")).toHaveLength(5);
    expect(readFileSync(report, "utf8")).toMatch(/^3,,,,invalid,"?The device EUI/m);
    const before = here.requests().filter((line) => line.startsWith("POST /device")).length;
    expect((await qr(["parse", file, ...place, ...maps, "--resume", "--skip-invalid"])).code).toBe(8);
    expect(here.requests().filter((line) => line.startsWith("POST /device"))).toHaveLength(before);
  });

  it("names the columns that it does not read", async () => {
    const file = join(temporaryFolder(), "columns.csv");
    writeFileSync(file, `dev_eui,name,Flor,Hall\n${eui(36)},Fourth,1,2\n`);
    const { stderr } = await qr(["parse", file, ...place, "--map", "Hall=tag:hall", "--dry-run"]);
    expect(stderr).toContain('Columns that are not imported: "Flor". --map');
  });

  it("takes a list of codes without a header, and says when columns are missing", async () => {
    const stdin = `${codeOf(eui(48))}\n${eui(49)}\n`;
    expect(await json<Row[]>(["parse", "-", ...place], { stdin })).toMatchObject([
      { result: "created" },
      { result: "created" },
    ]);
    for (const [text, flag] of [
      ["name,site\na,b\n", "qr"],
      ["EUI\nx\n", "no column"],
    ] as const) {
      const more = flag === "no column" ? ["--map", "Nope=name"] : [];
      expect(await qr(["parse", "-", ...place, ...more], { stdin: text })).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(flag),
      });
    }
    expect(await qr(["parse", "-", "--create-device"], { stdin })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--connector"),
    });
    expect(await qr(["parse", "-", ...place, "--map", "a=b"], { stdin })).toMatchObject({ code: 2 });
  });

  it("goes on after a kill: every device once", { tags: ["slow"] }, async () => {
    const own = await sandboxUnderTest();
    try {
      const file = join(temporaryFolder(), "many.csv");
      const euis = Array.from({ length: 120 }, (_, index) => eui(4096 + index));
      writeFileSync(file, `dev_eui\n${euis.join("\n")}\n`);
      const child = await startCli(["lorawan", "qr", "parse", file, ...place], { env: own.env });
      const ended = new Promise((resolve) => child.on("close", resolve));
      const made = () =>
        own.requests().filter((line) => line === "POST /device" || line.startsWith("POST /device?")).length;
      await waitFor(() => made() > 10, "the first devices");
      child.kill("SIGKILL");
      await ended;
      expect(made()).toBeLessThan(120);
      const { code, stdout } = await iot(["lorawan", "qr", "parse", file, ...place, "--resume", "--json"], {
        env: own.env,
      });
      expect(code).toBe(0);
      const rows = JSON.parse(stdout) as Row[];
      expect(rows.filter(({ result }) => result === "done before").length).toBeGreaterThan(5);
      const { stdout: all } = await iot(["device", "list", "--name", "AA0000*", "--all", "--json"], { env: own.env });
      const names = (JSON.parse(all) as { name: string }[]).map(({ name }) => name);
      expect(names.sort()).toEqual([...euis].sort());
    } finally {
      await own.close();
    }
  });
});

describe("lorawan qr create", () => {
  it("draws the same code in blocks, in ASCII, in colours and as SVG", async () => {
    const text = codeOf(eui(1));
    const { encode } = await import("uqr");
    const dark = encode(text, { ecc: "M", border: 2 }).data.map((row) => row.map(Number).join(""));
    const plain = await qr(["create", text]);
    expect(plain.code).toBe(0);
    expect(modulesOf(plain.stdout).slice(0, dark.length)).toEqual(dark);
    const ascii = (await qr(["create", text, "--ascii"])).stdout.trimEnd().split("\n");
    expect(ascii.map((line) => line.replaceAll("##", "0").replaceAll("  ", "1"))).toEqual(dark);
    const coloured = (await qr(["create", text], { terminal: 100 })).stdout;
    expect(coloured).toContain("\u001b[97m\u001b[107m▀");
    expect(coloured.split("\n")[0]?.split("▀").length).toBe((dark[0]?.length ?? 0) + 1);
    const { stdout: svg } = await qr(["create", text, "--svg"]);
    expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    expect(JSON.parse((await qr(["create", text, "--svg", "--json"])).stdout)).toBe(svg);
  });

  it("makes the text from its parts", async () => {
    const cwd = temporaryFolder();
    const parts = ["--join-eui", "11-22-33-44-55-66-77-88", "--dev-eui", eui(5).toLowerCase()];
    expect(await qr(["create", ...parts, "--svg", "--out", "a.svg"], { cwd })).toMatchObject({ code: 0 });
    await qr(["create", `LW:D0:1122334455667788:${eui(5)}:00000000`, "--svg", "--out", "b.svg"], { cwd });
    expect(readFileSync(join(cwd, "a.svg"), "utf8")).toBe(readFileSync(join(cwd, "b.svg"), "utf8"));
    expect(await qr(["create", ...parts, "--svg", "--out", "a.svg"], { cwd })).toMatchObject({ code: 2 });
    for (const wrong of [
      ["--dev-eui", "AA"],
      ["--vendor", "1"],
      [...parts, "--sn", "a:b"],
      ["--join-eui", eui(1)],
    ])
      expect(await qr(["create", ...wrong])).toMatchObject({ code: 2, stdout: "" });
  });

  it("writes a file for each of several codes", async () => {
    const cwd = temporaryFolder();
    const stdin = `${codeOf(eui(1))}\n${codeOf(eui(2))}\n`;
    expect(await qr(["create", "-", "--svg"], { cwd, stdin })).toMatchObject({ code: 2 });
    expect(await qr(["create", "-", "--svg", "--out", "labels"], { cwd, stdin })).toMatchObject({ code: 0 });
    for (const number of [1, 2]) expect(existsSync(join(cwd, "labels", `${eui(number)}.svg`))).toBe(true);
    const { stdout } = await qr(["create", "-"], { stdin });
    expect(stdout).toContain(`${eui(2)}\n`);
  });
});
