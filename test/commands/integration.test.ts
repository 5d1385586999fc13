import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maskToken } from "../../src/commands/kit/say/redact.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { type ProgramHere, programHere } from "../helpers/program-here.ts";
import { SEED_DEVICE_TOKENS, SEED_SERVICE_TOKEN, SEED_TOKENS } from "../helpers/seed.ts";

let program: ProgramHere;
beforeAll(async () => {
  program = await programHere();
});
afterAll(() => program.close());

const plantNetwork = "65a1000000000000000e0003";
const names = async (...args: string[]): Promise<string> => program.ok([...args, "--fields", "name", "--no-header"]);

describe("connector", () => {
  it("lists its own, those of the catalogue, and both", async () => {
    expect(await names("connector", "list", "--own")).toBe("Plant meter");
    expect(await names("connector", "list", "--catalogue")).toBe("Custom HTTPS\nSoil Probe S2");
    expect(await names("connector", "list", "--name", "*meter")).toBe("Plant meter");
  });

  it("is made with networks by name and a decoder from a file, changed and deleted", async () => {
    const file = join(temporaryFolder(), "decoder.js");
    writeFileSync(file, "payload = [];\n");
    const flags = ["--network", "name:Plant gateway", "--decoder", file];
    const made = await program.json<{ id: string }>(["connector", "create", "--name", "Level", ...flags]);
    const decoder = Buffer.from("payload = [];\n").toString("base64");
    expect(made).toMatchObject({ name: "Level", networks: [plantNetwork], payload_decoder: decoder });
    expect(await program.json(["connector", "update", made.id, "--remove-decoder"])).toMatchObject({
      networks: [plantNetwork],
      payload_decoder: null,
    });
    const { stderr } = await program.run(["connector", "delete", "name:Level", "--yes"]);
    expect(stderr).toContain('Deleted connector "Level"');
  });

  it("cannot change what belongs to the catalogue", async () => {
    const { code } = await program.run(["connector", "update", "name:Custom HTTPS", "--name", "Mine"]);
    expect(code).toBe(6);
  });
});

describe("network", () => {
  it("is made, changed and deleted", async () => {
    const serial = '{"mask":"FFFF","label":"EUI"}';
    const made = await program.json<{ id: string }>([
      "network",
      "create",
      "--name",
      "Field",
      "--serial-number",
      serial,
    ]);
    expect(made).toMatchObject({ name: "Field", serial_number: { mask: "FFFF", label: "EUI" } });
    const changed = await program.json(["network", "update", made.id, "--middleware-endpoint", "n.example.test"]);
    expect(changed).toMatchObject({ middleware_endpoint: "n.example.test", serial_number: { mask: "FFFF" } });
    expect((await program.run(["network", "delete", made.id])).code).toBe(2);
    await program.ok(["network", "delete", made.id, "--yes"]);
    expect((await program.run(["network", "get", made.id])).code).toBe(6);
  });

  it("shows what serial numbers look like", async () => {
    const { stdout } = await program.run(["network", "get", "name:LoRaWAN Demo"], { terminal: 100 });
    expect(stdout).toContain("Device EUI FFFFFFFFFFFFFFFF");
  });
});

describe("network token", () => {
  it("is printed once in full, listed by its ends, and deleted by name", async () => {
    const args = ["network", "token", "create", "name:Plant gateway", "--name", "server", "--expire", "30d"];
    const { stdout, stderr } = await program.run(args);
    const token = stdout.trim();
    expect(stderr).not.toContain(token);
    const list = ["network", "token", "list", "name:Plant gateway"];
    expect(await program.ok([...list, "-o", "id", "--reveal"])).toContain(token);
    const shown = await program.run(list, { terminal: 100 });
    expect(shown.stdout).toContain("server");
    expect(shown.stdout).not.toContain(token);
    const remove = ["network", "token", "delete", "name:Plant gateway", "server"];
    expect((await program.run(remove)).code).toBe(2);
    expect((await program.run([...remove, "--yes"])).code).toBe(0);
    expect((await program.run([...remove, "--yes"])).code).toBe(6);
  });
});

describe("service-auth", () => {
  it("is made with a parameter from stdin, which is shown nowhere", async () => {
    const args = ["service-auth", "create", "--name", "Radio", "--code-stdin", "--json", "--debug"];
    const { code, stdout, stderr } = await program.run(args, { stdin: "downlink-code\n" });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ token: expect.stringMatching(/^at[0-9a-f]{32}$/), name: "Radio" });
    expect(stdout + stderr).not.toContain("downlink-code");
  });

  it("changes the parameter, takes it off, and deletes", async () => {
    await program.ok(["service-auth", "create", "--name", "Other"]);
    const dry = ["service-auth", "update", "Other", "--code-stdin", "--dry-run"];
    expect(await program.ok(dry, { stdin: "a-new-code" })).toMatch(
      /^PUT \/serviceauth\/at\S*….{4} {"verification_code":"…"}$/,
    );
    await program.ok(["service-auth", "update", "Other", "--code-stdin"], { stdin: "a-new-code" });
    await program.ok(["service-auth", "update", "Other", "--remove-code"]);
    expect((await program.run(["service-auth", "delete", "Other", "Old gateway", "--yes"])).code).toBe(2);
    const both = ["service-auth", "delete", "Other", "Old gateway", "--confirm", "authorizations"];
    expect(await program.json<object[]>(both)).toHaveLength(2);
    expect(await names("service-auth", "list")).not.toContain("Other");
  });
});

