import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { call, ok } from "./client.ts";

let sandbox: Sandbox;
let token: string;
let path: string;
let widget: string;
beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  token = sandbox.tokens.profile;
  const { dashboard } = await ok<{ dashboard: string }>(sandbox, "POST", "/dashboard", { token, body: { label: "B" } });
  const body = { label: "Own", type: "iframe", display: { header_size: 2 } };
  ({ widget } = await ok<{ widget: string }>(sandbox, "POST", `/dashboard/${dashboard}/widget`, { token, body }));
  path = `/dashboard/${dashboard}/widget/${widget}`;
});
afterAll(() => sandbox.close());

interface Built {
  readonly url: string;
  readonly artifact_url: string | null;
  readonly artifact_hash: string | null;
  readonly success: boolean;
  readonly [member: string]: unknown;
}

const upload = (source: string): Promise<Built> => {
  const body = { file: Buffer.from(source).toString("base64"), file_name: "own.tsx" };
  return ok<Built>(sandbox, "POST", `${path}/upload`, { token, body });
};

const contentAt = async (url: string): Promise<string> =>
  (await call(sandbox, "GET", new URL(url).pathname, { token })).text;
const display = async (): Promise<unknown> => (await ok<{ display: unknown }>(sandbox, "GET", path, { token })).display;

describe("the source of a custom widget", () => {
  it("is stored and built, and the widget points at both", async () => {
    const source = "export const Own = (): JSX.Element => <b>{1 as number}</b>;";
    const built = await upload(source);
    expect(built).toMatchObject({
      url: expect.stringContaining(`/widgets/${widget}.tsx`),
      artifact_url: expect.stringContaining(`/widgets/.bundled/${widget}/${built.artifact_hash}.html`),
      bytes: expect.any(Number),
      success: true,
      error: null,
      warnings: [],
    });
    expect(await contentAt(built.url)).toBe(source);
    const page = await contentAt(built.artifact_url ?? "");
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).not.toContain("as number");
    expect(await display()).toEqual({ header_size: 2, url: built.url, artifact_url: built.artifact_url });
  });

  it("is stored with a mistake in it too, which is answered, and keeps the page of before", async () => {
    const before = await upload("export const a = 1;");
    const built = await upload("export const = ;");
    expect(built).toMatchObject({ success: false, error: expect.stringContaining("error"), artifact_hash: null });
    expect(built.artifact_url).toBe(before.artifact_url);
    expect(await contentAt(built.url)).toBe("export const = ;");
    expect(await display()).toMatchObject({ artifact_url: before.artifact_url });
  });

  it("is refused when it is no base64", async () => {
    const wrong = await call(sandbox, "POST", `${path}/upload`, { token, body: { file: "%", file_name: "x.tsx" } });
    expect(wrong.status).toBe(400);
  });

  it("is refused when there is no room for it, with nothing changed", { tags: ["slow"] }, async () => {
    const before = await display();
    const { settings } = sandbox.limits;
    sandbox.limits.set({ ...settings, plan: "free" });
    const large = Buffer.alloc(10_400_000).toString("base64");
    await ok(sandbox, "POST", "/files", { token, body: [{ filename: "0", file: large }] });
    const copies = Array.from({ length: 19 }, (_, i) => ({ from: "0", to: `copy-${i}` }));
    await ok(sandbox, "PUT", "/files/copy", { token, body: copies });
    const file = Buffer.alloc(2_900_000, " ").toString("base64");
    const full = await call(sandbox, "POST", `${path}/upload`, { token, body: { file, file_name: "x.tsx" } });
    sandbox.limits.set(settings);
    expect([full.status, full.body.message]).toEqual([400, expect.stringContaining("exceeded the maximum limit")]);
    expect(await display()).toEqual(before);
  });
});

describe("a widget", () => {
  it("shows analysis_run as null while it has none, and leaves its place in the arrangement when it is deleted", async () => {
    expect(await ok(sandbox, "GET", path, { token })).toMatchObject({ analysis_run: null });
    const [, , dashboard] = path.split("/");
    const arrangement = [{ widget_id: widget, x: 0, y: 0, width: 1, height: 1 }];
    await ok(sandbox, "PUT", `/dashboard/${dashboard}`, { token, body: { arrangement } });
    await ok(sandbox, "DELETE", path, { token });
    expect(await ok(sandbox, "GET", `/dashboard/${dashboard}`, { token })).toMatchObject({ arrangement });
  });
});
