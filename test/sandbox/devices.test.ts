import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { call, newDevice, ok } from "./client.ts";

let sandbox: Sandbox;
let token: string;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  token = sandbox.tokens.profile;
});
afterAll(() => sandbox.close());

const info = (id: string) => ok<Record<string, unknown>>(sandbox, "GET", `/device/${id}`, { token });

async function refusal(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; message?: string; fields: string[] }> {
  const answer = await call(sandbox, method, path, { token, body });
  const fields = Object.keys((answer.body.field_errors as object | undefined) ?? {});
  return { status: answer.status, fields, ...(answer.body.message !== undefined && { message: answer.body.message }) };
}

describe("devices", () => {
  it("are created with a Default token that never expires, and both spellings of the id", async () => {
    const created = await newDevice(sandbox, { serie_number: "A1", configuration_params: [{ key: "k", value: "v" }] });
    expect(created.deviceID).toBe(created.device_id);
    expect(created.bucket_id).toBe(created.device_id);
    expect(created.token).toMatch(/^[0-9a-f-]{36}$/);
    const fields = "fields=name,permission,expire_time,serie_number,token,device_id,network_id";
    const tokens = await ok<unknown[]>(sandbox, "GET", `/device/token/${created.device_id}?${fields}`, { token });
    expect(tokens).toEqual([
      {
        name: "Default",
        permission: "full",
        expire_time: "never",
        serie_number: "A1",
        token: created.token,
        device_id: created.device_id,
        network_id: expect.any(String),
      },
    ]);
    const params = await ok(sandbox, "GET", `/device/${created.device_id}/params`, { token });
    expect(params).toEqual([{ id: expect.any(String), key: "k", value: "v", sent: false }]);
  });

  it("show every member, and the same to their own token", async () => {
    const { device_id, token: own } = await newDevice(sandbox, {
      tags: [{ key: "a", value: "b", metadata: { run: false } }],
    });
    const shown = await info(device_id);
    expect(shown).toMatchObject({
      id: device_id,
      profile: sandbox.profileId,
      name: "Test device",
      type: "mutable",
      active: true,
      visible: true,
      tags: [{ key: "a", value: "b", metadata: { run: false } }],
      bucket: { id: device_id, name: "Test device" },
      data_retention: "forever",
      last_input: null,
    });
    expect(await ok(sandbox, "GET", "/info", { token: own })).toEqual(shown);
  });

  it("need period and retention when immutable, within the limits of the period", async () => {
    const immutable = { name: "Immutable", type: "immutable" };
    expect((await refusal("POST", "/device", immutable)).fields.sort()).toEqual(["chunk_period", "chunk_retention"]);
    const tooLong = { ...immutable, chunk_period: "day", chunk_retention: 32 };
    expect((await refusal("POST", "/device", tooLong)).fields).toEqual(["chunk_retention"]);
    const created = await newDevice(sandbox, { ...immutable, chunk_period: "day", chunk_retention: 31 });
    expect(await info(created.device_id)).toMatchObject({ data_retention: "31 day" });
    expect((await refusal("POST", "/device", { name: "Old", type: "legacy" })).fields).toEqual(["type"]);
  });

  it("change the members sent and no others", async () => {
    const { device_id } = await newDevice(sandbox, { tags: [{ key: "a", value: "b" }] });
    const before = await info(device_id);
    const text = await ok(sandbox, "PUT", `/device/${device_id}`, {
      token,
      body: { name: "Renamed", id: "x", type: "hybrid" },
    });
    expect(text).toBe("Successfully Updated");
    const after = await info(device_id);
    expect(after).toMatchObject({ id: device_id, name: "Renamed", type: "mutable", tags: before["tags"] });
    expect((await refusal("PUT", `/device/${device_id}`, { name: "x" })).fields).toEqual(["name"]);
    expect(
      (await refusal("PUT", `/device/${device_id}`, { tags: Array(31).fill({ key: "a", value: "b" }) })).fields,
    ).toEqual(["tags"]);
  });

  it("go with their data, tokens and parameters", async () => {
    const device = await newDevice(sandbox, { configuration_params: [{ key: "k", value: "v" }] });
    await ok(sandbox, "POST", "/data", { token: device.token, body: { variable: "a", value: 1 } });
    expect(await ok(sandbox, "DELETE", `/device/${device.device_id}`, { token })).toBe("Successfully Removed");
    expect(await refusal("GET", `/device/${device.device_id}`)).toMatchObject({
      status: 404,
      message: "Device Not Found",
    });
    expect((await call(sandbox, "GET", "/info", { token: device.token })).status).toBe(401);
    expect((await refusal("DELETE", `/device/${device.device_id}`)).status).toBe(404);
  });

  it("with the protecting tag stay, and the tag says why", async () => {
    const tags = [{ key: "_delete_protection_", value: "Ask Dana first" }];
    const device = await newDevice(sandbox, { tags });
    expect(await refusal("DELETE", `/device/${device.device_id}`)).toMatchObject({
      status: 400,
      message: "Ask Dana first",
    });
    await ok(sandbox, "PUT", `/device/${device.device_id}`, { token, body: { tags: [] } });
    await ok(sandbox, "DELETE", `/device/${device.device_id}`, { token });
  });

  it("have parsers of at most 64 kB of code", async () => {
    const parser = (bytes: number) => ({ payload_decoder: Buffer.alloc(bytes, " ").toString("base64") });
    const { device_id: id } = await newDevice(sandbox, parser(65_536));
    expect(await refusal("PUT", `/device/${id}`, parser(65_539))).toMatchObject({ fields: ["payload_decoder"] });
  });

  it("keep the regular expression of a hybrid while they hold data", async () => {
    const hybrid = { type: "hybrid", chunk_period: "month", chunk_retention: 1, mutable_variable_regex: "^a" };
    const device = await newDevice(sandbox, hybrid);
    const edit = { mutable_variable_regex: "^b" };
    await ok(sandbox, "PUT", `/device/${device.device_id}`, { token, body: edit });
    await ok(sandbox, "POST", "/data", { token: device.token, body: { variable: "b1", value: 1 } });
    const refused = await refusal("PUT", `/device/${device.device_id}`, hybrid);
    expect(refused.fields).toEqual(["mutable_variable_regex"]);
    expect((await refusal("POST", "/device", { ...hybrid, name: "Bad", mutable_variable_regex: "(" })).fields).toEqual([
      "mutable_variable_regex",
    ]);
  });

  it.each([
    ["a lookahead", "^(?=set)"],
    ["a lookbehind", "(?<!x)set"],
    ["a backreference", "(a)\\1"],
    ["a repetition of repetitions", "(?:[a-z]{1,30}){1,30}"],
  ])("are refused with a regular expression that has %s", async (_, pattern) => {
    const hybrid = { type: "hybrid", chunk_period: "month", chunk_retention: 1 };
    const body = { ...hybrid, name: "Pattern", mutable_variable_regex: pattern };
    expect(await refusal("POST", "/device", body)).toMatchObject({ status: 400, fields: ["mutable_variable_regex"] });
    const { device_id: id } = await newDevice(sandbox, { ...hybrid, mutable_variable_regex: "^a" });
    const edit = { mutable_variable_regex: pattern };
    expect(await refusal("PUT", `/device/${id}`, edit)).toMatchObject({
      status: 400,
      fields: ["mutable_variable_regex"],
    });
  });

  it("store names that would keep a backtracking regular expression busy for years", async () => {
    const hybrid = { type: "hybrid", chunk_period: "month", chunk_retention: 1, mutable_variable_regex: "^(a+)+$" };
    const device = await newDevice(sandbox, hybrid);
    const body = ["a".repeat(60), `${"a".repeat(60)}b`].map((variable) => ({ variable, value: 1 }));
    expect(await ok(sandbox, "POST", "/data", { token: device.token, body })).toBe("2 Data Added");
    const chunks = await ok<{ amount: number }[]>(sandbox, "GET", `/device/${device.device_id}/chunk`, { token });
    expect(chunks.map(({ amount }) => amount)).toEqual([1]);
  });

  it("must use a network that belongs to their connector", async () => {
    const [connector] = await ok<{ id: string; networks: string[] }[]>(
      sandbox,
      "GET",
      "/integration/connector/?fields=networks&amount=1",
      { token },
    );
    const foreign = { name: "Wrong net", connector: connector?.id, network: "65a1000000000000000e9999" };
    expect((await refusal("POST", "/device", foreign)).fields).toEqual(["network"]);
    const created = await newDevice(sandbox, { connector: connector?.id });
    expect(await info(created.device_id)).toMatchObject({ network: connector?.networks[0] });
  });
});

