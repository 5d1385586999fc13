import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statePath, writeNote } from "../../src/commands/kit/state/notes.ts";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { holdTimers } from "../helpers/held-timers.ts";
import { folderId, SMALL, writeProfileFolder } from "../helpers/profile-folder.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_DEVICES, SEED_TOKENS } from "../helpers/seed.ts";
import { waitFor } from "../helpers/wait-for.ts";

type Document = Record<string, unknown>;

interface Row {
  readonly kind: string;
  readonly name: string;
  readonly action: string;
  readonly result: string;
  readonly paths: readonly string[];
  readonly why: string | null;
  readonly id: string | null;
}

/** A sandbox whose profile Empty is what the files are applied to. */
async function place(here: SandboxUnderTest) {
  const env = { ...here.env, IOT_CONFIG_DIR: temporaryFolder(), IOT_TOKEN: SEED_TOKENS.empty };
  const cwd = temporaryFolder();
  const iot = (...args: string[]): Promise<CliResult> => here.iot(args, { env, cwd });
  const writes = (): string[] => here.requests().filter((line) => !line.startsWith("GET "));
  return {
    env,
    cwd,
    iot,
    rows: async (...args: string[]): Promise<Row[]> => JSON.parse((await iot(...args, "--json")).stdout) as Row[],
    /** What a command sends that changes something. */
    async sentBy(...args: string[]): Promise<string[]> {
      const before = writes().length;
      await iot(...args);
      return writes().slice(before);
    },
    async request<T>(method: string, path: string, body?: object): Promise<T> {
      const reply = await fetch(`${here.sandbox.url}${path}`, {
        method,
        headers: { token: SEED_TOKENS.empty, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { status, result, message } = (await reply.json()) as { status: boolean; result: T; message?: string };
      if (!status) throw new Error(`${method} ${path}: ${message}`);
      return result;
    },
    /** Changes the file of a resource. */
    edit(kind: string, n: number, change: (document: Document) => Document, folder = "dev"): void {
      const path = join(cwd, folder, kind, `r${n}--${folderId(kind as "device", n)}.json`);
      writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, "utf8")) as Document)));
    },
    path: (...names: string[]): string => join(cwd, ...names),
  };
}

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

/** A place with the files of a small profile, applied once. */
async function applied() {
  const own = await place(await fresh());
  writeProfileFolder(own.path("dev"), SMALL);
  expect(await own.iot("profile", "apply", "dev", "--yes")).toMatchObject({ code: 0 });
  const again = await own.rows("profile", "apply", "dev", "--yes");
  expect(again.filter(({ result }) => result !== "unchanged")).toEqual([]);
  const ids = new Map(again.map(({ kind, name, id }) => [`${kind} ${name}`, id]));
  const idOf = (name: string): string => ids.get(name) ?? `no ${name}`;
  return { ...own, idOf };
}

const newDevice = (n: number, name: string): Document => ({
  id: folderId("device", n),
  name,
  type: "mutable",
  active: true,
  visible: true,
  network: "65a1000000000000000e0001",
  connector: "65a1000000000000000c0001",
});

const others: SandboxUnderTest[] = [];
async function fresh(): Promise<SandboxUnderTest> {
  const other = await sandboxUnderTest();
  others.push(other);
  return other;
}
afterAll(() => Promise.all(others.map((other) => other.close())));

