import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Resources } from "../../../src/index.ts";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import { demoSandbox } from "../../helpers/demo-sandbox.ts";
import { SEED_DASHBOARDS, SEED_DEVICES, SEED_RUN_TOKENS } from "../../helpers/seed.ts";
import { type Answer, call, ok } from "../client.ts";

const { driver, operator, anonymous } = SEED_RUN_TOKENS;
const VICTIM = "reports/annual";
const CONTENT = Buffer.from("written through a form");

let sandbox: Sandbox;
/** A form on the dashboard that the operator may see. */
let form: string;
let plain: string;

const admin = <T>(method: string, path: string, body?: unknown): Promise<T> =>
  ok<T>(sandbox, method, path, { token: sandbox.tokens.profile, ...(body !== undefined && { body }) });

const upload = (id: string, path: string | undefined, origin: string) => ({
  id,
  type: "upload",
  label: "File",
  data: { origin, variable: "file" },
  ...(path !== undefined && { path }),
});

const addWidget = async (dashboard: string, display: object): Promise<string> => {
  const body = { label: "Form", type: "form", display, data: [] };
  return (await admin<{ widget: string }>("POST", `/dashboard/${dashboard}/widget`, body)).widget;
};

const publicity = (file: string) => admin<{ public: boolean }>("GET", `/files/permission?file=${file}`);

const read = (path: string): Promise<Answer> =>
  call(sandbox, "GET", `/file/${sandbox.profileId}/${path}`, { token: sandbox.tokens.profile });

beforeAll(async () => {
  sandbox = await demoSandbox();
  const fields = [upload("photo", "/photos/", SEED_DEVICES.settings), upload("log", "", SEED_DEVICES.settings)];
  form = await addWidget(SEED_DASHBOARDS.current, { sections: [{ id: "s", fields }] });
  plain = await addWidget(SEED_DASHBOARDS.current, { sections: [] });
});
afterAll(() => sandbox.close());

interface Place {
  readonly dashboard?: string;
  readonly widget?: string;
  readonly field?: string;
  readonly public?: boolean;
}

const route = ({ dashboard = SEED_DASHBOARDS.current, widget = form }: Place): string =>
  `/data/files/${dashboard}/${widget}`;

const step = (token: string, place: Place, body: object): Promise<Answer> =>
  call(sandbox, "POST", route(place), {
    token,
    body: { ...(place.field !== undefined && { field_id: place.field }), ...body },
  });

const start = (token: string, filename: string, place: Place = {}): Promise<Answer> =>
  step(token, place, { multipart_action: "start", filename, public: place.public ?? false });

function sendPart(token: string, uploadId: unknown, place: Place = {}): Promise<Answer> {
  const boundary = "b0undary";
  const head = (name: string, more = ""): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const texts = { multipart_action: "upload", upload_id: String(uploadId), part: "1" };
  const fields = Object.entries(texts).map(([name, value]) => `${head(name)}${value}\r\n`);
  const raw = Buffer.from(
    `${fields.join("")}${head("file", '; filename="f"')}${CONTENT.toString()}\r\n--${boundary}--\r\n`,
  );
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  return call(sandbox, "POST", route(place), { token, raw, headers });
}

const finish = (token: string, uploadId: unknown, place: Place = {}): Promise<Answer> => {
  const ETag = createHash("md5").update(CONTENT).digest("hex");
  return step(token, place, { multipart_action: "end", upload_id: uploadId, parts: [{ ETag, PartNumber: 1 }] });
};

/** The status of the first step that is refused, else of the last. */
async function store(token: string, filename: string, place: Place = {}): Promise<number> {
  const started = await start(token, filename, place);
  if (started.status !== 200) return started.status;
  const sent = await sendPart(token, started.body.result, place);
  if (sent.status !== 200) return sent.status;
  return (await finish(token, started.body.result, place)).status;
}