describe("a change of network or connector", () => {
  const place = async () => {
    const body = { name: "Other network" };
    const { network } = await ok<{ network: string }>(sandbox, "POST", "/integration/network", { token, body });
    const { connector } = await ok<{ connector: string }>(sandbox, "POST", "/integration/connector", {
      token,
      body: { name: "Other connector", networks: [network] },
    });
    return { network, connector };
  };

  it("needs both of them and a device without tokens", async () => {
    const device = await newDevice(sandbox);
    const path = `/device/${device.device_id}`;
    const { network, connector } = await place();
    expect(await refusal("PUT", path, { network })).toMatchObject({ status: 400, fields: ["connector"] });
    expect(await refusal("PUT", path, { connector })).toMatchObject({ status: 400, fields: ["network"] });
    expect(await refusal("PUT", path, { network, connector })).toMatchObject({
      status: 400,
      message: "Remove the tokens of the device before you change its network or connector",
    });
    await ok(sandbox, "DELETE", `/device/token/${device.token}`, { token });
    const other = { network: "65a1000000000000000e9999", connector };
    expect((await refusal("PUT", path, other)).fields).toEqual(["network"]);
    await ok(sandbox, "PUT", path, { token, body: { network, connector } });
    expect(await info(device.device_id)).toMatchObject({ network, connector });
  });

  it("is none when the same ones are sent again", async () => {
    const { device_id: id } = await newDevice(sandbox);
    const { network, connector } = await info(id);
    await ok(sandbox, "PUT", `/device/${id}`, { token, body: { network, connector, name: "Same place" } });
    await ok(sandbox, "PUT", `/device/${id}`, { token, body: { network } });
  });
});