describe("a promotion from dev over staging to prod", () => {
  it("makes each profile what the files say, keeps one key for all, and sends nothing the second time", {
    tags: ["slow"],
  }, async () => {
    const staging = await place(here);
    const prod = await place(await fresh());
    await here.iot(["profile", "export", "--out", staging.path("dev"), "--yes"]);
    expect(await staging.iot("profile", "apply", "dev", "--check")).toMatchObject({ code: 11 });
    expect(await staging.iot("profile", "apply", "dev", "--yes")).toMatchObject({ code: 0 });
    expect(await staging.sentBy("profile", "apply", "dev", "--yes")).toEqual([]);
    expect(await staging.iot("profile", "apply", "dev", "--check")).toMatchObject({ code: 0, stdout: "" });
    expect(await staging.iot("profile", "diff", "dev")).toMatchObject({ code: 0, stdout: "" });

    await staging.iot("profile", "export", "--out", prod.path("staging"), "--yes");
    expect(await prod.iot("profile", "apply", "staging", "--yes")).toMatchObject({ code: 0 });
    const [device] = await prod.request<{ id: string; tags: object[] }[]>("GET", "/device?filter[name]=Freezer 1");
    expect(device?.id).not.toBe(SEED_DEVICES.freezer);
    expect(device?.tags).toContainEqual({ key: "iotdeck_key", value: SEED_DEVICES.freezer });
    // What dev exports is found in prod by its key, whatever it is called now.
    await here.iot(["profile", "export", "--out", prod.path("dev"), "--yes"]);
    await prod.request("PUT", `/device/${device?.id}`, { name: "Another name" });
    const changed = await prod.rows("profile", "apply", "dev", "--check");
    expect(changed).toEqual([
      expect.objectContaining({ name: "Freezer 1", action: "update", paths: ["name"], id: device?.id }),
    ]);
    expect(await prod.iot("profile", "apply", "dev", "--yes")).toMatchObject({ code: 0 });
    expect(await prod.iot("profile", "diff", "dev")).toMatchObject({ code: 0, stdout: "" });
  });

  it("finds what has no key by its name, and gives it one", { tags: ["slow"] }, async () => {
    const own = await place(await fresh());
    writeProfileFolder(own.path("dev"), { ...SMALL, device: 1 });
    const made = await own.request<{ device_id: string }>("POST", "/device", {
      name: "device 0",
      type: "mutable",
      network: "65a1000000000000000e0001",
      connector: "65a1000000000000000c0001",
    });
    const [row] = await own.rows("profile", "apply", "dev", "--include", "device", "--yes");
    expect(row).toMatchObject({ action: "update", result: "updated", id: made.device_id });
    expect(row?.paths).toContain("tags[iotdeck_key]");
    expect(await own.sentBy("profile", "apply", "dev", "--include", "device", "--yes")).toEqual([]);
  });

  it("warns of a secret without a value, and of what is left out but used", { tags: ["slow"] }, async () => {
    const own = await place(await fresh());
    await here.iot(["profile", "export", "--out", own.path("dev"), "--yes"]);
    const { stderr, code } = await own.iot("profile", "apply", "dev", "--include", "dashboard,secret", "--check");
    expect(code).toBe(11);
    expect(stderr).toContain('secret "PLANT_SMTP": value needed.');
    expect(stderr).toMatch(/refer to \d+ resources that the profile lacks/);
  });
});

describe("references in a circle", () => {
  it("have the new ids everywhere, though none was known when the first resource was made", {
    tags: ["slow"],
  }, async () => {
    const { request, idOf } = await applied();
    const [first, second] = [idOf("dashboard dashboard 0"), idOf("dashboard dashboard 1")];
    const widgetOf = async (id: string): Promise<Document> => {
      const { arrangement } = await request<{ arrangement: { widget_id: string }[] }>("GET", `/dashboard/${id}`);
      return request("GET", `/dashboard/${id}/widget/${arrangement[0]?.widget_id}`);
    };
    expect((await widgetOf(first))["display"]).toEqual({ link: `/dashboards/info/${second}` });
    const last = await widgetOf(idOf("dashboard dashboard 2"));
    expect(last["display"]).toEqual({ link: `/dashboards/info/${first}` });
    expect(last["data"]).toEqual([expect.objectContaining({ origin: idOf("device device 4") })]);
    const { url } = await request<{ url: string }>("GET", `/analysis/${idOf("analysis analysis 1")}/download`);
    const script = gunzipSync(Buffer.from(await (await fetch(url)).arrayBuffer()));
    expect(script.toString()).toBe(`// ${second}\n`);
    const action = await request<{ action: Document }>("GET", `/action/${idOf("action action 2")}`);
    expect(action.action["script"]).toEqual([idOf("analysis analysis 2")]);
  });
});

describe("references to what is not there yet", () => {
  it("are written again once it is there", { tags: ["slow"] }, async () => {
    const { iot, rows, request, path, sentBy } = await place(await fresh());
    writeProfileFolder(path("dev"), SMALL);
    expect(await iot("profile", "apply", "dev", "--include", "dashboard", "--yes")).toMatchObject({ code: 0 });
    const made = await rows("profile", "apply", "dev", "--yes");
    expect(made.filter(({ result }) => result === "failed")).toEqual([]);
    const device = made.find(({ name }) => name === "device 0")?.id;
    const [dashboard] = made.filter(({ name }) => name === "dashboard 0").map(({ id, result }) => ({ id, result }));
    expect(dashboard).toMatchObject({ result: "updated" });
    expect(await request<Document[]>("GET", `/dashboard/${dashboard?.id}/devices`)).toEqual([
      expect.objectContaining({ id: device }),
      expect.objectContaining({ name: "device 1" }),
    ]);
    expect(await sentBy("profile", "apply", "dev", "--yes")).toEqual([]);
  });
});

