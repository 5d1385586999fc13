import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Dictionary, Network, Resources, Utils } from "../../src/index.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { demoSandbox } from "../helpers/demo-sandbox.ts";
import {
  SEED_CATALOGUE,
  SEED_DEVICE_TOKENS,
  SEED_DEVICES,
  SEED_DICTIONARY,
  SEED_ENTITIES,
  SEED_SECRETS,
  SEED_SERVICE_TOKEN,
  SEED_TCORES,
  SEED_TOKENS,
} from "../helpers/seed.ts";
import { call, newDevice, ok } from "./client.ts";

let sandbox: Sandbox;
let token: string;
let resources: Resources;
const region = () => ({ api: sandbox.url, sse: sandbox.eventsUrl });

beforeAll(async () => {
  sandbox = await demoSandbox();
  token = sandbox.tokens.profile;
  resources = new Resources({ token, region: region() });
});
afterAll(() => sandbox.close());

describe("secrets", () => {
  it("are made, listed, edited and deleted, and never shown", async () => {
    const { id } = await resources.secrets.create({
      key: "TWILIO",
      value: "hush-hush",
      tags: [{ key: "a", value: "b" }],
    });
    expect(await resources.secrets.info(id)).toEqual({
      id,
      profile: sandbox.profileId,
      key: "TWILIO",
      value_length: 9,
      tags: [{ key: "a", value: "b" }],
      created_at: expect.any(Date),
      updated_at: expect.any(Date),
    });
    expect(await resources.secrets.edit(id, { value: "longer-than-before" })).toBe("Successfully Updated");
    const listed = await ok(sandbox, "GET", "/secrets?fields=key,value,value_length&filter[key]=TWI*", { token });
    expect(listed).toEqual([{ id, key: "TWILIO", value_length: 18, tags: [{ key: "a", value: "b" }] }]);
    expect(await resources.secrets.delete(id)).toBe("Successfully Removed");
    await expect(resources.secrets.info(id)).rejects.toThrow("Secret Not Found");
  });

  it("have keys that are used once and do not change", async () => {
    await expect(resources.secrets.create({ key: "plant_smtp", value: "hidden" })).rejects.toThrow(
      "Sorry, Internal Error",
    );
    await ok(sandbox, "PUT", `/secrets/${SEED_SECRETS.smtp}`, { token, body: { key: "OTHER" } });
    expect((await resources.secrets.info(SEED_SECRETS.smtp)).key).toBe("PLANT_SMTP");
    expect((await resources.secrets.list()).map(({ key }) => key)).toEqual(["PLANT_SMTP", "WEATHER_API_KEY"]);
  });
});

describe("a secret", () => {
  const refused = async (key: string, value: string) => {
    const { status, body } = await call(sandbox, "POST", "/secrets", { token, body: { key, value } });
    return [status, body.message];
  };

  it("has a key of letters, digits and _, in upper case, and a value of 6 to 2,048 characters", async () => {
    const { id } = await resources.secrets.create({ key: "maps_2", value: "123456" });
    expect((await resources.secrets.info(id)).key).toBe("MAPS_2");
    const internal = [400, "Sorry, Internal Error"];
    expect(await refused("MAPS-3", "123456")).toEqual(internal);
    expect(await refused("", "123456")).toEqual(internal);
    expect(await refused("MAPS_3", "12345")).toEqual(internal);
    expect(await refused("MAPS_3", "x".repeat(2_049))).toEqual(internal);
    await expect(resources.secrets.edit(id, { value: "12345" })).rejects.toThrow("Sorry, Internal Error");
    await resources.secrets.delete(id);
  });
});

