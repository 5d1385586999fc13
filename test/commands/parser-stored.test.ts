import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
let folder: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
  folder = temporaryFolder();
});
afterAll(() => here.close());

const parser = (...args: readonly string[]) => here.iot(["parser", ...args], { cwd: folder });
const ok = async (...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await parser(...args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
};
function script(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

let count = 0;
/** Flags for a device of its own, of a kind without a parser. */
async function newDevice(): Promise<readonly [flag: string, id: string]> {
  count += 1;
  const flags = ["--name", `Decoded ${count}`, "--type", "mutable", "--connector", "name:Custom HTTPS"];
  const { id } = await here.json<{ id: string }>(["device", "create", ...flags, "--network", "name:HTTPS"]);
  return ["--device", id];
}

/** What the device has after a frame was sent to it. */
async function arrived(id: string, hex: string): Promise<Readonly<Record<string, unknown>>> {
  await here.json(["device", "data", "send", id, "fport=2", "--raw-field", `payload=${hex}`]);
  const rows = await here.json<{ variable: string; value: unknown }[]>(["device", "data", "list", id]);
  return Object.fromEntries(rows.map(({ variable, value }) => [variable, value]));
}

const HALVES = "payload = payload.concat({ variable: 'half', value: payload.length / 2 });";
const UPLINK = "function decodeUplink({ bytes, fPort }) { return { data: { level: bytes[0], at: { port: fPort } } }; }";

describe("parser get", () => {
  it("prints the parser of a connector, and of a device that has none of its own", async () => {
    const source = await ok("get", "--connector", "name:Plant meter");
    expect(source).toContain('variable: "flow"');
    const { code, stdout, stderr } = await parser("get", "--device", "name:Water meter");
    expect({ code, stdout }).toEqual({ code: 0, stdout: source });
    expect(stderr).toContain(
      'device "Water meter" has no parser of its own; this is that of its connector "Plant meter"',
    );
  });

  it("writes it to a file, and asks before it replaces one", async () => {
    const args = ["get", "--connector", "name:Plant meter", "--out", "meter.js"];
    await ok(...args);
    const source = readFileSync(join(folder, "meter.js"), "utf8");
    writeFileSync(join(folder, "meter.js"), "mine");
    expect((await parser(...args)).code).toBe(2);
    expect(readFileSync(join(folder, "meter.js"), "utf8")).toBe("mine");
    await ok(...args, "--yes");
    expect(readFileSync(join(folder, "meter.js"), "utf8")).toBe(source);
  });

  it.each([
    [["--device", "name:Freezer 1"], 6, "has no payload parser"],
    [["--device", "name:Nobody"], 6, 'No device matches "name:Nobody"'],
    [[], 2, "No device or connector given"],
    [["--device", "a", "--connector", "b"], 2, "cannot be used together"],
  ])("rejects %j", async (flags, exit, reason) => {
    const { code, stdout, stderr } = await parser("get", ...flags);
    expect({ code, stdout, stderr }).toEqual({ code: exit, stdout: "", stderr: expect.stringContaining(reason) });
  });
});

describe("parser set", () => {
  it("uploads a parser that decodes what is sent afterwards", async () => {
    const device = await newDevice();
    const file = script("halves.js", HALVES);
    const before = Date.now();
    expect(await ok("set", file, ...device, "--dry-run")).toBe(
      `PUT /device/${device[1]} {"payload_decoder":"(base64 of ${HALVES.length} bytes)"}\n`,
    );
    expect(here.requestsSince(before).filter((line) => line.startsWith("PUT"))).toEqual([]);
    const row = JSON.parse(await ok("set", file, ...device, "--json")) as object;
    expect(row).toEqual({
      id: device[1],
      name: `Decoded ${count}`,
      kind: "device",
      bytes: HALVES.length,
      state: "uploaded",
    });
    expect(await arrived(device[1], "0102")).toEqual({ payload: "0102", fport: 2, half: 1 });
    expect(await ok("get", ...device)).toBe(HALVES);
  });

  it("adds the call of a function to a script that only defines it", async () => {
    const device = await newDevice();
    const file = script("uplink.js", UPLINK);
    expect(JSON.parse(await ok("set", file, ...device, "--json"))).toMatchObject({ calls: "decodeUplink" });
    const found = await arrived(device[1], "2a");
    expect(found).toEqual({ payload: "2a", fport: 2, level: 42, at_port: 2 });
    const offline = JSON.parse(await ok("run", file, "--payload", "2a", "--port", "2", "--json")) as object[];
    expect(offline).toEqual(
      Object.entries({ payload: "2a", fport: 2, level: 42, at_port: 2 }).map(([variable, value]) => ({
        variable,
        value,
      })),
    );
    // What was stored calls its function itself: nothing is added again.
    await ok("get", ...device, "--out", "stored.js");
    expect(JSON.parse(await ok("set", "stored.js", ...device, "--json"))).toMatchObject({ state: "unchanged" });
  });

  it("asks before it replaces another parser, and keeps that for a way back", async () => {
    const device = await newDevice();
    await ok("set", script("halves.js", HALVES), ...device);
    const other = script("other.js", "payload = [];");
    const refused = await parser("set", other, ...device);
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(`Replace the payload parser of device "Decoded ${count}"`);
    expect(await ok("get", ...device)).toBe(HALVES);

    const { stderr } = await parser("set", other, ...device, "--yes");
    expect(await ok("get", ...device)).toBe("payload = [];");
    const [, kept = ""] = /"iot parser set (\S+) --device/.exec(stderr) ?? [];
    expect(readFileSync(kept, "utf8")).toBe(HALVES);
    await ok("set", kept, ...device, "--format", "payload", "--yes");
    expect(await ok("get", ...device)).toBe(HALVES);
    expect(readdirSync(join(here.env["IOT_CONFIG_DIR"] ?? "", "state", "parsers"))).toContainEqual(
      expect.stringMatching(new RegExp(`^device-${device[1]}-\\d{8}-\\d{6}\\.js$`)),
    );
  });

  it("sends nothing where the parser is there already", async () => {
    const device = await newDevice();
    const file = script("halves.js", HALVES);
    await ok("set", file, ...device);
    const before = Date.now();
    expect(JSON.parse(await ok("set", file, ...device, "--json"))).toMatchObject({ state: "unchanged" });
    expect(here.requestsSince(before).filter((line) => line.startsWith("PUT"))).toEqual([]);
  });

  it("changes the parser of a connector for all of its devices, but not one of the catalogue", async () => {
    const file = script("halves.js", HALVES);
    await ok("set", file, "--connector", "name:Plant meter", "--yes");
    const { id } = await here.json<{ id: string }>(["device", "get", "name:Main meter"]);
    await here.json(["device", "data", "send", id, "probe=1"]);
    const rows = await here.json<{ value: unknown }[]>(["device", "data", "list", id, "--variable", "half"]);
    expect(rows).toEqual([expect.objectContaining({ value: 0.5 })]);
    expect((await parser("set", file, "--connector", "name:Custom HTTPS")).code).not.toBe(0);
  });

  it.each([
    ["a mistake", "payload = (", "is not a valid script"],
    ["too much code", `payload = [];//${"x".repeat(65_536)}`, "too long for a payload parser"],
  ])("sends nothing for %s", async (_, source, reason) => {
    const device = await newDevice();
    const before = Date.now();
    const { code, stderr } = await parser("set", script("bad.js", source), ...device);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(reason) });
    expect(here.requestsSince(before)).toEqual([]);
  });
});