describe("files that changed", () => {
  it("change what differs and nothing else", async () => {
    const { iot, rows, sentBy, edit, request, idOf, path } = await applied();
    edit("device", 1, (old) => ({
      ...old,
      description: "Hall 2",
      params: [
        { key: "new", value: "1" },
        { key: "rate", value: "60" },
      ],
    }));
    edit("dictionary", 0, (old) => ({ ...old, texts: { "en-US": { HELLO: "Hi" } } }));
    edit("entity", 1, (old) => ({
      ...old,
      schema: { label: { type: "string" }, amount: { type: "int" } },
      index: { by_amount: { fields: ["amount"] } },
    }));
    writeFileSync(path("dev", "analysis", `r2--${folderId("analysis", 2)}.js`), "// new\n");
    edit("dashboard", 0, (old) => {
      const [kept, gone] = old["widgets"] as Document[];
      const fresh = { ...gone, id: folderId("widget", 900), label: "Fresh", display: { own: folderId("widget", 900) } };
      const places = (old["arrangement"] as Document[]).map((each, i) =>
        i === 0 ? each : { ...each, widget_id: fresh.id },
      );
      return { ...old, arrangement: places, widgets: [{ ...kept, label: "Kept" }, fresh] };
    });
    const plan = await rows("profile", "apply", "dev", "--check");
    expect(plan.map(({ kind, name, action }) => `${action} ${kind} ${name}`)).toEqual([
      "update device device 1",
      "update entity entity 1",
      "update dictionary dictionary 0",
      "update analysis analysis 2",
      "update dashboard dashboard 0",
    ]);
    const sent = await sentBy("profile", "apply", "dev", "--yes");
    expect(sent.filter((line) => line.endsWith("/upload"))).toEqual([
      `POST /analysis/${idOf("analysis analysis 2")}/upload`,
    ]);
    expect(await iot("profile", "diff", "dev", "--exclude", "portal")).toMatchObject({ code: 0, stdout: "" });
    expect(await sentBy("profile", "apply", "dev", "--yes")).toEqual([]);
    const { arrangement } = await request<{ arrangement: Document[] }>(
      "GET",
      `/dashboard/${idOf("dashboard dashboard 0")}`,
    );
    const fresh = String(arrangement[1]?.["widget_id"]);
    const widget = await request<Document>("GET", `/dashboard/${idOf("dashboard dashboard 0")}/widget/${fresh}`);
    expect(widget).toMatchObject({ label: "Fresh", display: { own: fresh } });
  });

  it("empty what they leave out, and leave parameters and languages to --prune", { tags: ["slow"] }, async () => {
    const { iot, rows, edit, request, idOf } = await applied();
    const device = idOf("device device 1");
    await request("PUT", `/device/${device}`, { description: "Theirs" });
    await request("POST", `/device/${device}/params`, [{ key: "theirs", value: "1", sent: true }]);
    await request("PUT", `/dictionary/${idOf("dictionary dictionary 1")}/es`, {
      dictionary: { HELLO: "Hola" },
      active: true,
    });
    edit("device", 2, ({ params: _, ...old }) => old);
    expect((await rows("profile", "apply", "dev", "--check")).map(({ paths }) => paths)).toEqual([["description"]]);
    expect(await iot("profile", "apply", "dev", "--yes")).toMatchObject({ code: 0 });
    expect(await request<Document>("GET", `/device/${device}`)).toMatchObject({ description: null });
    const pruned = await rows("profile", "apply", "dev", "--check", "--prune");
    expect(pruned.map(({ name, paths }) => [name, paths[0]])).toEqual([
      ["device 1", "params[theirs]"],
      ["device 2", "params"],
      ["dictionary 1", "languages[1]"],
    ]);
    expect(await iot("profile", "apply", "dev", "--prune", "--yes")).toMatchObject({ code: 0 });
    expect(await iot("profile", "diff", "dev", "--exclude", "portal")).toMatchObject({ code: 0 });
  });

  it("keep secrets and values of variables as they are on the platform", { tags: ["slow"] }, async () => {
    const { iot, edit, request, idOf } = await applied();
    const [analysis, action] = [idOf("analysis analysis 0"), idOf("action action 0")];
    await request("PUT", `/analysis/${analysis}`, { variables: [{ key: "api", value: "kept-value" }] });
    const twilio = {
      type: "sms-twilio",
      to: "+1",
      from: "+2",
      message: "old",
      twilio_sid: "AC1",
      twilio_token: "kept-token",
    };
    await request("PUT", `/action/${action}`, { action: twilio });
    edit("analysis", 0, (old) => ({ ...old, description: "New", variables: [{ key: "other" }] }));
    const check = await iot("profile", "apply", "dev", "--check");
    expect(check.stderr).toContain('Set them with "iot analysis env set": analysis 0 (other).');
    edit("action", 0, (old) => ({ ...old, action: { ...twilio, twilio_token: undefined, message: "new" } }));
    expect(await iot("profile", "apply", "dev", "--yes")).toMatchObject({ code: 0 });
    expect(await request<Document>("GET", `/action/${action}`)).toMatchObject({
      action: { ...twilio, message: "new" },
    });
    expect(await request<Document>("GET", `/analysis/${analysis}`)).toMatchObject({
      description: "New",
      variables: [{ key: "api", value: "kept-value" }],
    });
    // A string with a secret in it cannot be changed by a file that does not have the secret.
    const post = { type: "post", url: "https://one.example.test/?token=kept-secret", headers: {} };
    await request("PUT", `/action/${action}`, { action: post });
    edit("action", 0, (old) => ({ ...old, action: { ...post, url: "https://two.example.test/?token=…" } }));
    expect(await iot("profile", "apply", "dev", "--yes")).toMatchObject({
      code: 7,
      stderr: expect.stringContaining("secret"),
    });
    expect(await request<Document>("GET", `/action/${action}`)).toMatchObject({ action: { url: post.url } });
  });
});

