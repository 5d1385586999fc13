import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, manualClock, type Sandbox } from "../../../src/sandbox/index.ts";
import { SEED_DEVICE_TOKENS, SEED_DEVICES, SEED_TOKENS } from "../../helpers/seed.ts";

const NOW_MS = Date.parse("2026-05-14T10:30:00.000Z");
const { truck, freezer, weather, settings } = SEED_DEVICES;

interface Reply {
  readonly status: number;
  readonly body: { readonly status: boolean; readonly result?: unknown; readonly message?: string };
}

let sandbox: Sandbox;
const clock = manualClock(NOW_MS);
beforeAll(async () => {
  sandbox = await createSandbox({ clock });
});
afterAll(() => sandbox.close());

async function call(method: string, path: string, token: string, body?: unknown): Promise<Reply> {
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: { token, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Reply["body"] };
}

const get = (path: string, token: string = SEED_TOKENS.full): Promise<Reply> => call("GET", path, token);
const done = (result: unknown): Reply => ({ status: 200, body: { status: true, result } });
const refused = (status: number, message: string): object => ({
  status,
  body: expect.objectContaining({ status: false, message }),
});

/** A new mutable device and its token. */
async function newDevice(settingsOf: object = {}): Promise<{ id: string; token: string }> {
  const { body } = await call("POST", "/device", SEED_TOKENS.full, {
    name: "Test device",
    type: "mutable",
    ...settingsOf,
  });
  const { device_id: id, token } = body.result as { device_id: string; token: string };
  return { id, token };
}