describe("dictionaries", () => {
  it("show the own texts of a language, inactive or not, and fill missing ones key by key when asked to", async () => {
    const { dictionaries } = resources;
    const own = await dictionaries.languageInfo(SEED_DICTIONARY, "pt-BR");
    expect(own).toEqual({ HELLO: "Olá", TEMPERATURE: "Temperatura" });
    expect(await dictionaries.languageInfo(SEED_DICTIONARY, "pt-BR", { fallback: true })).toEqual({
      ...(await dictionaries.languageInfo(SEED_DICTIONARY, "en-US")),
      ...own,
    });
    expect(await dictionaries.languageInfo(SEED_DICTIONARY, "es")).toMatchObject({ HELLO: "Hola" });
    await expect(dictionaries.languageInfo(SEED_DICTIONARY, "fr-FR")).rejects.toThrow("fr-FR can't be found");
    for (const code of ["es", "fr-FR"]) {
      const fallback = { HELLO: "Hello", GOODBYE: "Goodbye" };
      expect(await dictionaries.languageInfo(SEED_DICTIONARY, code, { fallback: true })).toMatchObject(fallback);
      expect(await dictionaries.languageInfoBySlug("TEST", code)).toMatchObject(fallback);
    }
    await expect(dictionaries.languageInfoBySlug("NONE", "en-US")).rejects.toThrow("Dictionary Not Found");
  });

  it("are read by anybody through the portal, always with the fallback", async () => {
    const path = `/dictionary/${sandbox.profileId}.tago.run/TEST/es`;
    expect(await ok(sandbox, "GET", path)).toMatchObject({ HELLO: "Hello" });
    const reader = new Dictionary({ token, language: "pt-BR", region: region() });
    expect(await reader.applyToString("#TEST.HELLO#, #TEST.NONE#")).toBe("Olá, #TEST.NONE#");
  });

  it("get a language with its first write, and replace it whole with each further one", async () => {
    const { dictionaries } = resources;
    const { dictionary: id } = await dictionaries.create({ name: "Words", slug: "WORDS", fallback: "en-US" });
    expect(await dictionaries.info(id)).toEqual({
      id,
      profile: sandbox.profileId,
      name: "Words",
      slug: "WORDS",
      fallback: "en-US",
      languages: [{ code: "en-US", active: true }],
      created_at: expect.any(Date),
      updated_at: expect.any(Date),
    });
    await expect(dictionaries.languageInfo(id, "en-US")).rejects.toThrow("en-US can't be found");
    await expect(dictionaries.languageInfo(id, "en-US", { fallback: true })).rejects.toThrow("en-US can't be found");
    const done = "Dictionary language Successfully Updated";
    expect(await dictionaries.languageEdit(id, "en-US", { dictionary: { AA: "a", BB: "b" }, active: true })).toBe(done);
    expect(await dictionaries.languageEdit(id, "de-DE", { dictionary: { AA: "ä", CC: "c" }, active: true })).toBe(done);
    expect(await dictionaries.languageInfo(id, "en-US")).toEqual({ AA: "a", BB: "b" });
    await dictionaries.languageEdit(id, "de-DE", { dictionary: { CC: "d" }, active: true });
    expect(await dictionaries.languageInfo(id, "de-DE")).toEqual({ CC: "d" });
    await ok(sandbox, "PUT", `/dictionary/${id}/de-DE`, { token, body: { active: false } });
    expect(await dictionaries.languageInfo(id, "de-DE")).toEqual({ CC: "d" });
    await expect(dictionaries.languageDelete(id, "en-US")).rejects.toThrow("The fallback language cannot be deleted");
    await expect(dictionaries.languageDelete(id, "fr-FR")).rejects.toThrow("fr-FR can't be found");
    expect(await dictionaries.edit(id, { fallback: "de-DE" })).toBe("Successfully Updated");
    expect(await dictionaries.languageDelete(id, "en-US")).toBe("Successfully Removed");
    expect((await dictionaries.info(id)).languages).toEqual([{ code: "de-DE", active: false }]);
    expect(await dictionaries.delete(id)).toBe("Successfully Removed");
  });

  it.each([
    ["a slug that is taken", "POST", "/dictionary", { name: "x", slug: "TEST", fallback: "en-US" }, "slug"],
    ["a slug of eight characters", "POST", "/dictionary", { name: "x", slug: "TOO_LONG", fallback: "en-US" }, "slug"],
    ["a slug in lower case", "POST", "/dictionary", { name: "x", slug: "low", fallback: "en-US" }, "slug"],
    ["a slug with a space", "POST", "/dictionary", { name: "x", slug: "A B", fallback: "en-US" }, "slug"],
    ["no fallback", "POST", "/dictionary", { name: "x", slug: "X" }, "fallback"],
    [
      "a key in lower case",
      "PUT",
      `/dictionary/${SEED_DICTIONARY}/en-US`,
      { dictionary: { aa: "x" } },
      "dictionary.aa",
    ],
    [
      "a key of one character",
      "PUT",
      `/dictionary/${SEED_DICTIONARY}/en-US`,
      { dictionary: { A: "x" } },
      "dictionary.A",
    ],
  ])("refuse %s", async (_, method, path, body, field) => {
    const answer = await call(sandbox, method, path, { token, body });
    expect([answer.status, Object.keys(answer.body.field_errors ?? {})]).toEqual([400, [field]]);
  });

  it("refuse what is no language", async () => {
    const answer = await call(sandbox, "PUT", `/dictionary/${SEED_DICTIONARY}/english!`, {
      token,
      body: { active: true },
    });
    expect([answer.status, answer.body.message]).toEqual([400, "Invalid language"]);
  });
});