describe("what cannot become what the files say", () => {
  it("is left as it is, with the reason, while the rest is applied", { tags: ["slow"] }, async () => {
    const { iot, rows, edit, request, idOf } = await applied();
    edit("entity", 0, (old) => ({ ...old, name: "Renamed", schema: { label: { type: "int" } } }));
    edit("device", 0, (old) => ({
      ...old,
      name: "Renamed too",
      type: "immutable",
      chunk_period: "month",
      chunk_retention: 2,
    }));
    edit("device", 1, (old) => ({ ...old, description: "Fine" }));
    expect((await rows("profile", "apply", "dev", "--check")).map(({ name, action }) => [name, action])).toEqual([
      ["Renamed too", "conflict"],
      ["device 1", "update"],
      ["Renamed", "conflict"],
    ]);
    const { code, stderr } = await iot("profile", "apply", "dev", "--yes");
    expect({ code, stderr }).toEqual({
      code: 8,
      stderr: expect.stringContaining('the type of field "label" cannot change'),
    });
    expect(await request<Document>("GET", `/entity/${idOf("entity entity 0")}`)).toMatchObject({ name: "entity 0" });
    expect(await request<Document>("GET", `/device/${idOf("device device 0")}`)).toMatchObject({ name: "device 0" });
    expect(await request<Document>("GET", `/device/${idOf("device device 1")}`)).toMatchObject({ description: "Fine" });
  });

  it("is reported when the platform rejects it, and the others are written", async () => {
    const own = await place(await fresh());
    writeProfileFolder(own.path("dev"), SMALL);
    own.edit("dictionary", 1, (old) => ({ ...old, slug: "FAR_TOO_LONG" }));
    const { code, stdout, stderr } = await own.iot(
      "profile",
      "apply",
      "dev",
      "--yes",
      "--json",
      "--report",
      "report.csv",
    );
    expect({ code, stderr }).toEqual({ code: 8, stderr: expect.stringContaining('dictionary "dictionary 1"') });
    const results = (JSON.parse(stdout) as Row[]).map(({ result }) => result);
    expect(results.filter((result) => result !== "created")).toEqual(["failed"]);
    expect(readFileSync(own.path("report.csv"), "utf8")).toMatch(/dictionary,dictionary 1,create,failed/);
  });

  it("is not overwritten when somebody changes it after it was compared", { tags: ["slow"] }, async () => {
    const { iot, edit, request, idOf, path } = await applied();
    const sandbox = others.at(-1);
    const id = idOf("device device 1");
    edit("device", 1, (old) => ({ ...old, description: "Ours" }));
    const file = `r99--${folderId("device", 99)}.json`;
    writeFileSync(path("dev", "device", file), JSON.stringify(newDevice(99, "Slow")));
    sandbox?.sandbox.faults.set([{ route: "POST /device", kind: "latency", delayMs: 1_234 }]);
    const delay = holdTimers(1_234);
    const running = iot("profile", "apply", "dev", "--include", "device", "--yes");
    await waitFor(() => delay.waiting === 1, "the creation, which follows the comparison");
    await request("PUT", `/device/${id}`, { description: "Theirs" });
    delay.elapse();
    const { code, stderr } = await running;
    sandbox?.sandbox.faults.set([]);
    expect({ code, stderr }).toEqual({
      code: 8,
      stderr: expect.stringContaining('device "device 1": it changed since the plan was made'),
    });
    expect(await request<Document>("GET", `/device/${id}`)).toMatchObject({ description: "Theirs" });
  });
});

