import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../../src/sandbox/index.ts";
import { SEED_TOKENS } from "../../helpers/seed.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { call, newDevice, ok } from "../client.ts";
import { analysisOf, newAnalysis, run, until } from "./helpers.ts";
import { openStream, type Stream } from "./stream.ts";

let sandbox: Sandbox;
const open: Stream[] = [];

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(() => sandbox.close());

const profile = () => ({ token: sandbox.tokens.profile });
async function listen(channels: string, token = sandbox.tokens.profile): Promise<Stream> {
  const stream = await openStream(sandbox, `channels=${channels}&token=${token}`);
  open.push(stream);
  return stream;
}

describe("the trigger channel", () => {
  it("brings a run to the streams of its analysis, all of them, and to nobody else", async () => {
    const mine = await newAnalysis(sandbox, { run_on: "external", variables: [{ key: "limit", value: 8 }] });
    const other = await newAnalysis(sandbox, { run_on: "external" });
    const [first, second, stranger] = await Promise.all([
      listen("analysis_trigger", mine.token),
      listen("analysis_trigger", mine.token),
      listen("analysis_trigger", other.token),
    ]);
    await run(sandbox, mine.id, { any: "object" });
    await run(sandbox, other.id);
    for (const stream of [first, second]) {
      await waitFor(() => stream.payloads().length === 1, "the trigger");
      expect(stream.channels()).toEqual(["analysis_trigger"]);
      expect(stream.payloads()).toEqual([
        {
          analysis_id: mine.id,
          environment: [{ key: "limit", value: 8 }],
          data: { any: "object" },
          token: mine.token,
        },
      ]);
    }
    await waitFor(() => stranger.payloads().length === 1, "the other trigger");
    expect(stranger.payloads()).toMatchObject([{ analysis_id: other.id, data: [] }]);
  });

  it("is closed to inactive analyses, and to analyses of other places", async () => {
    const { token } = await newAnalysis(sandbox, { run_on: "external", active: false });
    expect((await call(sandbox, "GET", `/events?channels=analysis_trigger&token=${token}`)).status).toBe(401);
    const here = await newAnalysis(sandbox, { active: false, run_on: "external" });
    await run(sandbox, here.id);
    expect((await analysisOf(sandbox, here.id)).console).toEqual(["The analysis is not active"]);
  });

  it("that nobody listens to leaves a line", async () => {
    const { id } = await newAnalysis(sandbox, { run_on: "external" });
    await run(sandbox, id);
    const { console: lines } = await until(
      () => analysisOf(sandbox, id),
      (record) => record.console.length > 0,
      "a line",
    );
    expect(lines).toEqual(["The analysis is not connected"]);
  });

  it("stops an analysis that runs itself again and again", { tags: ["slow"] }, async () => {
    const { id, token } = await newAnalysis(sandbox, { run_on: "external" });
    const stream = await listen("analysis_trigger", token);
    await run(sandbox, id);
    let answered = 0;
    await until(
      async () => {
        const due = stream.payloads().length;
        for (; answered < due; answered += 1) {
          await ok(sandbox, "POST", `/analysis/${id}/run`, { token, body: {} });
        }
        return (await analysisOf(sandbox, id)).console;
      },
      (lines) => lines.some((line) => line.includes("taken for a loop")),
      "the end of the chain",
    );
    expect(stream.payloads()).toHaveLength(26);
  });
});

