import { readdirSync, statSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

interface Device {
  readonly id: string;
  readonly [member: string]: unknown;
}

const own = ["id", "created_at", "updated_at", "last_input", "bucket", "inspected_at"];
const settingsOf = (device: Device): object =>
  Object.fromEntries(Object.entries(device).filter(([name]) => !own.includes(name)));

it.each(["Truck 7", "Water meter", "Retired gateway"])(
  "%s comes back with its settings after a deletion",
  { tags: ["posix"] },
  async (name) => {
    const before = await here.json<Device>(["device", "get", `name:${name}`]);
    const params = await here.json<{ readonly key: string; readonly value: string }[]>([
      "device",
      "param",
      "list",
      before.id,
    ]);
    const { code, stderr } = await here.iot(["device", "delete", before.id, "--yes"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("--input") });
    const [, path = ""] = /iot device create --input (\S+)\n/.exec(stderr.replace(/\n +/g, " ")) ?? [];
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const created = await here.json<Device>(["device", "create", "--input", path]);
    const after = await here.json<Device>(["device", "get", created.id]);
    expect(settingsOf(after)).toEqual(settingsOf(before));
    const again = await here.json<{ readonly key: string; readonly value: string }[]>([
      "device",
      "param",
      "list",
      after.id,
    ]);
    const pairs = (some: typeof params) => some.map(({ key, value }) => `${key}=${value}`).sort();
    expect(pairs(again)).toEqual(pairs(params));
  },
);

it("says once where the settings of several deleted devices are", async () => {
  const { code, stderr } = await here.iot([
    "device",
    "delete",
    "name:Silo east",
    "name:Silo west",
    "--confirm",
    "devices",
  ]);
  expect({ code, hints: stderr.match(/^hint: /gm)?.length }).toEqual({ code: 0, hints: 1 });
  const [, folder = ""] = /The files are in (\S+), named after the devices/.exec(stderr) ?? [];
  const names = readdirSync(folder).map((name) => name.replace(/-[0-9a-f]+\.json$/, ""));
  expect(names).toEqual(expect.arrayContaining(["silo-east", "silo-west"]));
});

it("does not keep a device from being deleted where its settings cannot be saved", { tags: ["posix"] }, async () => {
  const env = { IOT_CONFIG_DIR: "/dev/null/home" };
  const { code, stderr } = await here.iot(["device", "delete", "name:Silo north", "--yes"], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("were not saved: ") });
  expect((await here.iot(["device", "get", "name:Silo north"])).code).toBe(6);
});