describe("the conversion of a device", () => {
  const immutable = { type: "immutable", chunk_period: "quarter", chunk_retention: 4 };

  it("changes the storage of a device and removes its data", async () => {
    const device = await newDevice(sandbox);
    const path = `/device/${device.device_id}`;
    await ok(sandbox, "POST", "/data", { token: device.token, body: { variable: "a", value: 1 } });
    const text = "Device type/chunk was converted";
    expect(await ok(sandbox, "POST", `${path}/convert`, { token, body: immutable })).toBe(text);
    expect(await info(device.device_id)).toMatchObject({ ...immutable, data_retention: "4 quarter" });
    expect(await ok(sandbox, "POST", `${path}/convert`, { token, body: { type: "mutable" } })).toBe(text);
    expect(await info(device.device_id)).toMatchObject({
      type: "mutable",
      chunk_period: null,
      data_retention: "forever",
    });
    expect(await ok(sandbox, "GET", "/data", { token: device.token })).toEqual([]);
  });

  it("needs a type, and a period and a retention where the type has chunks", async () => {
    const { device_id: id } = await newDevice(sandbox, { active: false });
    expect((await refusal("POST", `/device/${id}/convert`, {})).fields).toEqual(["type"]);
    const { fields } = await refusal("POST", `/device/${id}/convert`, { type: "hybrid" });
    expect(fields.sort()).toEqual(["chunk_period", "chunk_retention"]);
  });
});