describe("parser run with a device", () => {
  it("runs its stored parser, with its tags, parameters and those its connector defines", {
    tags: ["slow"],
  }, async () => {
    const source = `payload = [
      { variable: "site", value: device.tags.find((tag) => tag.key === "site").value },
      { variable: "depth", value: depth },
      { variable: "port", value: device.params.find((param) => param.key === "port").value },
      { variable: "hidden", value: "payload_decoder" in device },
    ];`;
    const probe = ["--device", "name:Soil probe"];
    const file = script("context.js", source);
    const offline = JSON.parse(await ok("run", file, ...probe, "--payload", "01", "--json")) as object[];
    const values = { site: "field", depth: "20", port: "1", hidden: false };
    expect(offline).toEqual(Object.entries(values).map(([variable, value]) => ({ variable, value })));
    await ok("set", file, ...probe);
    expect(JSON.parse(await ok("run", ...probe, "--payload", "01", "--json"))).toEqual(offline);
    const { id } = await here.json<{ id: string }>(["device", "get", "name:Soil probe"]);
    expect(await arrived(id, "01")).toMatchObject(values);
  });

  it("names the stored parser in its errors", async () => {
    const device = await newDevice();
    await ok("set", script("throws.js", "\nthrow new Error('flat battery');"), ...device);
    const { code, stderr } = await parser("run", ...device, "--payload", "01");
    expect(code).toBe(3);
    expect(stderr).toContain(`flat battery (parser of device "Decoded ${count}":2)`);
  });
});