describe("core", () => {
  it("shows what an instance holds and never its token", async () => {
    const shown = await program.ok(["core", "get", "name:Hall gateway", "--json"]);
    expect(JSON.parse(shown)).toMatchObject({ summary: { device: 2, action: 1, analysis: 1 }, connected: true });
    expect(shown).not.toContain("5eed0002");
  });

  it("changes a name, and makes a new token after a confirmation", async () => {
    expect(await program.json(["core", "update", "name:Office gateway", "--name", "Office"])).toMatchObject({
      name: "Office",
    });
    expect((await program.run(["core", "token", "name:Office"])).code).toBe(2);
    expect(await program.ok(["core", "token", "name:Office", "--yes"])).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("is deleted after a confirmation", async () => {
    const { stderr } = await program.run(["core", "delete", "name:Hall gateway", "--yes"]);
    expect(stderr).toContain('Deleted core instance "Hall gateway"');
  });
});

describe("tag keys", () => {
  it("lists the keys of a type, and guesses what a word without any was meant to be", async () => {
    expect(await program.json(["tag", "keys", "run-user"])).toEqual([{ key: "role" }, { key: "site" }]);
    const { code, stdout, stderr } = await program.run(["tag", "keys", "devices"]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: expect.stringContaining('"device"') });
  });
});

describe("template", () => {
  it("is made of a dashboard and installed with a device", async () => {
    const flags = ["--name", "Plant", "--dashboard", "name:Plant, old widgets"];
    const made = await program.json<{ id: string }>(["template", "create", ...flags]);
    expect(made).toMatchObject({ name: "Plant", type: "dashboard" });
    const installed = ["template", "install", made.id, "--device", "name:Silo north", "--replace", "Plant=Works"];
    const { dashboard } = await program.json<{ dashboard: string }>(installed);
    expect(await program.json(["dashboard", "get", dashboard])).toMatchObject({ id: dashboard });
  });

  it("is found by its id only, and made of one thing", async () => {
    expect((await program.run(["template", "get", "name:Plant"])).code).toBe(2);
    expect((await program.run(["template", "get", "65a1000000000000000b1fff"])).code).toBe(6);
    expect((await program.run(["template", "create", "--name", "X"])).code).toBe(2);
    const both = ["--dashboard", "name:Plant, old widgets", "--analysis", "name:report"];
    expect((await program.run(["template", "create", "--name", "X", ...both])).code).toBe(2);
  });
});

describe("what a network does itself", () => {
  const serial = "0004A30B001C0530";
  const soil = "65a1000000000000000d000c";
  const own = { env: { IOT_TOKEN: SEED_TOKENS.loraNetwork } };

  it("finds the token of a device, with its own token or one of --network", async () => {
    const token = SEED_DEVICE_TOKENS.soil;
    expect(await program.ok(["network", "resolve", serial, "--network", "name:LoRaWAN Demo"])).toBe(token);
    expect(await program.json(["network", "resolve", serial], own)).toEqual({ serial, token });
    expect((await program.run(["network", "resolve", "0000000000000000"], own)).code).toBe(6);
    const refused = await program.run(["network", "resolve", serial]);
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 5,
      stderr: expect.stringContaining("--network"),
    });
  });

  it("reads the authorization of the data from stdin", async () => {
    const args = ["network", "resolve", serial, "--authorization-stdin"];
    expect(await program.ok(args, { ...own, stdin: `${SEED_SERVICE_TOKEN}\n` })).toBe(SEED_DEVICE_TOKENS.soil);
    expect((await program.run(args, { ...own, stdin: "" })).code).toBe(2);
  });

  it("lists its devices, with the ends of their tokens", async () => {
    const args = ["network", "devices", "name:Soil Probe S2", "--network", "name:LoRaWAN Demo"];
    expect(await program.json(args)).toMatchObject([{ id: soil, token: maskToken(SEED_DEVICE_TOKENS.soil) }]);
    expect(await program.json([...args, "--reveal"])).toMatchObject([{ id: soil, token: SEED_DEVICE_TOKENS.soil }]);
    const shown = await program.run([...args, "--fields", "name,token"], { terminal: 100 });
    expect(shown.stdout).toContain("Soil probe");
    expect(shown.stdout).not.toContain(SEED_DEVICE_TOKENS.soil);
  });

  it("sets parameters and publishes in the name of the network of the device", async () => {
    await program.ok(["network", "param", "name:Soil probe", "downlink=0109", "--sent"]);
    const params = await program.json<object[]>(["device", "param", "list", "name:Soil probe"]);
    expect(params).toContainEqual(expect.objectContaining({ key: "downlink", value: "0109", sent: true }));
    await program.ok(["network", "publish", soil, "--topic", "a/b", "--message", "@-", "--qos", "1"], {
      ...own,
      stdin: "on",
    });
    const sent = program.here.sandbox.outbox({ kind: "mqtt" });
    expect(sent.at(-1)).toMatchObject({ topic: "a/b", message: "on", qos: 1, device: soil });
  });

  it("says when the network has no token", async () => {
    const { code, stderr } = await program.run(["network", "resolve", serial, "--network", "name:HTTPS"]);
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining("iot network token create") });
  });
});