describe("--prune", () => {
  it("deletes what the folder does not have, after the name of the profile was given", { tags: ["slow"] }, async () => {
    const { iot, rows, request, idOf, path } = await applied();
    await request("POST", "/secrets", { key: "THEIRS", value: "long-enough" });
    await request("PUT", `/device/${idOf("device device 7")}`, { tags: [{ key: "_delete_protection_", value: "No" }] });
    for (const n of [6, 7]) rmSync(path("dev", "device", `r${n}--${folderId("device", n)}.json`));
    rmSync(path("dev", "entity"), { recursive: true });
    expect(await rows("profile", "apply", "dev", "--check")).toEqual([]);
    expect(
      (await rows("profile", "apply", "dev", "--prune", "--check")).map(({ action, name }) => [action, name]),
    ).toEqual([["delete", "device 6"]]);
    expect(await iot("profile", "apply", "dev", "--prune", "--yes")).toMatchObject({ code: 2 });
    expect(await iot("profile", "apply", "dev", "--prune", "--confirm", "Another")).toMatchObject({ code: 2 });
    expect(await iot("profile", "apply", "dev", "--prune", "--confirm", "Empty")).toMatchObject({ code: 0 });
    const names = (await request<{ name: string }[]>("GET", "/device?amount=100")).map(({ name }) => name);
    expect(names).not.toContain("device 6");
    expect(names).toContain("device 7");
    expect(await request<Document[]>("GET", "/secrets")).toHaveLength(1);
    // The export left these out: a kind without a file is no reason to delete.
    expect(await request<Document[]>("GET", "/entity")).toHaveLength(2);
  });
});

describe("a saved plan", () => {
  it("is carried out as it is, and rejected when the files, the profile or the target are others", {
    tags: ["slow", "posix"],
  }, async () => {
    const { iot, edit, request, idOf, sentBy, path } = await applied();
    edit("device", 1, (old) => ({ ...old, description: "Planned" }));
    expect(await sentBy("profile", "apply", "dev", "--save-plan", "plan.json")).toEqual([]);
    expect(statSync(path("plan.json")).mode & 0o777).toBe(0o600);
    expect(await iot("profile", "apply", "dev", "--apply", "plan.json", "--prune")).toMatchObject({ code: 2 });
    const elsewhere = await here.iot(["profile", "apply", path("dev"), "--apply", path("plan.json"), "--yes"]);
    expect(elsewhere).toMatchObject({ code: 7, stderr: expect.stringContaining("was made for") });
    await request("PUT", `/device/${idOf("device device 1")}`, { description: "Theirs" });
    const refused = await iot("profile", "apply", "dev", "--apply", "plan.json", "--yes");
    expect(refused).toMatchObject({ code: 7, stderr: expect.stringContaining("The profile changed since") });
    await iot("profile", "apply", "dev", "--save-plan", "two.json");
    edit("device", 2, (old) => ({ ...old, description: "Later" }));
    const other = await iot("profile", "apply", "dev", "--apply", "two.json", "--yes");
    expect(other).toMatchObject({ code: 7, stderr: expect.stringContaining("The files changed since") });
    await iot("profile", "apply", "dev", "--save-plan", "three.json");
    expect(await iot("profile", "apply", "dev", "--apply", "three.json", "--yes")).toMatchObject({ code: 0 });
    expect(await request<Document>("GET", `/device/${idOf("device device 2")}`)).toMatchObject({
      description: "Later",
    });
    writeFileSync(path("broken.json"), "{}");
    expect(await iot("profile", "apply", "dev", "--apply", "broken.json")).toMatchObject({ code: 3 });
    expect(await iot("profile", "apply", "dev", "--apply", "missing.json")).toMatchObject({ code: 3 });
  });
});

describe("a plan of new resources", () => {
  it("is not saved where -o id cannot print it", async () => {
    const own = await place(await fresh());
    writeProfileFolder(own.path("dev"), { ...SMALL, device: 1 });
    const only = ["--include", "device", "-o", "id"];
    const saved = await own.iot("profile", "apply", "dev", ...only, "--save-plan", "plan.json");
    expect(saved).toMatchObject({ code: 3, stderr: expect.stringContaining('-o id needs "id"') });
    expect(existsSync(own.path("plan.json"))).toBe(false);
  });
});

