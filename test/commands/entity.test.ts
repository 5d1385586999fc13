import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliResult, startCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { smallServer } from "../helpers/small-server.ts";
import { waitFor } from "../helpers/wait-for.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const iot = (args: readonly string[], cwd = temporaryFolder(), stdin?: string): Promise<CliResult> =>
  runHere(["entity", ...args], { env: here.env, cwd, ...(stdin === undefined ? {} : { stdin }) });

async function json<T>(args: readonly string[], cwd?: string, stdin?: string): Promise<T> {
  const { code, stdout, stderr } = await iot([...args, "--json"], cwd, stdin);
  if (code !== 0) throw new Error(`iot entity ${args.join(" ")} ended with ${code}:\n${stderr}`);
  return JSON.parse(stdout) as T;
}

interface Entity {
  readonly id: string;
  readonly name: string;
  readonly schema: Readonly<Record<string, { type: string; required?: boolean }>>;
  readonly index: Readonly<Record<string, { fields: string[] }>>;
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** A new entity with this schema. */
async function newEntity(name: string, ...flags: string[]): Promise<string> {
  await json(["create", "--name", name, ...flags]);
  return `name:${name}`;
}

describe("entity", () => {
  it("is created with fields, indexes and tags, changed, counted and deleted", async () => {
    const entity = await json<Entity>([
      "create",
      "--name",
      "orders",
      "--field",
      "customer:string:required",
      "--field",
      "total:float",
      "--index",
      "by_customer=customer,total",
      "--tag",
      "kind=test",
    ]);
    expect(entity.schema).toMatchObject({ customer: { type: "string", required: true }, total: { type: "float" } });
    expect(entity.index["by_customer"]).toEqual({ fields: ["customer", "total"] });
    expect((await json<Entity>(["update", "name:orders", "--name", "sales"])).name).toBe("sales");
    expect(await json(["count", "name:sales"])).toBe(0);
    expect((await iot(["delete", "name:sales"])).code).toBe(2);
    expect((await iot(["delete", "name:sales", "--yes"])).code).toBe(0);
    expect((await iot(["get", "name:sales"])).code).toBe(6);
  });

  it.each([
    [["create"]],
    [["create", "--name", "x", "--field", "customer"]],
    [["create", "--name", "x", "--field", "customer:strin"]],
    [["create", "--name", "x", "--field", "Customer:string"]],
    [["create", "--name", "x", "--index", "customer"]],
    [["update", "name:sites"]],
  ])("refuses %j with 2", async (args) => {
    expect((await iot(args)).code).toBe(2);
  });

  it("is emptied only after its name was given", async () => {
    await newEntity("full", "--field", "note:text");
    await json(["data", "add", "name:full", "note=one"]);
    expect((await iot(["empty", "name:full", "--yes"])).code).toBe(2);
    expect(await json(["empty", "name:full", "--confirm", "full"])).toMatchObject({
      name: "full",
      deleted: 1,
      remaining: 0,
    });
    expect(await json(["count", "name:full"])).toBe(0);
  });
});

describe("entity schema", () => {
  const fieldsOf = async (entity: string): Promise<string[]> =>
    (await json<{ kind: string; name: string }[]>(["schema", entity])).map(({ kind, name }) => `${kind} ${name}`);

  it("shows, adds, renames, changes and deletes fields and indexes", async () => {
    const place = await newEntity("shape", "--field", "note:text");
    await json(["schema", "add", place, "--field", "city:string:required", "--index", "by_city=city"]);
    expect(await fieldsOf(place)).toEqual(expect.arrayContaining(["field note", "field city", "index by_city"]));
    expect((await iot(["schema", "add", place, "--field", "city:text"])).code).toBe(7);
    await json(["schema", "rename", place, "note", "remark"]);
    await json(["schema", "update", place, "city", "--optional"]);
    const shown = await json<{ name: string; required?: boolean }[]>(["schema", place]);
    expect(shown.find(({ name }) => name === "city")).toMatchObject({ required: false });
    expect(shown.map(({ name }) => name)).not.toContain("note");
    expect((await iot(["schema", "delete", place, "--field", "remark", "--yes"])).code).toBe(2);
    await json(["schema", "delete", place, "--field", "remark", "--index", "by_city", "--confirm", "shape"]);
    expect(await fieldsOf(place)).not.toEqual(expect.arrayContaining(["field remark"]));
  });

  it("names what is not there, and leaves alone what every entity has", async () => {
    expect(await iot(["schema", "rename", "name:sites", "nme", "x"])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('Did you mean "name"?'),
    });
    expect((await iot(["schema", "delete", "name:sites", "--field", "created_at", "--confirm", "sites"])).code).toBe(2);
    expect((await iot(["schema", "update", "name:sites", "name"])).code).toBe(2);
  });
});

