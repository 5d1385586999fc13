import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { SEED_TOKENS } from "../helpers/seed.ts";
import { call, newDevice, ok } from "./client.ts";

type Doc = Readonly<Record<string, unknown>> & { readonly id: string };

let sandbox: Sandbox;
let token: string;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  token = sandbox.tokens.profile;
});
afterAll(() => sandbox.close());

const send = <T>(method: string, path: string, body?: unknown, as = token) =>
  ok<T>(sandbox, method, path, { token: as, body });

/** A dashboard with one widget that reads the device and runs the analysis, and its template. */
async function newTemplate(device: string, analysis: string) {
  const { dashboard } = await send<{ dashboard: string }>("POST", "/dashboard", {
    label: "Source",
    tabs: [{ key: "1", value: "One" }],
  });
  const { widget } = await send<{ widget: string }>("POST", `/dashboard/${dashboard}/widget`, {
    label: "Form",
    type: "form",
    analysis_run: analysis,
    display: { vars_labels: { [`temperature${device}`]: "Temperature" }, title: "unchanged" },
    data: [{ origin: device, variables: ["temperature"] }],
  });
  await send("PUT", `/dashboard/${dashboard}`, {
    arrangement: [{ widget_id: widget, x: 1, y: 2, width: 3, height: 4, tab: "1" }],
  });
  const body = { name: "Plant", dashboard, image_logo: "https://example.test/l.png", setup: { config: [] } };
  return { dashboard, widget, template: await send<string>("POST", "/template", body) };
}

async function firstWidget(dashboard: string, as = token): Promise<Doc> {
  const { arrangement } = await send<{ arrangement: { widget_id: string }[] }>(
    "GET",
    `/dashboard/${dashboard}`,
    undefined,
    as,
  );
  return send("GET", `/dashboard/${dashboard}/widget/${arrangement[0]?.widget_id}`, undefined, as);
}

describe("templates", () => {
  let analysis: string;
  let device: string;

  beforeAll(async () => {
    analysis = (await ok<Doc>(sandbox, "GET", "/info", { token: sandbox.tokens.analysis })).id;
    device = (await newDevice(sandbox)).device_id;
  });

  it("tell their name, kind and pictures, not their content", async () => {
    const { template } = await newTemplate(device, analysis);
    expect(template).toMatch(/^[0-9a-f]{24}$/);
    const shown = await send<Doc>("GET", `/template/${template}`);
    expect(shown).toMatchObject({
      id: template,
      name: "Plant",
      type: "dashboard",
      image_logo: "https://example.test/l.png",
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(shown).not.toHaveProperty("content");
  });

  it("install a dashboard under new ids, with a device in the place of the template's", async () => {
    const { dashboard, widget, template } = await newTemplate(device, analysis);
    const other = (await newDevice(sandbox)).device_id;
    const made = await send<{ dashboard: string }>("POST", `/template/${template}`, {
      device: other,
      analysis: [{ id: analysis }],
    });
    expect(made.dashboard).not.toBe(dashboard);
    expect(await send("GET", `/dashboard/${made.dashboard}`)).toMatchObject({
      label: "Source",
      tabs: [{ key: "1", value: "One" }],
      arrangement: [{ x: 1, y: 2, width: 3, height: 4, tab: "1" }],
    });
    const copy = await firstWidget(made.dashboard);
    expect(copy.id).not.toBe(widget);
    expect(copy).toMatchObject({
      dashboard: made.dashboard,
      analysis_run: analysis,
      data: [{ origin: other, variables: ["temperature"] }],
      display: { vars_labels: { [`temperature${other}`]: "Temperature" }, title: "unchanged" },
    });
  });

  it("put the texts of the replace map in place, in one pass", async () => {
    const { template } = await newTemplate(device, analysis);
    const other = (await newDevice(sandbox)).device_id;
    const replace = { [device]: other, [other]: device, temperature: "humidity", a: "never inside a word" };
    const { dashboard } = await send<{ dashboard: string }>("POST", `/template/${template}`, { replace });
    expect(await firstWidget(dashboard)).toMatchObject({
      label: "Form",
      data: [{ origin: other, variables: ["humidity"] }],
      display: { vars_labels: { [`humidity${other}`]: "Temperature" } },
    });
  });

  it("install in another profile, with analyses of its own", async () => {
    const { template } = await newTemplate(device, analysis);
    const as = SEED_TOKENS.empty;
    const { dashboard } = await send<{ dashboard: string }>("POST", `/template/${template}`, undefined, as);
    const copy = await firstWidget(dashboard, as);
    expect(copy["analysis_run"]).not.toBe(analysis);
    expect(await send("GET", `/dashboard/${dashboard}/analysis`, undefined, as)).toEqual([
      { id: copy["analysis_run"], name: expect.any(String) },
    ]);
  });

  it("of analyses install an analysis", async () => {
    const template = await send<string>("POST", "/template", { name: "Alert", analysis });
    expect(await send("GET", `/template/${template}`)).toMatchObject({ type: "analysis" });
    const made = await send<{ analysis: string }>("POST", `/template/${template}`, { device_token: "a-token" });
    expect(made.analysis).toMatch(/^[0-9a-f]{24}$/);
    expect(made.analysis).not.toBe(analysis);
  });

  it("count as the dashboards they make, and so do copies", async () => {
    const { dashboard, template } = await newTemplate(device, analysis);
    sandbox.limits.set({ perMinute: false, plan: "free" });
    try {
      const text = "You have exceeded the maximum limit of Dashboard (5). Please upgrade you plan or contact support.";
      const attempt = async (path: string) => {
        const { status, body } = await call(sandbox, "POST", path, { token, body: {} });
        return [status, body.message];
      };
      for (let made = 0; made < 7; made += 1) await attempt(`/dashboard/${dashboard}/duplicate`);
      expect(await attempt(`/dashboard/${dashboard}/duplicate`)).toEqual([402, text]);
      expect(await attempt(`/template/${template}`)).toEqual([402, text]);
    } finally {
      sandbox.limits.set({ perMinute: false, plan: "scale" });
    }
  });

  it("refuse what cannot be", async () => {
    const { template } = await newTemplate(device, analysis);
    const status = async (method: string, path: string, body?: unknown) =>
      (await call(sandbox, method, path, { token, body })).status;
    expect(await status("POST", "/template", { name: "Neither" })).toBe(400);
    expect(await status("POST", "/template", { name: "Both", dashboard: device, analysis })).toBe(400);
    expect(await status("POST", "/template", { name: "Missing", dashboard: device })).toBe(404);
    expect(await status("GET", "/template/65a1000000000000000b9999")).toBe(404);
    expect(await status("GET", "/template/nonsense")).toBe(400);
    const before = await send<Doc[]>("GET", "/dashboard?amount=1000");
    expect(await status("POST", `/template/${template}`, { device: "65a1000000000000000d9999" })).toBe(404);
    expect(await status("POST", `/template/${template}`, { replace: { "": "x" } })).toBe(400);
    expect(await send("GET", "/dashboard?amount=1000")).toEqual(before);
  });
});