describe("connectors and networks", () => {
  it("are made, edited, used and deleted", async () => {
    const { connectors, networks } = resources.integration;
    const { network } = await networks.create({ name: "Own network", serial_number: { mask: "AA-00", case: "upper" } });
    const { connector } = await connectors.create({ name: "Own connector", networks: [network] });
    expect(await connectors.edit(connector, { description: "Better" })).toBe("Connector Successfully Updated");
    expect(await networks.edit(network, { middleware_endpoint: "example.test" })).toBe("Network Successfully Updated");
    expect(await networks.info(network, ["name", "middleware_endpoint"])).toMatchObject({
      name: "Own network",
      middleware_endpoint: "example.test",
    });
    expect(await connectors.info(connector)).toMatchObject({
      description: "Better",
      networks: [network],
      public: false,
    });
    const made = await newDevice(sandbox, { connector, network, serie_number: "ab-12" });
    const [own] = await resources.devices.tokenList(made.device_id, { fields: ["serie_number"] });
    expect(own?.serie_number).toBe("AB12");
    const refused = await call(sandbox, "POST", "/device", {
      token,
      body: { name: "Wrong serial", connector, network, serie_number: "1234" },
    });
    expect([refused.status, refused.body.field_errors]).toEqual([400, { serie_number: ["Must look like AA-00"] }]);
    expect(await connectors.delete(connector)).toBe("Connector Successfully Deleted");
    expect(await networks.delete(network)).toBe("Successfully Removed");
    await expect(networks.info(network)).rejects.toThrow("Network Not Found");
  });

  it("of the catalogue can be read, and nothing else", async () => {
    const { networks } = resources.integration;
    await expect(networks.edit(SEED_CATALOGUE.loraNetwork, { name: "Mine" })).rejects.toThrow("Network Not Found");
    await expect(networks.delete(SEED_CATALOGUE.loraNetwork)).rejects.toThrow("Network Not Found");
    expect((await networks.info(SEED_CATALOGUE.loraNetwork)).name).toBe("LoRaWAN Demo");
  });

  it("have tokens", async () => {
    const { networks } = resources.integration;
    const made = await networks.tokenCreate(SEED_CATALOGUE.privateNetwork, { name: "Second", permission: "full" });
    expect(made).toEqual({
      token: expect.stringMatching(/^n-/),
      name: "Second",
      network: SEED_CATALOGUE.privateNetwork,
    });
    const listed = await networks.tokenList(SEED_CATALOGUE.privateNetwork);
    expect(listed.map(({ name }) => name)).toEqual(["Second", "Demo network"]);
    expect(await networks.tokenDelete(made.token)).toBe("Token Successfully Removed");
    await expect(new Network({ token: made.token, region: region() }).info()).rejects.toThrow("Authorization Denied");
  });
});