describe("parameters", () => {
  it("are added, changed by id in the body, filtered and removed", async () => {
    const { device_id } = await newDevice(sandbox);
    const path = `/device/${device_id}/params`;
    expect(await ok(sandbox, "POST", path, { token, body: { key: "a", value: "1" } })).toBe(
      "Params Successfully Updated",
    );
    await ok(sandbox, "POST", path, { token, body: [{ key: "b", value: 2, sent: true }] });
    const params = await ok<{ id: string; key: string }[]>(sandbox, "GET", path, { token });
    expect(params).toMatchObject([
      { key: "a", value: "1", sent: false },
      { key: "b", value: "2", sent: true },
    ]);
    const [a, b] = params;
    await ok(sandbox, "POST", path, { token, body: { id: a?.id, key: "a", value: "9" } });
    expect(await ok(sandbox, "GET", `${path}?sent_status=false`, { token })).toMatchObject([{ key: "a", value: "9" }]);
    expect(await ok(sandbox, "GET", `${path}?sent_status=True`, { token })).toMatchObject([{ key: "b" }]);
    expect(await ok(sandbox, "DELETE", `${path}/${b?.id}`, { token })).toBe("Successfully Removed");
    expect((await refusal("DELETE", `${path}/${b?.id}`)).status).toBe(404);
    expect(await ok(sandbox, "GET", path, { token })).toHaveLength(1);
  });

  it("are sixty at most, and a request above that adds none", async () => {
    const { device_id } = await newDevice(sandbox);
    const path = `/device/${device_id}/params`;
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ key: `k${index}`, value: "v" }));
    await ok(sandbox, "POST", path, { token, body: many(59) });
    const refused = await refusal("POST", path, many(2));
    expect(refused).toMatchObject({
      status: 400,
      message: expect.stringContaining("maximum limit of Device Params (60)"),
    });
    expect(await ok(sandbox, "GET", path, { token })).toHaveLength(59);
  });

  it("are read and marked by the device itself, and by no other device", async () => {
    const device = await newDevice(sandbox, { configuration_params: [{ key: "k", value: "v" }] });
    const other = await newDevice(sandbox);
    const [param] = await ok<{ id: string }[]>(sandbox, "GET", "/device/params?sent_status=false", {
      token: device.token,
    });
    const mark = { body: { sent: true } };
    const foreign = await call(sandbox, "PUT", `/device/params/${param?.id}`, { token: other.token, ...mark });
    expect(foreign.status).toBe(404);
    await ok(sandbox, "PUT", `/device/params/${param?.id}`, { token: device.token, ...mark });
    expect(await ok(sandbox, "GET", "/device/params?sent_status=true", { token: device.token })).toHaveLength(1);
    await ok(sandbox, "PUT", `/device/params/${param?.id}`, { token: device.token, body: { sent: false } });
    expect(await ok(sandbox, "PUT", `/device/params/${param?.id}`, { token: device.token })).toBe(
      "Params Successfully Updated",
    );
    expect(await ok(sandbox, "GET", "/device/params?sent_status=true", { token: device.token })).toHaveLength(1);
  });

  it("keep numbers as strings, and zero as an empty one", async () => {
    const configuration_params = [
      { key: "rate", value: 600 },
      { key: "measure_time", value: 0 },
    ];
    const { device_id: id } = await newDevice(sandbox, { configuration_params });
    expect(await ok(sandbox, "GET", `/device/${id}/params`, { token })).toMatchObject([
      { value: "600" },
      { value: "" },
    ]);
  });
});

describe("device tokens", () => {
  it("are created without an end and without a name in the response", async () => {
    const { device_id: device } = await newDevice(sandbox);
    const body = { device, name: "Second", permission: "write" };
    const created = await ok<object>(sandbox, "POST", "/device/token", { token, body });
    expect(created).toEqual({
      token: expect.stringMatching(/^[0-9a-f-]{36}$/),
      permission: "write",
      expire_time: "never",
      expire_date: "never",
    });
  });

  it("are listed the newest first, with fields, pages and filters", async () => {
    const { device_id } = await newDevice(sandbox);
    for (const name of ["One", "Two", "Three"]) {
      await ok(sandbox, "POST", "/device/token", { token, body: { device: device_id, name, permission: "read" } });
    }
    const list = (query: string) =>
      ok<{ name: string }[]>(sandbox, "GET", `/device/token/${device_id}?${query}`, { token });
    expect((await list("")).map(({ name }) => name)).toEqual(["Three", "Two", "One", "Default"]);
    expect((await list("orderBy=name,asc&amount=2")).map(({ name }) => name)).toEqual(["Default", "One"]);
    expect((await list("amount=2&page=2")).map(({ name }) => name)).toEqual(["One", "Default"]);
    expect((await list("filter[name]=t*")).map(({ name }) => name)).toEqual(["Three", "Two"]);
    expect(Object.keys((await list("fields=name"))[0] ?? {})).toEqual(["name"]);
    expect(Object.keys((await list(""))[0] ?? {}).sort()).toEqual(["name", "permission", "token"]);
  });

  it("open nothing any more once deleted", async () => {
    const device = await newDevice(sandbox);
    expect(await ok(sandbox, "DELETE", `/device/token/${device.token}`, { token })).toBe("Token Successfully Removed");
    expect((await call(sandbox, "GET", "/info", { token: device.token })).status).toBe(401);
    expect((await refusal("DELETE", `/device/token/${device.token}`)).status).toBe(404);
  });

  it("cannot be removed through the profile's own token list, nor the other way round", async () => {
    const device = await newDevice(sandbox);
    expect((await refusal("DELETE", `/profile/current/token/${device.token}`)).status).toBe(404);
    expect((await refusal("DELETE", `/device/token/${sandbox.tokens.read}`)).status).toBe(404);
  });
});