describe("the other channels", () => {
  it("bring the console of an analysis, from its process and from its services", async () => {
    const { id } = await newAnalysis(sandbox, {}, "console.log('from the process')");
    const { analysis_token: token } = await ok<{ analysis_token: string }>(
      sandbox,
      "GET",
      `/analysis/${id}/token`,
      profile(),
    );
    const stream = await listen(`analysis_console.${id}`);
    const moment = Date.parse("2026-01-02T03:04:05.678Z");
    const body = { message: "by hand", timestamp: moment };
    await ok(sandbox, "POST", "/analysis/services/console/send", { token, body });
    await waitFor(() => stream.payloads().length === 1, "the line");
    expect(stream.payloads()).toEqual([{ timestamp: "2026-01-02T03:04:05.678Z", message: "by hand" }]);
    await run(sandbox, id);
    const messages = () => (stream.payloads() as { message: string }[]).map(({ message }) => message);
    await waitFor(() => messages().some((line) => line.startsWith("Analysis ended")), "the end of the run");
    expect(messages()).toContain("from the process");
    expect((await analysisOf(sandbox, id)).console).toEqual(messages());
    const foreign = await call(sandbox, "GET", `/events?channels=analysis_console.${id}&token=${SEED_TOKENS.empty}`);
    expect(foreign.status).toBe(400);
  });

  it("bring what was created, changed and deleted", async () => {
    const stream = await listen("ui");
    const { device_id } = await newDevice(sandbox);
    await ok(sandbox, "PUT", `/device/${device_id}`, { ...profile(), body: { name: "Other name" } });
    await ok(sandbox, "DELETE", `/device/${device_id}`, profile());
    await waitFor(() => stream.payloads().length === 3, "three events");
    expect(stream.payloads()).toEqual(
      ["create", "update", "delete"].map((when) => ({ resource: "device", id: device_id, when })),
    );
  });

  it("bring notifications that come and go, but not those that are read", async () => {
    const stream = await listen("ui");
    const post = <T>(path: string, body: object) => ok<T>(sandbox, "POST", path, { ...profile(), body });
    const { id } = await post<{ id: string }>("/notification", { title: "T", message: "M" });
    const read = { notification_ids: [id], read: true };
    await ok(sandbox, "PUT", "/notification/read", { ...profile(), body: read });
    const rows = await ok<{ id: string; read: boolean }[]>(
      sandbox,
      "GET",
      "/notification?filter[read]=true",
      profile(),
    );
    expect(rows.map((row) => row.id)).toContain(id);
    await ok(sandbox, "DELETE", `/notification/${id}`, profile());
    await waitFor(() => stream.payloads().length === 2, "two events");
    expect(stream.payloads()).toEqual(["create", "delete"].map((when) => ({ resource: "notification", id, when })));
  });

  it("bring one event for each change of an analysis, and none for a new token", async () => {
    const { id } = await newAnalysis(sandbox);
    const stream = await listen("ui");
    await ok(sandbox, "PUT", `/analysis/${id}`, { ...profile(), body: { run_on: "external", name: "Outside" } });
    await ok(sandbox, "GET", `/analysis/${id}/token`, profile());
    await ok(sandbox, "DELETE", `/analysis/${id}`, profile());
    await waitFor(() => stream.payloads().length === 2, "two events");
    expect(stream.payloads()).toEqual(["update", "delete"].map((when) => ({ resource: "analysis", id, when })));
  });

  it("bring notifications", async () => {
    const stream = await listen("notification");
    const body = { title: "Tank", message: "It is full" };
    const { id } = await ok<{ id: string }>(sandbox, "POST", "/notification", { ...profile(), body });
    await waitFor(() => stream.payloads().length === 1, "the notification");
    expect(stream.payloads()).toMatchObject([{ id, ...body, read: false }]);
  });

  it("bring a dashboard the rows its widgets show, and its own changes", async () => {
    const device = await newDevice(sandbox);
    const { dashboard } = await ok<{ dashboard: string }>(sandbox, "POST", "/dashboard", {
      ...profile(),
      body: { label: "D" },
    });
    const widget = {
      label: "W",
      type: "card",
      display: {},
      data: [{ origin: device.device_id, variables: ["level"] }],
    };
    const made = await ok<{ widget: string }>(sandbox, "POST", `/dashboard/${dashboard}/widget`, {
      ...profile(),
      body: widget,
    });
    const stream = await listen(`ui_dashboard.${dashboard}`);
    const rows = [
      { variable: "level", value: 3 },
      { variable: "other", value: 4 },
    ];
    await ok(sandbox, "POST", "/data", { token: device.token, body: rows });
    await ok(sandbox, "POST", "/data", { token: device.token, body: { variable: "other", value: 5 } });
    await ok(sandbox, "PUT", `/dashboard/${dashboard}`, { ...profile(), body: { label: "E" } });
    await waitFor(() => stream.payloads().length === 2, "two events");
    expect(stream.payloads()).toMatchObject([
      { dashboard, widget: made.widget, data: [{ variable: "level", value: 3 }] },
      { dashboard, when: "update" },
    ]);
    expect((stream.payloads()[0] as { data: unknown[] }).data).toHaveLength(1);
  });

  it("bring the live inspector of a device, which knows that it is looked at", async () => {
    const device = await newDevice(sandbox);
    const inspected = async () =>
      (await ok<{ inspected_at: string | null }>(sandbox, "GET", `/device/${device.device_id}`, profile()))
        .inspected_at;
    expect(await inspected()).toBeNull();
    const stream = await listen(`device_inspector.${device.device_id}`);
    expect(Date.parse(String(await inspected()))).toBeGreaterThan(0);
    await ok(sandbox, "POST", "/data", { token: device.token, body: { variable: "a", value: 1 } });
    const lines = () => stream.payloads() as { title: string; content: string; device_id: string }[];
    await waitFor(() => lines().length >= 2, "the lines");
    expect(lines().map(({ title }) => title)).toEqual(expect.arrayContaining(["[POST] HTTP Request", "Raw Payload"]));
    expect(lines().find(({ title }) => title === "Raw Payload")?.content).toContain('"variable":"a"');
    expect(JSON.stringify(lines())).not.toContain(device.token);
    stream.close();
    await until(inspected, (value) => value === null, "the end of the inspection");
  });
});
