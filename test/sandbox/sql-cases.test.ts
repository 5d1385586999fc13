import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { call, type NewDevice, ok } from "./client.ts";

interface Tagged {
  readonly key: string;
  readonly name: string;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
}

interface Case {
  readonly id: string;
  readonly about: string;
  readonly query: string;
  readonly params?: readonly object[];
  readonly send?: object;
  /** `user:ann`; the owner of the profile without it. */
  readonly as?: string;
  readonly grant?: boolean;
  readonly ordered?: boolean;
  readonly columns?: readonly string[];
  readonly types?: Readonly<Record<string, string>>;
  readonly rows?: readonly object[];
  readonly error?: {
    readonly status: readonly number[];
    readonly message?: string;
    readonly at?: "create" | "execute";
  };
}

interface Cases {
  readonly data: {
    readonly users: readonly Tagged[];
    readonly devices: readonly (Tagged & {
      readonly active?: boolean;
      readonly params?: readonly object[];
      readonly records: readonly object[];
    })[];
    readonly entities: readonly (Tagged & { readonly schema: object; readonly rows: readonly object[] })[];
  };
  readonly cases: readonly Case[];
}

const { data, cases } = JSON.parse(
  readFileSync(new URL("../fixtures/sql/cases.json", import.meta.url), "utf8"),
) as Cases;

let sandbox: Sandbox;
/** Ids by `kind:key`, and tokens of users by `user:key`. */
const ids = new Map<string, string>();
const tokens = new Map<string, string>();

const admin = <T = { id: string }>(method: string, path: string, body?: unknown): Promise<T> =>
  ok<T>(sandbox, method, path, { token: sandbox.tokens.profile, ...(body !== undefined && { body }) });

/** The value with ids in place of `{device:key}` and the like. */
const fill = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll(/\{(\w+:\w+)\}/g, (all, name: string) => ids.get(name) ?? all));

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  for (const { key, name, tags } of data.users) {
    const about = { name, tags, email: `${key}@example.com`, password: "12345678", timezone: "UTC" };
    const { user } = await admin<{ user: string }>("POST", "/run/users", about);
    ids.set(`user:${key}`, user);
    tokens.set(`user:${key}`, (await admin<{ token: string }>("GET", `/run/users/${user}/login`)).token);
  }
  for (const { key, name, active = true, tags, params = [], records } of data.devices) {
    const made = await admin<NewDevice>("POST", "/device", { name, active: true, tags: fill(tags) });
    ids.set(`device:${key}`, made.device_id);
    if (params.length > 0) await admin("POST", `/device/${made.device_id}/params`, params);
    if (records.length > 0) await ok(sandbox, "POST", "/data", { token: made.token, body: records });
    if (!active) await admin("PUT", `/device/${made.device_id}`, { active });
  }
  for (const { key, name, tags, schema, rows } of data.entities) {
    const { id } = await admin("POST", "/entity", { name, tags, schema });
    ids.set(`entity:${key}`, id);
    await admin("POST", `/entity/${id}/data`, rows);
  }
  const effect = { effect: "allow", action: ["execute"], resource: ["sql", "tag.key", "grant", "tag.value", "yes"] };
  await admin("POST", "/am", { name: "queries", targets: [["run_user"]], permissions: [effect] });
});
afterAll(() => sandbox.close());

const anything = (rows: readonly object[]): object[] =>
  rows.map((row) => JSON.parse(JSON.stringify(row), (_, value) => (value === "{any}" ? expect.anything() : value)));

describe("a stored query returns", () => {
  it.each(cases.map((one) => [one.about, one] as const))("%s", async (_, one) => {
    const tags = one.grant === false ? [] : [{ key: "grant", value: "yes" }];
    const body = fill({ name: one.id, query: one.query, params: one.params ?? [], tags });
    const created = await call(sandbox, "POST", "/sql", { token: sandbox.tokens.profile, body });
    const isCreated = created.body.status;
    const { id } = (created.body.result ?? {}) as { id: string };
    const token = one.as === undefined ? sandbox.tokens.profile : (tokens.get(one.as) ?? "");
    const execution = { token, body: fill(one.send ?? {}) };
    const answer = isCreated ? await call(sandbox, "POST", `/sql/${id}/execute`, execution) : created;
    if (one.error !== undefined) {
      const { status, message = answer.body.message, at = isCreated ? "execute" : "create" } = one.error;
      expect(status).toContain(answer.status);
      expect([answer.body.message, isCreated ? "execute" : "create"]).toEqual([message, at]);
      return;
    }
    const result = answer.body.result as { columns: { name: string; type: string }[]; rows: object[] } | undefined;
    if (result === undefined) throw new Error(answer.text);
    expect(result.columns.map(({ name }) => name)).toEqual(one.columns);
    expect(Object.fromEntries(result.columns.map(({ name, type }) => [name, type]))).toMatchObject(one.types ?? {});
    const expected = anything(fill(one.rows ?? []));
    expect(result.rows).toEqual(one.ordered === true ? expected : expect.arrayContaining(expected));
    expect(result.rows).toHaveLength(expected.length);
  });
});