describe("a rollback", () => {
  it("makes changed, deleted and created resources what they were, and can be undone itself", {
    tags: ["posix"],
  }, async () => {
    const { iot, rows, edit, path, env } = await applied();
    await iot("profile", "export", "--out", "before", "--yes", "--exclude", "portal");
    edit("device", 1, (old) => ({ ...old, description: "New", params: [{ key: "other", value: "2" }] }));
    edit("dashboard", 0, (old) => ({
      ...old,
      arrangement: (old["arrangement"] as Document[]).slice(1),
      widgets: (old["widgets"] as Document[]).slice(1),
    }));
    rmSync(path("dev", "action", `r0--${folderId("action", 0)}.json`));
    writeFileSync(
      path("dev", "device", `r50--${folderId("device", 50)}.json`),
      JSON.stringify(newDevice(50, "Created")),
    );
    expect(await iot("profile", "apply", "dev", "--prune", "--confirm", "Empty")).toMatchObject({ code: 0 });
    const folder = join(env.IOT_CONFIG_DIR, "state", "profile-snapshots");
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(await iot("profile", "rollback", "last", "--yes")).toMatchObject({ code: 2 });
    const undone = await rows("profile", "rollback", "last", "--confirm", "Empty");
    expect(undone.map(({ name, result }) => [name, result])).toEqual([
      ["device 1", "updated"],
      ["dashboard 0", "updated"],
      ["action 0", "created"],
      ["Created", "deleted"],
    ]);
    expect(await iot("profile", "diff", "before", "--exclude", "portal")).toMatchObject({ code: 0, stdout: "" });
    expect(await iot("profile", "rollback", "last", "--confirm", "Empty")).toMatchObject({ code: 0 });
    const again = await rows("profile", "diff", "dev", "--exclude", "portal");
    expect(again).toEqual([]);
  });

  it("names what it leaves and ends with 8", async () => {
    const own = await place(await fresh());
    writeProfileFolder(own.path("dev"), { ...SMALL, device: 2 });
    own.edit("device", 0, (old) => ({ ...old, tags: [{ key: "_delete_protection_", value: "No" }] }));
    const only = ["--include", "device", "--yes"];
    expect(await own.iot("profile", "apply", "dev", ...only)).toMatchObject({ code: 0 });
    const { code, stderr } = await own.iot("profile", "rollback", "last", "--confirm", "Empty");
    expect({ code, stderr }).toEqual({
      code: 8,
      stderr: expect.stringContaining('1 left: device "device 0" (delete protection).'),
    });
  });

  it.each([
    { ends: "fails in part", kind: "status", code: 8, state: "partial" },
    { ends: "is interrupted", kind: "drop", code: 10, state: "open" },
  ] as const)("names its snapshot when it $ends, and last does the rest", async ({ kind, code, state }) => {
    const sandbox = await fresh();
    const own = await place(sandbox);
    writeProfileFolder(own.path("dev"), { ...SMALL, device: 1, dictionary: 1 });
    const only = ["--include", "device,dictionary", "--yes"];
    expect(await own.iot("profile", "apply", "dev", ...only)).toMatchObject({ code: 0 });
    const [first] = (await own.rows("profile", "snapshot", "list")) as unknown as { id: string }[];
    const fault = kind === "drop" ? ({ kind } as const) : ({ kind, status: 400 } as const);
    sandbox.sandbox.faults.set([{ route: "DELETE /dictionary/*", ...fault }]);
    const failed = await own.iot("profile", "rollback", "last", "--confirm", "Empty", "--retries", "0");
    expect({ code: failed.code, stderr: failed.stderr }).toEqual({
      code,
      stderr: expect.stringMatching(new RegExp(`[Rr]un "iot profile rollback ${first?.id}" again`)),
    });
    expect(failed.stderr).not.toMatch(/(Run|and run) the command again|--resume/);
    expect((await own.rows("profile", "snapshot", "list"))[0]).toMatchObject({ reason: "profile rollback", state });
    sandbox.sandbox.faults.set([]);
    expect(await own.iot("profile", "rollback", "last", "--confirm", "Empty")).toMatchObject({ code: 0 });
    expect(await own.request("GET", "/device")).toEqual([]);
    expect(await own.request("GET", "/dictionary")).toEqual([]);
  });

  it("does the rest when it is repeated, and creates nothing twice", { tags: ["slow"] }, async () => {
    const { iot, rows, path, request } = await applied();
    const slugs = async (): Promise<string[]> =>
      (await request<{ slug: string }[]>("GET", "/dictionary")).map(({ slug }) => slug).sort();
    // Networks have no tag that tells them apart from others of their name.
    const radios = async (): Promise<string[]> =>
      (await request<{ name: string }[]>("GET", "/integration/network?fields=name&filter[public]=false")).map(
        ({ name }) => name,
      );
    mkdirSync(path("dev", "network"));
    const networkFile = (n: number): string => path("dev", "network", `radio-${n}--88000000000000000000000${n}.json`);
    for (const n of [1, 2])
      writeFileSync(networkFile(n), JSON.stringify({ id: `88000000000000000000000${n}`, name: `Radio ${n}` }));
    expect(await iot("profile", "apply", "dev", "--yes")).toMatchObject({ code: 0 });
    const before = [await slugs(), (await radios()).sort()];
    rmSync(path("dev", "dictionary", `r1--${folderId("dictionary", 1)}.json`));
    rmSync(networkFile(2));
    const meter = { ...newDevice(50, "Main meter"), tags: [{ key: "_delete_protection_", value: "No" }] };
    writeFileSync(path("dev", "device", `r50--${folderId("device", 50)}.json`), JSON.stringify(meter));
    writeFileSync(
      path("dev", "device", `r51--${folderId("device", 51)}.json`),
      JSON.stringify(newDevice(51, "Free meter")),
    );
    expect(await iot("profile", "apply", "dev", "--prune", "--confirm", "Empty")).toMatchObject({ code: 0 });
    const [{ id: snapshot } = { id: "" }] = JSON.parse(
      (await iot("profile", "snapshot", "list", "--json")).stdout,
    ) as Row[];
    const plan = await iot("profile", "rollback", snapshot ?? "", "--dry-run");
    expect(plan.stderr).toContain('device "Main meter" will be left: delete protection.');

    const undone = await iot("profile", "rollback", snapshot ?? "", "--confirm", "Empty", "--json");
    expect(undone.code).toBe(8);
    const results = (JSON.parse(undone.stdout) as Row[]).map(({ name, result }) => [name, result]);
    expect(results.sort()).toEqual([
      ["Free meter", "deleted"],
      ["Main meter", "skipped"],
      ["Radio 2", "created"],
      ["dictionary 1", "created"],
    ]);
    expect(undone.stderr).toContain("1 deleted, 0 unchanged, 1 skipped.");
    expect(JSON.parse(undone.stderr.trim().split("\n").at(-1) ?? "")).toMatchObject({
      error: {
        code: "batch.partial",
        message: '1 left: device "Main meter" (delete protection).',
        next: expect.stringContaining(`"iot profile rollback ${snapshot}" again`),
      },
    });
    expect(await iot("profile", "rollback", snapshot ?? "", "--confirm", "Empty")).toMatchObject({ code: 8 });

    const [left] = await request<{ id: string }[]>("GET", "/device?filter[name]=Main meter");
    await request("PUT", `/device/${left?.id}`, { tags: [] });
    const again = await rows("profile", "rollback", snapshot ?? "", "--confirm", "Empty");
    expect(again.map(({ name, result }) => [name, result]).sort()).toEqual([
      ["Main meter", "deleted"],
      ["Radio 2", "unchanged"],
      ["dictionary 1", "unchanged"],
    ]);
    expect([await slugs(), (await radios()).sort()]).toEqual(before);
  });

  it("puts no token and no secret into a snapshot", { tags: ["slow"] }, async () => {
    const own = await place(await fresh());
    const { sandbox } = others.at(-1) as SandboxUnderTest;
    const env = { IOT_API_URL: sandbox.url, IOT_TOKEN: SEED_TOKENS.full, IOT_CONFIG_DIR: own.env.IOT_CONFIG_DIR };
    const kinds = ["analysis", "device", "dashboard", "action", "access"];
    const only = ["--include", kinds.join(",")];
    await here.iot(["profile", "export", "--out", own.path("all"), "--yes", ...only], { env });
    for (const kind of kinds)
      for (const name of readdirSync(own.path("all", kind)).filter((file) => file.endsWith(".json")))
        writeFileSync(
          own.path("all", kind, name),
          readFileSync(own.path("all", kind, name), "utf8").replace(/"(name|label)": "(.*)"/, '"$1": "$2 x"'),
        );
    const done = await here.iot(["profile", "apply", "all", "--yes", ...only], { env, cwd: own.cwd });
    expect(done).toMatchObject({ code: 0 });
    const folder = join(own.env.IOT_CONFIG_DIR, "state", "profile-snapshots");
    const text = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("\n");
    expect(text).toContain("Freezer 1");
    for (const token of Object.values(SEED_TOKENS)) expect(text).not.toContain(token);
    expect(text).not.toMatch(/"(token|password|value_length)":/);
  });

  it("is listed, shown and deleted, and rejected for another profile", async () => {
    const { iot, env, cwd } = await applied();
    const listed = JSON.parse((await iot("profile", "snapshot", "list", "--json")).stdout) as Document[];
    expect(listed).toEqual([expect.objectContaining({ profile: "Empty", entries: 0, created: 23, state: "done" })]);
    expect(await iot("profile", "snapshot", "show", "last")).toMatchObject({ code: 0 });
    const id = String(listed[0]?.["id"]);
    const other = others.at(-1) as SandboxUnderTest;
    const elsewhere = { env: { ...env, IOT_TOKEN: SEED_TOKENS.full }, cwd };
    expect(await other.iot(["profile", "rollback", id, "--confirm", "Demo Plant"], elsewhere)).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/was made for .*profile "Empty", not for .*profile "Demo Plant"/),
    });
    expect(await iot("profile", "snapshot", "delete", id, "--yes")).toMatchObject({ code: 0 });
    expect(await iot("profile", "rollback", "last", "--confirm", "Empty")).toMatchObject({ code: 6 });
  });

  it("takes the newest snapshot of the profile in use with last, not that of another", { tags: ["slow"] }, async () => {
    const { iot, env, cwd } = await applied();
    const other = others.at(-1) as SandboxUnderTest;
    const inPlant = (...args: string[]) =>
      other.iot(["profile", ...args], { env: { ...env, IOT_TOKEN: SEED_TOKENS.full }, cwd });
    expect(await inPlant("rollback", "last", "--dry-run")).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('No snapshots of profile "Demo Plant" yet.'),
    });
    expect(await inPlant("apply", "dev", "--include", "dictionary", "--yes")).toMatchObject({ code: 0 });
    const [newest] = JSON.parse((await iot("profile", "snapshot", "list", "--json")).stdout) as Document[];
    expect(newest).toMatchObject({ profile: "Demo Plant" });
    expect(await iot("profile", "rollback", "last", "--dry-run")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("DELETE /device/"),
    });
  });
});

