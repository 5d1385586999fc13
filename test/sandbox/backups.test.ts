import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readZip } from "../../src/commands/backup/zip.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { demoSandbox } from "../helpers/demo-sandbox.ts";
import { SEED_ACCOUNTS, SEED_PROFILES } from "../helpers/seed.ts";
import { type Answer, call, ok } from "./client.ts";

const { password } = SEED_ACCOUNTS.demo;
const path = `/profile/${SEED_PROFILES.demoPlant}/backup`;

let sandbox: Sandbox;
let token: string;
beforeAll(async () => {
  sandbox = await demoSandbox();
  token = sandbox.tokens.profile;
});
afterAll(() => sandbox.close());

const post = (rest: string, body: unknown = {}): Promise<Answer> =>
  call(sandbox, "POST", `${path}${rest}`, { token, body });

async function completed(id: string): Promise<Record<string, unknown>> {
  for (;;) {
    const rows = await ok<Record<string, unknown>[]>(sandbox, "GET", path, { token });
    const found = rows.find((row) => row["id"] === id);
    if (found?.["status"] === "completed") return found;
  }
}

describe("backups of a profile", () => {
  it("are ordered, made in the background, and read through a link without a token", async () => {
    const { result } = (await post("")).body;
    expect(result).toEqual({
      message: expect.any(String),
      profile: SEED_PROFILES.demoPlant,
      backup_id: expect.stringMatching(/^[0-9a-f]{24}$/),
    });
    const { backup_id: id } = result as { backup_id: string };
    const { file_size: size } = await completed(id);
    const link = (await post(`/${id}/download`, { password })).body.result as { url: string };
    expect(link).toEqual({
      url: expect.any(String),
      size,
      size_unit: "bytes",
      file_size_mb: (Number(size) / 1024 / 1024).toFixed(2),
      expire_at: expect.any(String),
      backup_id: id,
      created_at: expect.any(String),
    });
    const archive = Buffer.from(await (await fetch(link.url)).arrayBuffer());
    expect(archive.length).toBe(size);
    const files = readZip(archive, (name) => name === "resources/devices.json");
    const devices: { params: unknown }[] = JSON.parse(files.get("resources/devices.json")?.toString() ?? "");
    expect(devices[0]?.params).toBeInstanceOf(Array);
    expect((await fetch(link.url.replace(/signature=..../, "signature=0000"))).status).toBe(401);
  });

  it("are refused without the password of the account, or with a wrong one, and named when deleted", async () => {
    const { backup_id: id } = (await post("")).body.result as { backup_id: string };
    await completed(id);
    const remove = (body: unknown): Promise<Answer> => call(sandbox, "DELETE", `${path}/${id}`, { token, body });
    for (const ask of [(body: unknown) => post(`/${id}/download`, body), remove]) {
      expect([(await ask({})).status, (await ask({ password: "" })).status]).toEqual([400, 400]);
      const wrong = await ask({ password: "wrong" });
      expect([wrong.status, wrong.body.message]).toEqual([401, "Invalid credentials"]);
    }
    expect((await remove({ password })).body.result).toBe("Backup successfully removed");
    const gone = await remove({ password });
    expect([gone.status, gone.body.message]).toEqual([404, "Backup Not Found"]);
  });

  it("are listed newest first in pages, and are not for the free plan", async () => {
    const ids = async (query: string): Promise<unknown[]> =>
      (await ok<{ id: string }[]>(sandbox, "GET", `${path}${query}`, { token })).map(({ id }) => id);
    const all = await ids("");
    expect(all.length).toBeGreaterThan(1);
    expect(await ids("?amount=1&page=2")).toEqual(all.slice(1, 2));
    expect((await ids("?orderBy=created_at,asc")).toReversed()).toEqual(all);
    const { settings } = sandbox.limits;
    sandbox.limits.set({ ...settings, plan: "free" });
    expect([(await post("")).status, (await call(sandbox, "GET", path, { token })).status]).toEqual([403, 403]);
    sandbox.limits.set(settings);
  });
});