describe("device data over HTTP", () => {
  it("is sent, read, edited, counted and deleted with the device's own token", async () => {
    const { id, token } = await newDevice();
    expect(await call("POST", "/data", token, [{ variable: "Temp", value: 21.5, unit: "C" }])).toEqual(
      done("1 Data Added"),
    );
    const { body } = await get("/data?variable=temp", token);
    const [row] = body.result as { id: string }[];
    expect(row).toMatchObject({
      device: id,
      variable: "temp",
      value: 21.5,
      unit: "C",
      time: "2026-05-14T10:30:00.000Z",
    });
    expect(row).not.toHaveProperty("created_at");
    expect(await call("PUT", "/data", token, { id: row?.id, value: 22 })).toEqual(done("1 item(s) updated"));
    expect(await get("/data?query=max", token)).toMatchObject({ body: { result: [{ value: 22 }] } });
    expect(await get(`/device/${id}/data_amount`)).toEqual(done(1));
    expect(await call("DELETE", "/data?qty=5", token)).toEqual(done("1 Data Removed"));
    expect(await get("/data", token)).toEqual(done([]));
  });

  it("moves the device's last input", async () => {
    const { id, token } = await newDevice();
    clock.advance(60_000);
    await call("POST", "/data", token, { variable: "a" });
    clock.set(NOW_MS);
    expect(await get(`/device/${id}`)).toMatchObject({ body: { result: { last_input: "2026-05-14T10:31:00.000Z" } } });
  });

  it("takes rows for a named device from an analysis, not from a profile", async () => {
    const rows = [{ variable: "note", value: "hello" }];
    const path = `/device/${truck}/data`;
    expect(await call("POST", path, SEED_TOKENS.full, rows)).toEqual(refused(401, "Authorization Denied"));
    expect(await call("POST", path, SEED_TOKENS.analysis, rows)).toEqual(done("1 Data Added"));
    const { body } = await get(`${path}?variables[0]=note`);
    const [row] = body.result as { id: string }[];
    expect(await call("PUT", path, SEED_TOKENS.write, { id: row?.id, value: "bye" })).toEqual(
      done("1 item(s) updated"),
    );
    expect(await call("DELETE", `${path}?ids[]=${row?.id}`, SEED_TOKENS.full)).toEqual(done("1 Data Removed"));
  });

  it("keeps tokens to what they may do", async () => {
    const path = `/device/${settings}/data`;
    expect(await call("PUT", path, SEED_TOKENS.read, [])).toEqual(refused(401, "Authorization Denied"));
    expect(await call("DELETE", path, SEED_TOKENS.write)).toEqual(refused(401, "Authorization Denied"));
    expect(await get(path, SEED_TOKENS.write)).toEqual(refused(401, "Authorization Denied"));
    expect(await get("/data", SEED_TOKENS.full)).toEqual(refused(401, "Authorization Denied"));
    expect(await get(path, SEED_TOKENS.expired)).toEqual(refused(401, "Authorization Denied"));
    expect(await get(path, SEED_TOKENS.empty)).toEqual(refused(404, "Device Not Found"));
    expect(await get("/device/nonsense/data")).toEqual(refused(400, "Invalid Device ID"));
  });

  it("does not let an inactive device speak", async () => {
    const reply = await call("POST", "/data", SEED_DEVICE_TOKENS.inactive, { variable: "a" });
    expect(reply).toEqual(refused(400, "Device is deactivated"));
  });

  it.each([
    ["", 15],
    ["?query=defaultQ&qty=3&variables=temperature&variables=humidity", 6],
    ["?query=last_item", 4],
    ["?query=first_item", 4],
    ["?query=last_value", 4],
    ["?query=last_location", 0],
    ["?query=first_location", 0],
    ["?query=first_insert", 4],
    ["?query=max", 4],
    ["?query=first_value&variables%5B0%5D=wind", 1],
    ["?query=last_insert&variable=WIND", 1],
    ["?query=min&variable=temperature&start_date=1%20week", 1],
    ["?query=aggregate&interval=day&function=avg&variable=temperature&start_date=2026-05-10&end_date=2026-05-12", 3],
    ["?query=conditional&function=gt&value=-100&start_date=1+day&variable=wind&qty=5", 5],
    ["?query=max_by_variable&start_date=1%20day", 4],
    ["?start_date=2026-05-13&end_date=2026-05-13&timezone=Europe/Rome&variable=wind&qty=100", 24],
  ])("answers /device/:id/data%s with rows", async (query, rows) => {
    const { status, body } = await get(`/device/${weather}/data${query}`);
    expect(status).toBe(200);
    expect(body.result).toHaveLength(rows);
  });

  it.each([
    ["?query=count", 8_640],
    ["?query=count&variable=wind&start_date=1%20day", 24],
  ])("answers /device/:id/data%s with a number", async (query, number) => {
    expect(await get(`/device/${weather}/data${query}`)).toEqual(done(number));
  });

  it("answers averages and sums with bare numbers", async () => {
    for (const query of ["avg", "sum"]) {
      const { body } = await get(`/device/${freezer}/data?query=${query}&variable=temperature&start_date=1%20week`);
      expect(typeof body.result).toBe("number");
    }
  });

  it.each([
    ["?query=nonsense", "Invalid query"],
    ["?query=avg", "start_date field is required"],
    ["?query=sum&start_date=1%20year", "The maximum range for sum is 1 month between start_end and end_date"],
    ["?start_date=soon", "Invalid start date"],
    ["?end_date=soon", "Invalid end date"],
    ["?ids=1", "Filter using ID(s) is not supported on Immutable Storage Type"],
  ])("refuses /device/:id/data%s", async (query, message) => {
    expect(await get(`/device/${weather}/data${query}`)).toEqual(refused(400, message));
  });

  it.each([
    ["what is not JSON", '{"variable":', 400, "Invalid JSON"],
    ["a text", '"temperature"', 400, "Error on Body parameters"],
    ["no body", undefined, 400, "Error on Body parameters"],
    ["a bad row", [{ variable: "a b" }], 400, "Error on Body parameters"],
  ])("refuses %s", async (_name, body, status, message) => {
    expect(await call("POST", "/data", SEED_DEVICE_TOKENS.settings, body)).toEqual(refused(status, message));
  });

  it("refuses a body above 200 kB", async () => {
    const rows = Array(3_000).fill({ variable: "a", value: "x".repeat(60) });
    expect((await call("POST", "/data", SEED_DEVICE_TOKENS.settings, rows)).status).toBe(413);
  });

  it("lists and removes chunks, and empties sides", async () => {
    const token = SEED_TOKENS.full;
    const { id, token: deviceToken } = await newDevice({
      type: "hybrid",
      chunk_period: "day",
      chunk_retention: 2,
      mutable_variable_regex: "^set_",
    });
    const body = [{ variable: "set_a" }, { variable: "b" }, { variable: "b", time: "2026-05-13" }];
    await call("POST", "/data", deviceToken, body);
    const { body: listed } = await get(`/device/${id}/chunk`);
    const [first] = listed.result as { id: string }[];
    expect(listed.result).toHaveLength(2);
    expect(await call("DELETE", `/device/${id}/chunk/${first?.id}`, token)).toEqual(done(`Chunk ${first?.id} deleted`));
    expect(await call("DELETE", `/device/${id}/chunk/${first?.id}`, token)).toEqual(refused(404, "Chunk Not Found"));
    expect(await call("POST", `/device/${id}/empty`, token, { route: "both" })).toMatchObject({ status: 400 });
    const emptied = done("Data Successfully Removed");
    expect(await call("POST", `/device/${id}/empty`, token, { route: "mutable" })).toEqual(emptied);
    expect(await get(`/device/${id}/data_amount`)).toEqual(done(1));
    expect(await call("POST", `/device/${id}/empty`, token)).toEqual(emptied);
    expect(await get(`/device/${id}/data_amount`)).toEqual(done(0));
  });

  it("shows what was just stored to those who listen", async () => {
    const { id, token } = await newDevice();
    const leaving = new AbortController();
    const stream = await fetch(`${sandbox.eventsUrl}?channels=device_data.${id}&token=${SEED_TOKENS.full}`, {
      signal: leaving.signal,
    });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await call("POST", "/data", SEED_DEVICE_TOKENS.freezer, { variable: "not_this_one" });
    await call("POST", "/data", token, [
      { variable: "a", value: 1 },
      { variable: "b", value: true },
    ]);
    let text = "";
    while (!/^data: .*\n/m.test(text)) {
      const part = await reader?.read();
      if (part === undefined || part.done) break;
      text += part.value;
    }
    leaving.abort();
    const [, json = "null"] = /^data: (.*)$/m.exec(text) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      channel: `device_data.${id}`,
      payload: [
        { device: id, variable: "a", value: 1 },
        { device: id, variable: "b", value: true },
      ],
    });
  });
});
