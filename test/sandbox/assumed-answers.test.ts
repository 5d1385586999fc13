import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { SEED_TOKENS } from "../helpers/seed.ts";
import { call, newDevice, ok } from "./client.ts";

const BASE64 = Buffer.from("x").toString("base64");
const UNKNOWN = "65a1000000000000000b0001";

let sandbox: Sandbox;
/** Ids that paths and bodies name in braces. */
const ids: Record<string, string> = {};

const fill = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (all, name: string) => ids[name] ?? all);

async function gapsOf(method: string, path: string, body?: unknown, token = sandbox.tokens.profile): Promise<unknown> {
  const sent = body === undefined ? {} : { body: JSON.parse(fill(JSON.stringify(body))) as unknown };
  return (await call(sandbox, method, fill(path), { token, ...sent })).headers["x-sandbox-gap"];
}

const send = <T>(method: string, path: string, body: unknown): Promise<T> =>
  ok<T>(sandbox, method, fill(path), { token: sandbox.tokens.profile, body: JSON.parse(fill(JSON.stringify(body))) });

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  ids["device"] = (await newDevice(sandbox)).device_id;
  ids["analysis"] = (await ok<{ id: string }>(sandbox, "GET", "/info", { token: sandbox.tokens.analysis })).id;
  const blueprint_devices = [{ id: UNKNOWN, conditions: [{ key: "site", value: "north" }] }];
  ids["dashboard"] = (
    await send<{ dashboard: string }>("POST", "/dashboard", { label: "Board", type: "blueprint", blueprint_devices })
  ).dashboard;
  const newWidget = async (members: object): Promise<string> => {
    const widget = { label: "W", type: "card", display: {}, ...members };
    return (await send<{ widget: string }>("POST", "/dashboard/{dashboard}/widget", widget)).widget;
  };
  const data = (query: object) => ({ data: [{ origin: "{device}", variables: ["t"], ...query }] });
  ids["plain"] = await newWidget(data({}));
  ids["counted"] = await newWidget({ ...data({ query: "count" }), cache: { expiration: "1 hour" } });
  ids["placeholder"] = await newWidget({ data: [{ origin: UNKNOWN, variables: ["t"] }] });
  ids["users"] = await newWidget({ resource: [{ type: "run_user", view: "name" }] });
  ids["form"] = await newWidget({
    ...data({}),
    type: "form",
    display: { buttons: [{ id: "b1", analysis: "{analysis}" }], header_buttons: [{ analysis: "{analysis}" }] },
  });
  const schema = { note: { type: "string" }, size: { type: "int", required: true } };
  const index = { size_idx: { fields: ["size"] } };
  ids["entity"] = (await send<{ id: string }>("POST", "/entity", { name: "E", schema, index })).id;
  ids["query"] = (
    await send<{ id: string }>("POST", "/sql", { name: "q", query: "SELECT d.id FROM devices() AS d" })
  ).id;
  const odd = { name: "odd", query: "SELECT DISTINCT d.id FROM devices() AS d" };
  ids["odd"] = (await send<{ id: string }>("POST", "/sql", odd)).id;
  ids["template"] = await send<string>("POST", "/template", { name: "T", dashboard: "{dashboard}" });
  await send("POST", "/files", [
    { filename: "notes/a.txt", file: BASE64 },
    { filename: "b.txt", file: BASE64 },
  ]);
});
afterAll(() => sandbox.close());