describe("a network with its own token", () => {
  let network: Network;
  let device: string;
  beforeAll(async () => {
    network = new Network({ token: SEED_TOKENS.network, region: region() });
    const body = { connector: SEED_CATALOGUE.privateConnector, network: SEED_CATALOGUE.privateNetwork };
    device = (await newDevice(sandbox, { ...body, name: "Behind the gateway", serie_number: "GW-1" })).device_id;
  });

  it("finds the token of a device by its serial number, the newest device first", async () => {
    expect(await network.info()).toMatchObject({ id: SEED_CATALOGUE.privateNetwork, name: "Plant gateway" });
    const before = await network.resolveToken("GW-1");
    expect(before).toBe((await resources.devices.tokenList(device))[0]?.token);
    const body = { connector: SEED_CATALOGUE.privateConnector, network: SEED_CATALOGUE.privateNetwork };
    const next = await newDevice(sandbox, { ...body, name: "Newer one", serie_number: "GW-1" });
    expect(await network.resolveToken("GW-1")).toBe(next.token);
    await expect(network.resolveToken("GW-2")).rejects.toThrow("Device Not Found");
    await expect(network.resolveToken("0004A30B001C0530")).rejects.toThrow("Device Not Found");
  });

  it("notes the authorization the data came with, and refuses others", async () => {
    const { token: authorization } = await resources.serviceAuthorization.tokenCreate({
      name: "Gateway",
      permission: "full",
    });
    const found = await network.resolveToken("GW-1", authorization);
    const owner = (await resources.devices.list({ filter: { name: "Newer one" } }))[0]?.id ?? "";
    const tokens = await resources.devices.tokenList(owner, { fields: ["token", "last_authorization"] });
    expect(tokens).toMatchObject([{ token: found, last_authorization: authorization }]);
    await expect(network.resolveToken("GW-1", `at${"0".repeat(32)}`)).rejects.toThrow("Authorization Denied");
  });

  it("lists its devices with their tokens and sets their parameters", async () => {
    const devices = await network.deviceList(SEED_CATALOGUE.privateConnector, { filter: { name: "Behind*" } });
    expect(devices).toMatchObject([
      { id: device, bucket: device, token: expect.any(String), name: "Behind the gateway" },
    ]);
    expect(await network.deviceParamSet(device, { key: "slave", value: "4", sent: false })).toBe(
      "Device Configuration Parameter Updated",
    );
    const [param] = await resources.devices.paramList(device);
    expect(param).toMatchObject({ key: "slave", value: "4", sent: false });
    await expect(network.deviceParamSet(SEED_DEVICES.soil, { key: "a", value: "b" })).rejects.toThrow(
      "Device Not Found",
    );
  });

  it("publishes to the outbox only", async () => {
    await network.publishToRelay({ topic: "down/1", message: "on", device, qos: 1 });
    expect(sandbox.outbox().at(-1)).toMatchObject({ kind: "mqtt", topic: "down/1", message: "on", device });
    await expect(network.publishToRelay({ topic: "x", message: "y", device: SEED_DEVICES.soil })).rejects.toThrow(
      "Device Not Found",
    );
  });
});

describe("a downlink", () => {
  it("goes to the sandbox's own middleware and is kept in the outbox", async () => {
    const options = { payload: "0109", port: 5, confirmed: true };
    expect(await Utils.sendDownlink(resources, SEED_DEVICES.soil, options)).toBe("Downlink accepted with status 200");
    expect(sandbox.outbox().at(-1)).toMatchObject({ kind: "downlink", device_id: SEED_DEVICES.soil, ...options });
    expect((await resources.devices.info(SEED_DEVICES.soil)).last_output).not.toBeNull();
    const params = await resources.devices.paramList(SEED_DEVICES.soil);
    expect(params).toContainEqual(expect.objectContaining({ key: "downlink", value: "0109", sent: false }));
  });

  it.each([
    ["without an authorization", {}, 400, "Authorization is missing"],
    ["with an unknown one", { authorization: `at${"0".repeat(32)}` }, 401, "Authorization Denied"],
    ["with the token of a device", { authorization: SEED_DEVICE_TOKENS.soil }, 401, "Authorization Denied"],
    ["to an unknown device", { authorization: SEED_SERVICE_TOKEN, device: "FFFF" }, 404, "Device Not Found"],
  ])("is refused %s", async (_, part, status, message) => {
    const body = { device: "0004A30B001C0530", payload: "01", port: 1, ...part };
    const answer = await call(sandbox, "POST", "/middleware/downlink", { body });
    expect([answer.status, answer.body.message]).toEqual([status, message]);
  });
});