describe("a form upload of a portal user", () => {
  it("is refused on a dashboard that the user may not see, to the anonymous user too", async () => {
    const before = await read(VICTIM);
    for (const token of [driver, anonymous]) {
      for (const name of [VICTIM, "photos/a.png"]) expect(await store(token, name, { public: true }), name).toBe(401);
    }
    const after = await read(VICTIM);
    expect(after.text).toBe(before.text);
    expect(await publicity(VICTIM)).toEqual({ public: false });
  });

  it("stays in the folders of the form's fields, however the name is written", async () => {
    const outside = [VICTIM, "a.png", "photos", "photosets/a.png", "photos/../reports/annual/../../x.png", "/x.png"];
    // Segments that lead out of a folder are dropped, so one of these names ends inside.
    const allowed = outside.filter((name) => name.startsWith("photos/"));
    for (const name of outside) {
      expect(await store(operator, name, { public: true }), name).toBe(allowed.includes(name) ? 200 : 400);
    }
    expect((await read(VICTIM)).text).not.toContain(CONTENT.toString());
    expect(await publicity(VICTIM)).toEqual({ public: false });
    expect((await read("photos/reports/annual/x.png")).text).toBe(CONTENT.toString());

    expect(await store(operator, "photos/a.png")).toBe(200);
    expect((await read("photos/a.png")).text).toBe(CONTENT.toString());
    // A field without a folder stores in that of its device.
    expect(await store(operator, `devices/${SEED_DEVICES.settings}/a.log`)).toBe(200);
    expect(await store(operator, `devices/${SEED_DEVICES.weather}/a.log`)).toBe(400);
  });

  it("is bound to the field it names, and to fields that take files", async () => {
    expect(await store(operator, "photos/b.png", { field: "photo" })).toBe(200);
    expect(await store(operator, "photos/c.png", { field: "log" })).toBe(400);
    expect(await store(operator, "photos/c.png", { field: "other" })).toBe(400);
    const refused = await start(operator, "photos/c.png", { widget: plain });
    expect([refused.status, refused.body.message]).toEqual([
      400,
      "Invalid field_id: the widget has no such upload field",
    ]);
    expect((await start(operator, "reports/x")).body.message).toBe(
      `Invalid filename: the form stores its files in photos, devices/${SEED_DEVICES.settings}`,
    );
  });

  it("takes the folder of a legacy form field too", async () => {
    const fields = { f1: { fieldtype: "upload", path: "old/", origin: SEED_DEVICES.settings, variable: "file" } };
    const widget = await addWidget(SEED_DASHBOARDS.current, { input_type: "form", form: { fields } });
    expect(await store(operator, "old/a.png", { widget, field: "f1" })).toBe(200);
    expect(await store(operator, "photos/d.png", { widget })).toBe(400);
  });

  it("replaces a file of the folder, and never changes whether it is public", async () => {
    await admin("POST", "/files", [{ filename: "photos/kept.png", file: "b2xk", public: false }]);
    expect(await store(operator, "photos/kept.png", { public: true })).toBe(400);
    expect((await read("photos/kept.png")).text).toBe("old");
    expect(await store(operator, "photos/kept.png")).toBe(200);
    expect((await read("photos/kept.png")).text).toBe(CONTENT.toString());

    // The file is made while the upload is under way.
    const { body } = await start(operator, "photos/late.png", { public: true });
    await sendPart(operator, body.result);
    await admin("POST", "/files", [{ filename: "photos/late.png", file: "b2xk", public: false }]);
    expect((await finish(operator, body.result)).status).toBe(400);
    expect(await publicity("photos/late.png")).toEqual({ public: false });
  });

  it("cannot be continued, completed or aborted by another user, only by the profile", async () => {
    const { user } = await admin<{ user: string }>("POST", "/run/users", {
      ...{ name: "Two", email: "two@example.test", password: "Secret-123", timezone: "UTC", active: true },
    });
    await admin("POST", "/am", {
      name: "Two",
      targets: [["run_user", "id", user]],
      permissions: [{ effect: "allow", action: ["access"], resource: ["dashboard"] }],
    });
    const { token } = await admin<{ token: string }>("GET", `/run/users/${user}/login`);
    expect(await store(token, "photos/two.png")).toBe(200);
    const { result: id } = (await start(operator, "photos/own.png")).body;
    expect((await sendPart(token, id)).status).toBe(404);
    expect((await finish(token, id)).status).toBe(404);
    expect((await step(token, {}, { multipart_action: "abort", upload_id: id })).status).toBe(404);
    expect((await sendPart(sandbox.tokens.profile, id)).status).toBe(200);
    expect((await finish(operator, id)).status).toBe(200);
  });

  it("reaches the anonymous user of a portal on a dashboard that is open to it, and no other", async () => {
    const display = { sections: [{ id: "s", fields: [upload("photo", "public-box", SEED_DEVICES.siloNorth)] }] };
    const widget = await addWidget(SEED_DASHBOARDS.blueprint, display);
    const place = { dashboard: SEED_DASHBOARDS.blueprint, widget };
    expect(await store(anonymous, "public-box/a.txt", place)).toBe(200);
    expect(await store(anonymous, VICTIM, place)).toBe(400);
    // The widget of another dashboard, by way of the one that is open.
    expect(await store(anonymous, "photos/z.png", { ...place, widget: form })).toBe(404);
  });
});

describe("a form upload of others", () => {
  it("stores anywhere with a profile token, by the library too", async () => {
    expect(await store(sandbox.tokens.profile, "anywhere/a.png")).toBe(200);
    const resources = new Resources({ token: sandbox.tokens.profile, region: { api: sandbox.url, sse: sandbox.url } });
    const options = { dashboard: SEED_DASHBOARDS.current, widget: form, fieldId: "photo" };
    await resources.files.uploadFile(CONTENT, "elsewhere/b.png", options);
    expect((await read("elsewhere/b.png")).text).toBe(CONTENT.toString());
  });

  it("is refused with a public key, a device token and no token", async () => {
    const { token } = await admin<{ token: string }>("GET", `/dashboard/${SEED_DASHBOARDS.current}/share/public`);
    for (const other of [token, sandbox.tokens.device, "x"]) expect(await store(other, "photos/k.png")).toBe(401);
  });

  it("of an analysis that rules bind follows the dashboard's rule and the folder, or a rule for files", async () => {
    const body = { name: "Bound", run_on: "external" };
    const { id, token } = await admin<{ id: string; token: string }>("POST", "/analysis", body);
    // No rule names it yet.
    expect(await store(token, "anywhere/b.png")).toBe(200);
    const rule = (...resource: readonly string[]) => ({
      name: "Bound",
      targets: [["analysis", "id", id]],
      permissions: [{ effect: "allow", action: ["access", "upload"], resource }],
    });
    const { am_id } = await admin<{ am_id: string }>("POST", "/am", rule("file", "path", "other"));
    expect(await store(token, "other/a.png")).toBe(401);
    await admin("POST", "/am", rule("dashboard"));
    expect(await store(token, "other/a.png")).toBe(200);
    expect(await store(token, "photos/m.png")).toBe(200);
    expect(await store(token, VICTIM)).toBe(400);
    await admin("DELETE", `/am/${am_id}`);
    expect(await store(token, "other/b.png")).toBe(400);
  });
});