describe("answers that rest on an assumption", () => {
  const row = { origin: "{device}", variable: "t", value: 1 };
  it.each<[subject: string, method: string, path: string, body?: unknown]>([
    ["Copy of a dashboard without new_label", "POST", "/dashboard/{dashboard}/duplicate", {}],
    [
      "Tabs of a dashboard with the same key",
      "PUT",
      "/dashboard/{dashboard}",
      { tabs: Array.from({ length: 2 }, () => ({ key: "1", value: "One" })) },
    ],
    ["GET /dashboard/{id}/analysis", "GET", "/dashboard/{dashboard}/analysis"],
    [
      "Widgets edited to what the platform cannot draw",
      "PUT",
      "/dashboard/{dashboard}/widget/{plain}",
      { type: "form" },
    ],
    [
      "Source of a custom widget",
      "POST",
      "/dashboard/{dashboard}/widget/{plain}/upload",
      { file: BASE64, file_name: "a" },
    ],
    ["page and amount of widget data", "GET", "/data/{dashboard}/{plain}?page=1"],
    [
      "cache.expiration of a widget; Widget data of count, avg, sum",
      "GET",
      "/data/{dashboard}/{counted}?overwrite[start_date]=1%20day",
    ],
    ["Widget data, blueprint device not chosen", "GET", "/data/{dashboard}/{placeholder}"],
    [
      "Widget data, chosen device without the tags of the placeholder",
      "GET",
      `/data/{dashboard}/{placeholder}?blueprint_devices[0][origin]=${UNKNOWN}&blueprint_devices[0][id]={device}`,
    ],
    ["resource entries of type run_user", "GET", "/data/{dashboard}/{users}"],
    ["Bypassed widget data", "POST", "/data/{dashboard}/{plain}?bypass_bucket=true", row],
    ["Form button that names an analysis", "POST", "/data/{dashboard}/{form}", { ...row, input_form_button_id: "b1" }],
    ["Button in the head of a widget", "POST", "/analysis/{analysis}/run/{form}/{dashboard}", {}],
    ["POST /template", "POST", "/template", { name: "T", dashboard: "{dashboard}" }],
    ["POST /template/{id}", "POST", "/template/{template}", { device: "{device}" }],
    ["Entity fields of type boolean and uuid", "POST", "/entity", { name: "B", schema: { on: { type: "boolean" } } }],
    ["Entity rows", "POST", "/entity/{entity}/data", { size: "large" }],
    ["Entity rows with created_at or updated_at", "POST", "/entity/{entity}/data", { created_at: "2026-01-01" }],
    ["Entity, unknown index or filter outside its prefix", "GET", "/entity/{entity}/data?index=none"],
    ["Entity limits by plan", "POST", "/entity/{entity}/data", Array.from({ length: 101 }, () => ({ size: 1 }))],
    ["Entity schema", "PUT", "/entity/{entity}/schema", { schema: { size: { action: "delete" } } }],
    ["fields of the entity list", "GET", "/entity?fields=index"],
    ["GET /sql/tables", "GET", "/sql/tables"],
    ["SQL that the platform may not run", "POST", "/sql/{odd}/execute", {}],
    ["Mistakes in SQL", "POST", "/sql", { name: "q", query: "SELECT d.volts FROM devices() AS d" }],
    ["GET /files, path without a final slash", "GET", "/files?path=notes"],
    ["GET /files?search=", "GET", "/files?search=a"],
    ["Paths of files", "GET", "/files/permission?file=.."],
    ["Moving, copying, permissions of a folder", "PUT", "/files/copy", [{ from: "notes", to: "copies" }]],
    ["Deleting the root of the files", "DELETE", "/files", ["/"]],
    [
      "Upload: unknown, finished or aborted id",
      "POST",
      "/files",
      { multipart_action: "end", upload_id: "u", parts: [] },
    ],
    ["Upload: parts", "POST", "/files", { multipart_action: "abort", upload_id: "u" }],
  ])("are marked with %s", async (subject, method, path, body) => {
    expect(String(await gapsOf(method, path, body)).split("; ")).toEqual(expect.arrayContaining(subject.split("; ")));
  });

  it("are marked where a template is of another profile", async () => {
    const theirs = await gapsOf("GET", "/template/{template}", undefined, SEED_TOKENS.empty);
    expect(theirs).toBe("Templates of other profiles");
  });

  it.each<[method: string, path: string, body?: unknown]>([
    ["GET", "/dashboard"],
    ["GET", "/dashboard/{dashboard}"],
    ["POST", "/dashboard", { label: "Plain" }],
    ["GET", "/data/{dashboard}/{plain}"],
    ["POST", "/data/{dashboard}/{plain}", row],
    ["GET", "/template/{template}"],
    ["GET", "/entity"],
    ["POST", "/entity", { name: "Plain", schema: { note: { type: "string" } } }],
    ["POST", "/entity/{entity}/data", { size: 1 }],
    ["GET", "/entity/{entity}/data"],
    ["GET", "/sql/{query}"],
    ["POST", "/sql/{query}/execute", {}],
    ["POST", "/sql", { name: "q", query: "SELECT d.id FROM devices() AS d" }],
    ["GET", "/files"],
    ["GET", "/files?path=notes/"],
    ["POST", "/files", [{ filename: "c.txt", file: BASE64 }]],
    ["PUT", "/files", [{ from: "b.txt", to: "d.txt" }]],
  ])("do not include those of %s %s", async (method, path, body) => {
    expect(await gapsOf(method, path, body)).toBeUndefined();
  });
});
