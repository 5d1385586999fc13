import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEventStream } from "../../src/index.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { newAnalysis } from "./analyses/helpers.ts";
import { call, type NewDevice, newDevice, ok } from "./client.ts";

type Row = Readonly<Record<string, unknown>>;

interface Trigger {
  readonly analysis_id: string;
  readonly environment: readonly { readonly key: string; readonly value: string }[];
  readonly data: readonly Row[];
}

let sandbox: Sandbox;
let token: string;
let analysis: string;
let device: NewDevice;
/** The next run of the analysis, as an external program gets it. */
let nextTrigger: () => Promise<Trigger>;
let close: () => void;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  token = sandbox.tokens.profile;
  const made = await newAnalysis(sandbox, { run_on: "external" });
  analysis = made.id;
  device = await newDevice(sandbox);
  const stream = openEventStream<Trigger>({
    token: made.token,
    region: { api: sandbox.url, sse: sandbox.eventsUrl },
    channels: { channel: "analysis_trigger" },
  });
  const items = stream[Symbol.asyncIterator]();
  close = () => stream.close();
  const nextItem = async () => {
    const { value, done } = await items.next();
    if (done === true) throw new Error("The stream ended");
    return value;
  };
  nextTrigger = async () => {
    for (;;) {
      const item = await nextItem();
      if (item.type === "message") return item.payload;
    }
  };
  while ((await nextItem()).type !== "open");
});
afterAll(async () => {
  close();
  await sandbox.close();
});

const send = <T>(method: string, path: string, body?: unknown, as = token) =>
  ok<T>(sandbox, method, path, { token: as, body });

async function newWidget(members: object = {}): Promise<{ dashboard: string; widget: string; path: string }> {
  const { dashboard } = await send<{ dashboard: string }>("POST", "/dashboard", { label: "Board" });
  const body = { label: "Form", type: "form", display: {}, analysis_run: analysis, ...members };
  const { widget } = await send<{ widget: string }>("POST", `/dashboard/${dashboard}/widget`, body);
  return { dashboard, widget, path: `/data/${dashboard}/${widget}` };
}

const environmentOf = ({ environment }: Trigger) =>
  Object.fromEntries(environment.map(({ key, value }) => [key, value]));

describe("the analysis of a widget", () => {
  it("is given what was stored, with the button that was pressed", async () => {
    const { dashboard, widget, path } = await newWidget();
    const origin = device.device_id;
    const body = [{ origin, variable: "task", value: "wash", input_form_button_id: "save" }];
    expect(await send("POST", path, body)).toEqual(["1 Data Added"]);
    const trigger = await nextTrigger();
    expect(trigger.data).toEqual([
      expect.objectContaining({
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        variable: "task",
        value: "wash",
        device: origin,
        origin,
        input_form_button_id: "save",
      }),
    ]);
    expect(environmentOf(trigger)).toMatchObject({
      _widget_exec: "insert",
      _dashboard_id: dashboard,
      _widget_id: widget,
    });
  });

  it("is given what the parser of the device made, with the button, and nothing is stored when it fails", async () => {
    const { path } = await newWidget();
    const source = `
      if (payload[0].value === "bad") throw new Error("bad frame");
      payload = payload[0].value === "none" ? null : [{ variable: "level", value: payload[0].value * 2 }, { variable: "ok" }];`;
    const { device_id: id } = await newDevice(sandbox, { payload_decoder: Buffer.from(source).toString("base64") });
    const row = (value: unknown) => ({ origin: id, variable: "raw", value, input_form_button_id: "go" });
    expect(await send("POST", path, [row(4)])).toEqual(["2 Data Added"]);
    const { data } = await nextTrigger();
    expect(data.map(({ variable, value, origin }) => [variable, value, origin])).toEqual([
      ["level", 8, id],
      ["ok", undefined, id],
    ]);
    expect(data[0]?.["input_form_button_id"]).toBe("go");
    const refused = await call(sandbox, "POST", path, { token, body: [row("bad")] });
    expect([refused.status, refused.body.message]).toEqual([400, "bad frame (device parser, line 2)"]);
    expect(await send("POST", path, [row("none")])).toEqual(["0 Data Added"]);
    expect((await nextTrigger()).data).toEqual([]);
    expect(await send("GET", `/device/${id}/data_amount`)).toBe(2);
  });

  it("is given what was sent when nothing is stored", async () => {
    const { path } = await newWidget();
    await send("POST", `${path}?bypass_bucket=true`, { origin: device.device_id, variable: "only_run", value: 1 });
    expect((await nextTrigger()).data).toMatchObject([{ variable: "only_run", value: 1, device: device.device_id }]);
    expect(await send("GET", `/device/${device.device_id}/data?variables=only_run`)).toEqual([]);
  });

  it("is given edited and deleted rows", async () => {
    const { path } = await newWidget();
    const origin = device.device_id;
    await send("POST", path, { origin, variable: "row", value: 1 });
    const id = (await nextTrigger()).data[0]?.["id"];
    await send("PUT", `${path}/data`, { origin, id, value: 2 });
    const edited = await nextTrigger();
    expect(edited.data).toMatchObject([{ id, value: 2, metadata: { old_value: 1 }, device: origin }]);
    expect(environmentOf(edited)).toMatchObject({ _widget_exec: "edit" });
    await send("DELETE", `${path}?ids[0]=${String(id)}:${origin}`);
    const deleted = await nextTrigger();
    expect(deleted.data).toMatchObject([{ id, value: 2 }]);
    expect(environmentOf(deleted)).toMatchObject({ _widget_exec: "delete" });
  });

  it("is given changed devices with what was there before, under the name of the use", async () => {
    const { path } = await newWidget();
    const listed = await newDevice(sandbox, { name: "Before", tags: [{ key: "room", value: "1" }] });
    const change = { device: listed.device_id, name: "After", "tags.room": "2" };
    await send("PUT", `${path}/resource?widget_exec=rename`, [change]);
    const trigger = await nextTrigger();
    expect(trigger.data).toEqual([{ ...change, old: { name: "Before", "tags.room": "1" } }]);
    expect(environmentOf(trigger)).toMatchObject({ _widget_exec: "rename" });
  });

  it("is the pressed button's own, when that names one", async () => {
    const { path } = await newWidget({
      analysis_run: null,
      display: { buttons: [{ id: "send", run_analysis: true, analysis }] },
    });
    const row = { origin: device.device_id, variable: "a", value: 1 };
    await send("POST", path, row);
    await send("POST", path, { ...row, value: 2, input_form_button_id: "send" });
    expect((await nextTrigger()).data).toMatchObject([{ value: 2 }]);
  });
});

