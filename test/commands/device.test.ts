import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

interface Device {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly description?: string | null;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly connector: string;
  readonly network: string;
  readonly visible: boolean;
}

const freezer = "65a1000000000000000d0001";
let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const names = async (...flags: string[]): Promise<string[]> => {
  const { stdout } = await here.iot(["device", "list", "--fields", "name", "--no-header", ...flags]);
  return stdout.split("\n").filter((line) => line !== "");
};

/** A device for one test. */
async function made(name: string, ...flags: string[]): Promise<string> {
  const { stdout, stderr, code } = await here.iot(["device", "create", "--name", name, ...flags, "-o", "id"]);
  expect({ stderr: code === 0 ? "" : stderr, code }).toEqual({ stderr: "", code: 0 });
  return stdout.trim();
}

describe("device list", () => {
  it("prints tab-separated columns with a header into a pipe", async () => {
    const { code, stdout, stderr } = await here.iot(["device", "list"]);
    const [header, ...rows] = stdout.trimEnd().split("\n");
    expect(header).toBe("id\tname\tactive\ttype\tlast_input\ttags");
    expect(rows.map((row) => row.split("\t")[1])).toContain("Freezer 1");
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });

  it("finds devices by name pattern, tag, state and serial number", async () => {
    expect(await names("--name", "silo*")).toEqual(["Silo east", "Silo north", "Silo west"]);
    expect(await names("--tag", "device_type=truck")).toEqual(["Truck 7"]);
    expect(await names("--inactive")).toEqual(["Retired gateway"]);
    expect(await names("--serial", "0004A30B001C0530")).toEqual(["Soil probe"]);
    expect(await names("--filter", "type=hybrid")).toEqual(["Truck 7"]);
  });

  it("finds devices by network, given by name", async () => {
    expect(await names("--network", "name:LoRaWAN Demo")).toEqual(["Soil probe"]);
    expect((await here.iot(["device", "list", "--network", "name:Nowhere"])).code).toBe(6);
  });

  it("finds devices that have been silent", async () => {
    const silent = await made("Never heard of");
    const found = await here.json<Device[]>(["device", "list", "--offline-for", "6d"]);
    expect(found.map(({ id }) => id)).toContain(silent);
    expect(found.map(({ id }) => id)).not.toContain(freezer);
  });

  it("says that more rows exist, and pages without gaps or repeats", async () => {
    const first = await here.iot(["device", "list", "--limit", "5", "-o", "id"]);
    const second = await here.iot(["device", "list", "--limit", "5", "--page", "2", "-o", "id"]);
    const all = await here.iot(["device", "list", "--all", "-o", "id"]);
    expect(first.stderr).toContain("more exist");
    const lines = (text: string): string[] => text.trimEnd().split("\n");
    expect([...lines(first.stdout), ...lines(second.stdout)]).toEqual(lines(all.stdout).slice(0, 10));
    expect(all.stderr).toBe("");
  });

  it("sorts by a field, and refuses an order it cannot read", async () => {
    const sorted = await names("--sort", "name:desc", "--limit", "2");
    expect(sorted).toEqual(["Weather station", "Water meter"]);
    expect((await here.iot(["device", "list", "--sort", "name:up"])).code).toBe(2);
  });

  it("says on stderr alone that nothing matches, and ends with 0", async () => {
    expect(await here.iot(["device", "list", "--name", "no such thing"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "info: No devices match.\n",
    });
  });

  it("answers to the plural and to ls", async () => {
    expect((await here.iot(["devices", "ls", "--limit", "1", "-o", "id"])).code).toBe(0);
  });
});

describe("naming a device", () => {
  it("takes a full id, a unique name in any case, a tag and a serial number", async () => {
    for (const form of [freezer, freezer.toUpperCase(), "name:freezer 1", "tag:room=cold-store"]) {
      expect((await here.json<Device>(["device", "get", form])).id, form).toBe(freezer);
    }
    expect((await here.json<Device>(["device", "get", "serial:0004A30B001C0530"])).name).toBe("Soil probe");
  });

  it("lists the candidates of an ambiguous name, and ends with 2", async () => {
    const { code, stdout, stderr } = await here.iot(["device", "get", "tag:device_type=silo"]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    for (const name of ["Silo east", "Silo north", "Silo west"]) expect(stderr).toContain(name);
  });

  it("does not take a name with a wildcard in it for several", async () => {
    const id = await made("50* gate");
    await made("500 gate");
    expect((await here.json<Device>(["device", "get", "name:50* gate"])).id).toBe(id);
  });

  it("ends with 6 for a name nobody has and for an unknown id", async () => {
    const unknown = await here.iot(["device", "get", "65a1000000000000000dffff"]);
    expect(unknown.code).toBe(6);
    expect(unknown.stderr).toContain("error: Device 65a1000000000000000dffff not found in");
    expect((await here.iot(["device", "get", "name:Nobody"])).code).toBe(6);
  });

  it("refuses what is neither an id nor a form, before any request", async () => {
    const before = here.requests().length;
    const { code, stderr } = await here.iot(["device", "get", "pump"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: .*\n {2}why: .*\n {2}next: .*\n$/);
    expect(here.requests().length).toBe(before);
  });

  it("names the missing id where no picker can open", async () => {
    const { code, stderr } = await here.iot(["device", "get"]);
    expect(code).toBe(2);
    expect(stderr).toContain("No device given");
  });
});

describe("device create, update and delete", () => {
  it("creates a device where none of the places is named, and prints it", async () => {
    const created = await here.json<Device>(["device", "create", "--name", "Pump 3", "--tag", "site=7"]);
    expect(created).toMatchObject({ name: "Pump 3", tags: [{ key: "site", value: "7" }], active: true });
    expect(created.connector).toMatch(/^[0-9a-f]{24}$/);
  });

  it("takes members from a file, with flags over them", async () => {
    const file = join(temporaryFolder(), "device.json");
    writeFileSync(file, JSON.stringify({ name: "From file", description: "kept", visible: false }));
    const created = await here.json<Device>(["device", "create", "--input", file, "--name", "From flag"]);
    expect(created).toMatchObject({ name: "From flag", description: "kept", visible: false });
  });

  it("changes named fields and leaves other tags alone", async () => {
    const id = await made("Valve", "--tag", "site=1", "--tag", "room=2");
    const flags = ["--tag", "site=9", "--tag", "floor=3", "--remove-tag", "room", "--inactive"];
    const updated = await here.json<Device>(["device", "update", id, ...flags]);
    expect(updated.active).toBe(false);
    expect(updated.tags).toEqual([
      { key: "site", value: "9" },
      { key: "floor", value: "3" },
    ]);
  });

  it("changes the network with the connector, and says what to do while the device has tokens", async () => {
    const id = await made("Moved");
    const [{ id: network = "" } = {}] = await here.json<{ id: string }[]>([
      "network",
      "list",
      "--name",
      "LoRaWAN Demo",
    ]);
    const flags = ["--connector", "name:Soil Probe S2"];
    const refused = await here.iot(["device", "update", id, ...flags]);
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 7,
      stderr: expect.stringContaining(`iot device token delete ${id}`),
    });
    expect((await here.iot(["device", "token", "delete", id, "Default", "--yes"])).code).toBe(0);
    const moved = await here.json<Device>(["device", "update", id, ...flags, "--network", "name:LoRaWAN Demo"]);
    expect(moved.network).toBe(network);
  });

  it("refuses an update that changes nothing", async () => {
    expect((await here.iot(["device", "update", freezer])).code).toBe(2);
  });

  it("shows with --dry-run what would be sent, and sends nothing that changes", async () => {
    const { code, stdout } = await here.iot(["device", "update", freezer, "--name", "Fridge", "--dry-run"]);
    expect(code).toBe(0);
    expect(stdout).toBe(`PUT /device/${freezer} {"name":"Fridge"}\n`);
    expect((await here.json<Device>(["device", "get", freezer])).name).toBe("Freezer 1");
  });

  it("deletes one device with --yes, and not without it", async () => {
    const id = await made("Short-lived");
    const refused = await here.iot(["device", "delete", id]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--yes");
    const { code, stderr } = await here.iot(["device", "delete", id, "--yes"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Deleted device "Short-lived"') });
    expect((await here.iot(["device", "get", id])).code).toBe(6);
  });

  it("asks for a name before it deletes several", async () => {
    const ids = [await made("Twin A"), await made("Twin B")];
    const refused = await here.iot(["device", "delete", ...ids, "--yes"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--confirm");
    const { code, stdout } = await here.iot(["device", "delete", ...ids, "--confirm", "devices", "-o", "id"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${ids.join("\n")}\n` });
  });

  it("goes on after one that cannot be deleted, names it, and ends with 8", async () => {
    const id = await made("Goes");
    const { code, stdout, stderr } = await here.iot([
      "device",
      "delete",
      "name:Main meter",
      id,
      "--confirm",
      "devices",
      "-o",
      "id",
    ]);
    expect({ code, stdout }).toEqual({ code: 8, stdout: `${id}\n` });
    expect(stderr).toContain('Device "Main meter": The main meter must not be deleted');
  });
});