describe("an apply that sends nothing", () => {
  it("prints its requests with --dry-run, and asks before it writes", async () => {
    const own = await place(await fresh());
    writeProfileFolder(own.path("dev"), SMALL);
    const dry = await own.iot("profile", "apply", "dev", "--dry-run");
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("POST /device ") });
    expect(await own.iot("profile", "apply", "dev")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--yes"),
    });
    expect(await own.iot("profile", "apply", "dev", "--resume")).toMatchObject({ code: 2 });
    expect(await own.iot("profile", "apply", "dev", "--include", "core")).toMatchObject({ code: 2 });
    expect(await own.iot("profile", "apply", "nowhere")).toMatchObject({ code: 3 });
    own.edit("device", 3, () => ({ id: "short" }));
    expect(await own.iot("profile", "apply", "dev", "--yes")).toMatchObject({ code: 3 });
    expect(await own.request<Document[]>("GET", "/device")).toEqual([]);
    expect(existsSync(join(own.env.IOT_CONFIG_DIR, "state", "profile-snapshots"))).toBe(false);
  });
});

describe("an apply whose answers are lost", () => {
  it("ends, and continues without a second copy of anything", { tags: ["slow"] }, async () => {
    const sandbox = await fresh();
    const own = await place(sandbox);
    writeProfileFolder(own.path("dev"), SMALL);
    const widget = "POST /dashboard/*/widget";
    // In the order in which a run comes to them. What is dropped has not arrived.
    const lost = ["POST /device", "POST /dictionary", "POST /dashboard", "POST /device/*/params", widget, widget];
    const rules = [
      ...lost.map((route) => ({ route, kind: "truncate", count: 1 }) as const),
      { route: "PUT /dashboard/*", kind: "drop", count: 1 } as const,
    ];
    for (const rule of rules) {
      sandbox.sandbox.faults.set([rule]);
      const { code } = await own.iot("profile", "apply", "dev", "--yes", "--retries", "0");
      expect({ ...rule, code }).toEqual({ ...rule, code: 10 });
    }
    sandbox.sandbox.faults.set([]);
    expect(await own.iot("profile", "apply", "dev", "--yes")).toMatchObject({ code: 0 });
    expect(await own.iot("profile", "diff", "dev", "--exclude", "portal")).toMatchObject({ code: 0, stdout: "" });
    // No widget without a place is left: those of the dashboards that are there were sent once.
    const ids = (await own.request<{ id: string }[]>("GET", "/dashboard")).map(({ id }) => id);
    const widgets = ids.map(
      (id) => sandbox.requests().filter((line) => line === `POST /dashboard/${id}/widget`).length,
    );
    expect(widgets).toEqual([2, 2, 2]);
    const undone = await own.rows("profile", "rollback", "last", "--confirm", "Empty");
    expect(undone.filter(({ result }) => result === "deleted")).toHaveLength(23);
  });
});