describe("entity data list", () => {
  it("finds the index for its filters and order", async () => {
    const rows = await json<Row[]>([
      "data",
      "list",
      "name:sites",
      "--filter",
      "city=Bergen",
      "--filter",
      "state=open",
      "--sort",
      "opened:desc",
      "--limit",
      "5",
    ]);
    expect(rows).toHaveLength(5);
    expect(rows.every(({ city, state }) => city === "Bergen" && state === "open")).toBe(true);
    const moments = rows.map(({ opened }) => String(opened));
    expect(moments).toEqual(moments.toSorted().reverse());
  });

  it("takes a range on the last field", async () => {
    const rows = await json<Row[]>(["data", "list", "name:sites", "--filter", "name=Site 0010..Site 0012"]);
    expect(rows.map(({ name }) => name).sort()).toEqual(["Site 0010", "Site 0011", "Site 0012"]);
  });

  it("skips, pages and gives all", async () => {
    const ids = async (...flags: string[]): Promise<string[]> =>
      (await json<Row[]>(["data", "list", "name:sites", ...flags])).map(({ id }) => id);
    const first = await ids("--limit", "6");
    expect(await ids("--offset", "2", "--limit", "3")).toEqual(first.slice(2, 5));
    expect(await ids("--page", "2", "--limit", "3")).toEqual(first.slice(3));
    const { stdout } = await iot(["data", "list", "name:sites", "--all", "-o", "id"]);
    expect(new Set(stdout.trim().split("\n")).size).toBe(2_000);
  });

  it("says which indexes there are when none fits", async () => {
    expect(await iot(["data", "list", "name:sites", "--filter", "area=5"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("city_state_opened_idx (city, state, opened)"),
    });
    expect((await iot(["data", "list", "name:sites", "--filter", "cty=5"])).code).toBe(2);
    expect((await iot(["data", "list", "name:sites", "--index", "none"])).code).toBe(2);
  });
});

describe("entity data add, update and delete", () => {
  it("reads values as the schema says, and prints the rows", async () => {
    const place = await newEntity(
      "typed",
      ...["n:int", "f:float", "b:boolean", "t:timestamp", "j:json", "s:string"].flatMap((field) => ["--field", field]),
    );
    const [row] = await json<Row[]>([
      "data",
      "add",
      place,
      "n=3",
      "f=1.5",
      "b=true",
      "t=2026-01-02",
      'j={"a":[1]}',
      "s=7",
    ]);
    expect(row).toMatchObject({ n: 3, f: 1.5, b: true, t: "2026-01-02T00:00:00.000Z", j: { a: [1] }, s: "7" });
    const id = row?.id ?? "";
    const [changed] = await json<Row[]>(["data", "update", place, id, "n=4", "s="]);
    expect(changed).toMatchObject({ id, n: 4, f: 1.5, s: null });
    expect((await iot(["data", "add", place, "n=3.5"])).code).toBe(2);
    expect((await iot(["data", "add", place, "colour=red"])).code).toBe(3);
    expect((await iot(["data", "update", place, "unknown", "n=1"])).code).toBe(6);
    expect((await iot(["data", "delete", place, id])).code).toBe(2);
    expect(await json(["data", "delete", place, id, "--yes"])).toEqual([{ id, name: "typed" }]);
    expect((await iot(["data", "delete", place, id, "--yes"])).code).toBe(6);
  });

  it("deletes many rows, ten at a time, after the name was given", async () => {
    const place = await newEntity("many", "--field", "n:int");
    const rows = Array.from({ length: 25 }, (_, n) => ({ n }));
    const added = await json<Row[]>(["data", "add", place, "--input", "-"], undefined, JSON.stringify(rows));
    const ids = added.map(({ id }) => id).join("\n");
    expect(added).toHaveLength(25);
    expect((await iot(["data", "delete", place, "-", "--yes"], undefined, ids)).code).toBe(2);
    expect((await iot(["data", "delete", place, "-", "--confirm", "many"], undefined, ids)).code).toBe(0);
    expect(await json(["count", place])).toBe(0);
  });
});

describe("entity data import and export", () => {
  async function expectBack(format: string): Promise<void> {
    const cwd = temporaryFolder();
    const file = `sites.${format}`;
    const exported = await json<{ rows: number }[]>(["data", "export", "name:sites", "--out", file], cwd);
    expect(exported).toMatchObject([{ file, rows: 2_000 }]);
    const entity = await json<Entity>(["get", "name:sites"]);
    const fields = Object.entries(entity.schema).filter(([name]) => !["id", "created_at", "updated_at"].includes(name));
    const place = await newEntity(
      `copy-${format}`,
      ...fields.flatMap(([name, { type }]) => ["--field", `${name}:${type}`]),
    );
    expect(await json(["data", "import", place, file], cwd)).toMatchObject({ rows: 2_000, sent: 2_000, failed: 0 });
    const columns = ["id", ...fields.map(([name]) => name)].join(",");
    const text = async (from: string): Promise<string[]> =>
      (await iot(["data", "export", from, "--format", "csv", "--fields", columns], cwd)).stdout.split("\r\n").sort();
    expect(await text(place)).toEqual(await text("name:sites"));
  }

  it.each(["csv", "ndjson", "json"])("brings every row of a %s file back as it was", { tags: ["slow"] }, expectBack);

  it("asks before it overwrites a file", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "out.csv"), "mine");
    expect((await iot(["data", "export", "name:sites", "--out", "out.csv"], cwd)).code).toBe(2);
    expect(readFileSync(join(cwd, "out.csv"), "utf8")).toBe("mine");
  });

  it("checks the whole file before anything is sent, and names the row", async () => {
    const place = await newEntity("checked", "--field", "n:int:required", "--field", "s:string");
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "rows.csv"), "n,s,extra\n1,a,\n2,b,\nx,c,\n,d,\n5,e,z\n");
    const refused = await iot(["data", "import", place, "rows.csv"], cwd);
    expect(refused).toMatchObject({
      code: 3,
      stdout: "",
      stderr: expect.stringContaining("row 3: n must be a whole number"),
    });
    expect(await json(["count", place])).toBe(0);
    const args = ["data", "import", place, "rows.csv", "--skip-invalid", "--report", "report.csv"];
    const { code, stdout } = await iot([...args, "--json"], cwd);
    expect({ code, result: JSON.parse(stdout) }).toMatchObject({ code: 8, result: { rows: 5, sent: 2, invalid: 3 } });
    const report = readFileSync(join(cwd, "report.csv"), "utf8").trim().split("\r\n");
    expect(report.sort()).toEqual([
      "1,sent,",
      "2,sent,",
      "3,invalid,n must be a whole number",
      "4,invalid,n is missing",
      '5,invalid,"unknown field ""extra"""',
      "row,result,reason",
    ]);
    expect(
      (await iot(["data", "import", place, "rows.csv", "--map", "extra=", "--map", "n=s", "--map", "s=n"], cwd)).code,
    ).toBe(3);
  });

  it("adds nothing twice when a file is imported twice", async () => {
    const place = await newEntity("twice", "--field", "n:int");
    const text = '{"n":1}\n{"n":1}\n{"n":2}\n';
    for (const _ of [1, 2]) await json(["data", "import", place, "-"], undefined, text);
    expect(await json(["count", place])).toBe(3);
  });

  it("finds the rows the platform refuses, and sends the others", async () => {
    const place = await newEntity("refused", "--field", "n:int");
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "rows.ndjson"), Array.from({ length: 150 }, (_, n) => `{"n":${n}}\n`).join(""));
    here.sandbox.faults.set([{ route: "POST /entity/*", kind: "status", status: 400, message: "Bad row", count: 8 }]);
    const args = ["data", "import", place, "rows.ndjson", "--report", "report.ndjson", "--concurrency", "1"];
    const { code } = await iot(args, cwd);
    here.sandbox.faults.set([]);
    expect(code).toBe(8);
    const failed = readFileSync(join(cwd, "report.ndjson"), "utf8")
      .split("\n")
      .filter((line) => line.includes("Bad row"));
    expect(failed).toHaveLength(1);
    expect(await json(["count", place])).toBe(149);
  });

  it("goes on with --resume where a killed import ended, with the same result", { tags: ["slow"] }, async () => {
    const place = await newEntity("killed", "--field", "n:int");
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "rows.ndjson"), Array.from({ length: 1_500 }, (_, n) => `{"n":${n}}\n`).join(""));
    const args = ["entity", "data", "import", place, "rows.ndjson"];
    const posts = (): number => here.requests().filter((line) => /^POST \/entity\/\w+\/data$/.test(line)).length;
    const before = posts();
    here.sandbox.faults.set([{ route: "POST /entity/*", kind: "latency", delayMs: 50 }]);
    const child = await startCli(args, { cwd, env: here.env });
    const ended = new Promise((resolve) => child.on("close", (_, signal) => resolve(signal)));
    await waitFor(() => posts() - before >= 4, "some requests");
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    here.sandbox.faults.set([]);
    const startMs = Date.now();
    const result = await here.json<{ sent: number; resumed: number }>([...args, "--resume"], { cwd });
    expect(result.resumed).toBeGreaterThan(0);
    expect(result.sent + result.resumed).toBe(1_500);
    const sent = here.requestsSince(startMs).filter((line) => /^POST .*\/data$/.test(line));
    expect(sent).toHaveLength(result.sent / 100);
    const { stdout } = await iot(["data", "export", place, "--format", "csv", "--fields", "n", "--no-header"]);
    expect(
      stdout
        .trim()
        .split("\r\n")
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 1_500 }, (_, n) => n));
  });
});

describe("a server that gives fewer rows than it is asked for", () => {
  it("is asked on until it has given all", async () => {
    const all = Array.from({ length: 2_500 }, (_, n) => ({ id: `row-${n}`, n, created_at: new Date(n).toISOString() }));
    const entity = {
      id: "65a100000000000000070009",
      name: "capped",
      schema: { n: { type: "int" } },
      index: {},
      tags: [],
    };
    const server = await smallServer(({ url }, response) => {
      const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
      const amount = Math.min(1_000, Number(searchParams.get("amount")));
      const start = (Number(searchParams.get("page")) - 1) * amount;
      const result = pathname.endsWith("/data") ? all.slice(start, start + amount) : entity;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ status: true, result }));
    });
    const env = { ...here.env, IOT_API_URL: server.url };
    const { code, stdout } = await runHere(["entity", "data", "list", entity.id, "--all", "-o", "id"], { env });
    await server.close();
    expect({ code, ids: stdout.trim().split("\n") }).toEqual({ code: 0, ids: all.map(({ id }) => id) });
  });
});