describe("a button in the head of a widget", () => {
  it("runs an analysis with its scope, whatever the order of the ids", async () => {
    const { dashboard, widget } = await newWidget();
    for (const [first, second] of [
      [dashboard, widget],
      [widget, dashboard],
    ]) {
      const answer = await send("POST", `/analysis/${analysis}/run/${first}/${second}`, { scope: [{ a: 1 }] });
      expect(answer).toEqual({ analysis_token: expect.any(String) });
      const trigger = await nextTrigger();
      expect(trigger.data).toEqual([{ a: 1 }]);
      expect(environmentOf(trigger)).toMatchObject({ _dashboard_id: dashboard, _widget_id: widget });
    }
    await send("POST", `/analysis/${analysis}/run/${dashboard}/${widget}`);
    expect((await nextTrigger()).data).toEqual([]);
  });

  it("is refused for what does not exist", async () => {
    const { dashboard, widget } = await newWidget();
    const nobody = "65a1000000000000000b9999";
    const status = async (path: string) =>
      (await call(sandbox, "POST", `/analysis/${path}`, { token, body: {} })).status;
    expect(await status(`${nobody}/run/${dashboard}/${widget}`)).toBe(400);
    expect(await status(`${analysis}/run/${dashboard}/${nobody}`)).toBe(404);
  });
});

describe("a portal user", () => {
  it("writes only where the widget shows, and runs only what it names", async () => {
    const shown = await newDevice(sandbox);
    const { dashboard, widget, path } = await newWidget({ data: [{ origin: shown.device_id, variables: ["a"] }] });
    const { user } = await send<{ user: string }>("POST", "/run/users", {
      name: "Una",
      email: "una@example.test",
      password: "Secret-123",
      timezone: "UTC",
      active: true,
    });
    const portal = (await send<{ token: string }>("GET", `/run/users/${user}/login`)).token;
    const status = async (method: string, at: string, body?: unknown) =>
      (await call(sandbox, method, at, { token: portal, body })).status;
    expect(await status("GET", path)).toBe(401);
    await send("POST", "/am", {
      name: "Board",
      targets: [["run_user", "id", user]],
      permissions: [{ effect: "allow", action: ["access"], resource: ["dashboard", "id", dashboard] }],
    });
    expect(await status("GET", path)).toBe(200);
    expect(await status("POST", path, { origin: device.device_id, variable: "a", value: 1 })).toBe(401);
    expect(await status("PUT", `${path}/resource`, { device: device.device_id, name: "Taken" })).toBe(401);
    await send("POST", path, { origin: shown.device_id, variable: "a", value: 1 }, portal);
    expect((await nextTrigger()).data).toMatchObject([{ value: 1, user_id: user }]);
    const other = await newAnalysis(sandbox);
    expect(await status("POST", `/analysis/${other.id}/run/${dashboard}/${widget}`, {})).toBe(401);
    expect(await status("POST", `/analysis/${analysis}/run/${dashboard}/${widget}`, {})).toBe(200);
  });
});