describe("an apply that another version began", () => {
  it("is neither continued nor rolled back, and the run that follows its hint is whole", {
    tags: ["slow"],
  }, async () => {
    const sandbox = await fresh();
    const own = await place(sandbox);
    writeProfileFolder(own.path("dev"), SMALL);
    sandbox.sandbox.faults.set([{ route: "POST /dashboard", kind: "drop", count: 1 }]);
    expect(await own.iot("profile", "apply", "dev", "--yes", "--retries", "0")).toMatchObject({ code: 10 });
    sandbox.sandbox.faults.set([]);
    const [{ id } = { id: "" }] = (await own.rows("profile", "snapshot", "list")) as { id: string | null }[];
    writeNote(statePath(own.env, "profile-applies", [id ?? ""]), "begun 65a1000000000000000e0001");
    for (const command of [
      ["profile", "apply", "dev", "--yes"],
      ["profile", "apply", "dev", "--resume"],
      ["profile", "apply", "dev", "--check"],
      ["profile", "rollback", id ?? "", "--confirm", "Empty"],
    ]) {
      const { code, stderr } = await own.iot(...command);
      expect({ command, code, stderr }).toEqual({
        command,
        code: 7,
        stderr: expect.stringContaining(`iot profile snapshot delete ${id}`),
      });
      expect(stderr).toContain("The interrupted apply cannot be continued");
    }
    expect(await own.iot("profile", "snapshot", "delete", id ?? "", "--yes")).toMatchObject({ code: 0 });
    expect(await own.iot("profile", "apply", "dev", "--yes")).toMatchObject({ code: 0 });
    expect(await own.iot("profile", "diff", "dev", "--exclude", "portal")).toMatchObject({ code: 0, stdout: "" });
  });
});