describe("core instances", () => {
  it("are listed, read with a summary, edited, given a new token and deleted", async () => {
    const { tagocores } = resources;
    expect(await tagocores.list()).toMatchObject([{ name: "Hall gateway" }, { name: "Office gateway" }]);
    const plain = await tagocores.info(SEED_TCORES.hall);
    expect(plain).toMatchObject({ connected: true, os: { name: "Linux" }, token: expect.any(String) });
    expect(plain).not.toHaveProperty("summary");
    expect(plain).not.toHaveProperty("devices");
    expect((await tagocores.info(SEED_TCORES.hall, true)).summary).toEqual({ device: 2, action: 1, analysis: 1 });
    const [row] = await tagocores.list({ fields: ["token", "machine_id"] as never });
    expect(row).not.toHaveProperty("token");
    expect(await tagocores.edit(SEED_TCORES.hall, { name: "Hall" })).toBe("Successfully Updated");
    const fresh = await tagocores.tokenGenerate(SEED_TCORES.hall);
    expect(fresh).not.toBe(plain.token);
    expect(await tagocores.standaloneDeviceList(SEED_TCORES.hall)).toMatchObject([
      { name: "Press 1" },
      { name: "Press 2" },
    ]);
    expect((await tagocores.standaloneDeviceInfo(SEED_TCORES.hall, "65a1000000000000000a2001")).name).toBe("Press 1");
    await expect(tagocores.standaloneDeviceInfo(SEED_TCORES.office, SEED_DEVICES.soil)).rejects.toThrow(
      "Device Not Found",
    );
    expect(await tagocores.delete(SEED_TCORES.office)).toBe("Successfully Removed");
    await expect(tagocores.info(SEED_TCORES.office)).rejects.toThrow("TCore Not Found");
  });
});

describe("the seed", () => {
  it("has two thousand sites in an entity with an index of three fields, and an empty one", async () => {
    expect(await resources.entities.amount(SEED_ENTITIES.sites)).toBe(2000);
    expect(await resources.entities.amount(SEED_ENTITIES.empty)).toBe(0);
    const rows = await resources.entities.getEntityData(SEED_ENTITIES.sites, {
      index: "city_state_opened_idx",
      filter: { city: "Oslo" },
    });
    expect(rows).toEqual([]);
    const open = await resources.entities.getEntityData(SEED_ENTITIES.sites, {
      index: "city_state_opened_idx",
      filter: { city: "Bergen", state: "open", opened: { start: "2020-01-01" } },
      amount: 10_000,
    });
    expect(open.length).toBeGreaterThan(10);
    expect(open.map((row) => String(row["opened"]))).toEqual(
      open
        .map((row) => String(row["opened"]))
        .sort()
        .reverse(),
    );
    expect(await resources.tags.getTagKeys("entity")).toEqual(["kind"]);
  });

  it("has files that set traps for prefixes and encodings", async () => {
    const { folders } = await resources.files.list();
    // In the order of the bytes of their keys, where "-" comes before "/".
    expect(folders).toEqual(["logos-old", "logos", "plans", "reports"]);
    const reports = await resources.files.list({ path: "/reports/" });
    expect(reports.folders).toEqual(["2024", "annual"]);
    expect(reports.files.map(({ filename, public: isPublic }) => [filename, isPublic])).toEqual([
      ["reports/annual", false],
      ["reports/open.txt", true],
      ["reports/Übersicht März 100%.txt", false],
    ]);
    const logo = await fetch(`${sandbox.url}/file/${sandbox.profileId}/logos/plant.svg`);
    expect([logo.status, logo.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  });
});
