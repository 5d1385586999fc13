import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

let here: SandboxUnderTest;
let cwd: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());
beforeEach(() => {
  cwd = temporaryFolder();
  here.sandbox.faults.set([]);
});

const iot = (args: readonly string[], stdin?: string) =>
  runHere(args, { env: here.env, cwd, ...(stdin === undefined ? {} : { stdin }) });
const json = async (args: readonly string[]): Promise<unknown> =>
  JSON.parse((await iot([...args, "--json"])).stdout) as unknown;
const madeId = async (...args: string[]): Promise<string> => (await iot([...args, "-o", "id"])).stdout.trim();

/** An import of a file into a place of its own. */
interface Target {
  /** The command line, without the file. */
  readonly args: readonly string[];
  readonly header: string;
  line(n: number): string;
  readonly badLine: string;
  /** A column that has to be called otherwise: `[flag, header]`. */
  readonly map: readonly [string, string];
  /** How many of the rows there are, each counted as often as it is there. */
  held(): Promise<number>;
}

interface Import {
  readonly name: string;
  /** Fault that meets its requests. */
  readonly route: string;
  /** Refusals until one row of four stands alone. */
  readonly refusals: number;
  /** Rows that make several requests. */
  readonly many: number;
  make(nth: number): Promise<Target>;
}

const named = async (pattern: string): Promise<number> =>
  ((await json(["device", "list", "--name", pattern, "--all", "--fields", "id"])) as unknown[]).length;

const imports: readonly Import[] = [
  {
    name: "device data import",
    route: "POST /data",
    refusals: 3,
    many: 3_500,
    async make(nth) {
      const id = await madeId("device", "create", "--name", `Data ${nth}`);
      return {
        args: ["device", "data", "import", id],
        header: "variable,value",
        line: (n) => `level,${n}`,
        badLine: ",7",
        map: ["name=variable", "name,value"],
        held: async () => Number(await json(["device", "data", "count", id])),
      };
    },
  },
  {
    name: "entity data import",
    route: "POST /entity/*",
    refusals: 3,
    many: 700,
    async make(nth) {
      const name = `rows_${nth}`;
      const id = await madeId("entity", "create", "--name", name, "--field", "n:int", "--field", "label:string");
      return {
        args: ["entity", "data", "import", id],
        header: "n,label",
        line: (n) => `${n},x`,
        badLine: "seven,x",
        map: ["no=n", "no,label"],
        held: async () => Number(await json(["entity", "count", id])),
      };
    },
  },
  {
    name: "device import",
    route: "POST /device",
    refusals: 1,
    many: 8,
    async make(nth) {
      return {
        args: ["device", "import"],
        header: "name,description",
        line: (n) => `Fleet ${nth} ${n},x`,
        badLine: ",x",
        map: ["label=name", "label,description"],
        held: () => named(`Fleet ${nth} *`),
      };
    },
  },
  {
    name: "lorawan qr parse --create-device",
    route: "POST /device",
    refusals: 1,
    many: 8,
    async make(nth) {
      return {
        args: ["lorawan", "qr", "parse", "--create-device", "--connector", "name:Soil Probe S2"],
        header: "dev_eui,name",
        line: (n) => `AA${String(nth).padStart(4, "0")}${String(n).padStart(10, "0")},Probe ${nth} ${n}`,
        badLine: "AA,Probe",
        map: ["code of it=dev_eui", "code of it,name"],
        held: () => named(`Probe ${nth} *`),
      };
    },
  },
];

let made = 0;

describe.each(imports)("$name", ({ name, make, route, refusals, many }) => {
  const fresh = (): Promise<Target> => {
    made += 1;
    return make(made);
  };
  const file = ({ header, line }: Target, rows: number, bad?: string, place = "rows.csv"): string => {
    const lines = Array.from({ length: rows }, (_, n) => line(n + 1));
    if (bad !== undefined) lines.splice(1, 0, bad);
    writeFileSync(join(cwd, place), `${[header, ...lines].join("\n")}\n`);
    return place;
  };
  const reported = (): readonly { readonly row: string; readonly result: string; readonly reason: string }[] =>
    parse(readFileSync(join(cwd, "report.csv"), "utf8"), { columns: true });
  const requests = (): number => here.requests().filter((line) => line.startsWith(route.replace("*", ""))).length;

  it("takes the file as an argument, with --input and from stdin, in any format and with columns called otherwise", async () => {
    const target = await fresh();
    const rows = (from: number) => [1, 2].map((n) => target.line(from + n));
    const at = (from: number): string => `${[target.header, ...rows(from)].join("\n")}\n`;
    writeFileSync(join(cwd, "text.dat"), at(0));
    const keys = target.header.split(",");
    const objects = rows(10).map((line) => {
      const cells = line.split(",").map((cell) => (/^\d{1,3}$/.test(cell) ? Number(cell) : cell));
      return Object.fromEntries(cells.map((cell, i) => [keys[i], cell]));
    });
    writeFileSync(join(cwd, "lines.dat"), objects.map((one) => `${JSON.stringify(one)}\n`).join(""));
    const [map, header] = target.map;
    writeFileSync(join(cwd, "other.csv"), `${[header, ...rows(20)].join("\n")}\n`);
    const lines: readonly (readonly [readonly string[], string?])[] = [
      [["text.dat", "--format", "csv"]],
      [["--input", "lines.dat", "--format", "ndjson"]],
      [["other.csv", "--map", map]],
      [["--input", "-"], at(30)],
    ];
    for (const [more, stdin] of lines) {
      const dry = await iot([...target.args, ...more, "--dry-run", "--json"], stdin);
      expect([dry.code, JSON.parse(dry.stdout).length > 0], dry.stderr).toEqual([0, true]);
      const { code, stderr } = await iot([...target.args, ...more], stdin);
      expect(code, stderr).toBe(0);
    }
    expect(await target.held()).toBe(8);
    for (const more of [["other.csv", "--input", "-", "--resume", "--map", map], ["-", "--resume"], ["nowhere.csv"]])
      expect([2, 3]).toContain((await iot([...target.args, ...more], "")).code);
  });

  it("sends nothing of a file with a bad row, or leaves that row out", async () => {
    const target = await fresh();
    const args = [...target.args, file(target, 3, target.badLine)];
    const strict = await iot([...args, "--json"]);
    expect([strict.code, strict.stdout, JSON.parse(strict.stderr)]).toMatchObject([3, "", { error: { row: 2 } }]);
    expect(await target.held()).toBe(0);
    const skipped = await iot([...args, "--skip-invalid"]);
    expect([skipped.code, skipped.stderr]).toEqual([8, expect.stringContaining("Row 2: ")]);
    expect(await target.held()).toBe(3);
    // Nothing is sent again, and the row is still bad.
    const from = requests();
    const again = await iot([...args, "--resume", "--report", "report.csv"]);
    expect([again.code, requests()]).toEqual([8, from]);
    expect(reported().map(({ row, result }) => [Number(row), result])).toEqual(
      expect.arrayContaining([
        [1, expect.stringContaining("before")],
        [2, "invalid"],
        [4, expect.stringContaining("before")],
      ]),
    );
  });

  it("ends at a row the platform refuses, or finds it and sends the others", { tags: ["slow"] }, async () => {
    const refuse = (): void =>
      here.sandbox.faults.set([{ route, kind: "status", status: 400, message: "Bad row", count: refusals }]);
    const strict = await fresh();
    const args = [...strict.args, file(strict, 4)];
    refuse();
    expect(await iot(args)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/rejected rows? 1\b.*--skip-invalid/),
    });
    expect(await strict.held()).toBe(0);
    here.sandbox.faults.set([]);
    expect((await iot([...args, "--resume"])).code).toBe(0);
    expect(await strict.held()).toBe(4);

    const target = await fresh();
    file(target, 4);
    refuse();
    const { code, stderr } = await iot([...target.args, "rows.csv", "--report", "report.csv"]);
    expect(code, stderr).toBe(8);
    expect(await target.held()).toBe(3);
    const failed = reported().filter(({ result }) => result === "failed");
    expect(failed).toMatchObject([{ row: "1", reason: expect.stringContaining("Bad row") }]);
    expect(reported()).toHaveLength(4);
    const from = requests();
    const rest = await iot([...target.args, "rows.csv", "--resume"]);
    expect(rest.code, rest.stderr).toBe(0);
    expect([await target.held(), requests() - from]).toEqual([4, 1]);
  });

  it("ends at a connection that breaks, and --resume sends nothing twice", async () => {
    const target = await fresh();
    const args = [...target.args, file(target, 4), "--retries", "0"];
    here.sandbox.faults.set([{ route, kind: "truncate", count: 1 }]);
    const { code, stderr } = await iot(args);
    // Data can be asked for, so their import finds out by itself that they arrived.
    expect(stderr.includes("--resume to continue")).toBe(code !== 0);
    here.sandbox.faults.set([{ route, kind: "status", status: 503, count: 1 }]);
    const broken = await fresh();
    expect((await iot([...broken.args, file(broken, 4, undefined, "broken.csv"), "--retries", "0"])).code).toBe(1);
    here.sandbox.faults.set([]);
    expect((await iot([...broken.args, "broken.csv", "--resume"])).code).toBe(0);
    expect(await broken.held()).toBe(4);
    const done = await iot([...args, "--resume"]);
    expect(done.code, done.stderr).toBe(0);
    expect(await target.held()).toBe(4);
    expect(await iot([...args, "--resume"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("nothing to do"),
    });
    expect(await target.held()).toBe(4);
  });

  // Each of them is a process of its own; they share what a signal does.
  const slow = name === "device import" ? [] : (["slow"] as const);
  it("finishes the running request at Ctrl-C, and goes on with --resume, of the same file only", {
    tags: [...slow, "posix"],
  }, async () => {
    const target = await fresh();
    const args = [...target.args, file(target, many)];
    here.sandbox.faults.set([{ route, kind: "latency", delayMs: 60 }]);
    const before = requests();
    const child = await startCli([...args, "--report", "report.csv"], { env: here.env, cwd });
    let told = "";
    child.stderr?.on("data", (text) => {
      told += String(text);
    });
    const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve(signal ?? code)));
    await waitFor(() => requests() > before, "the first request");
    child.kill("SIGINT");
    expect([await ended, told]).toEqual([130, expect.stringContaining("--resume to continue")]);
    here.sandbox.faults.set([]);
    const first = await target.held();
    expect([first > 0, first < many]).toEqual([true, true]);
    expect(reported()).toHaveLength(first);

    const text = readFileSync(join(cwd, "rows.csv"), "utf8");
    writeFileSync(join(cwd, "rows.csv"), text.replace(target.line(1), target.line(999_999)));
    expect(await iot([...args, "--resume"])).toMatchObject({
      code: 7,
      stderr: expect.stringContaining("Restore the original"),
    });
    writeFileSync(join(cwd, "rows.csv"), text);
    const done = await iot([...args, "--resume", "--json"]);
    expect(done.code, done.stderr).toBe(0);
    expect(done.stdout).not.toContain('"mark"');
    expect(await target.held()).toBe(many);
  });
});

describe("the journal of an older program", () => {
  it("is not continued: the notes of its rows have another form, and nothing is sent", async () => {
    const target = await imports[1]?.make(9_999);
    if (target === undefined) throw new Error("no target");
    writeFileSync(
      join(cwd, "rows.csv"),
      `${[target.header, ...Array.from({ length: 300 }, (_, n) => target.line(n))].join("\n")}\n`,
    );
    const env = { ...here.env, IOT_CONFIG_DIR: temporaryFolder() };
    const run = (...more: string[]) =>
      runHere([...target.args, "rows.csv", "--concurrency", "1", ...more], { env, cwd });
    here.sandbox.faults.set([{ route: "POST /entity/*", kind: "status", status: 503, count: 1 }]);
    expect((await run("--retries", "0")).code).toBe(1);
    here.sandbox.faults.set([]);
    const folder = join(env.IOT_CONFIG_DIR, "state", "journals");
    const [name = ""] = readdirSync(folder);
    writeFileSync(
      join(folder, name),
      `\n${JSON.stringify({ begun: "2026-11-01" })}\n${JSON.stringify(["1-100", "+00"])}`,
    );
    const known = here.sandbox.requestLog().length;
    const { code, stderr } = await run("--resume", "--json");
    expect([code, JSON.parse(stderr)]).toMatchObject([
      7,
      {
        error: {
          code: "resume.older",
          why: "Another version of iot started it, which noted its progress in another form.",
          next: expect.stringContaining(`delete ${join(folder, name)}, and run the command without --resume.`),
        },
      },
    ]);
    const writes = here.sandbox
      .requestLog()
      .slice(known)
      .filter(({ method }) => method !== "GET");
    expect(writes).toEqual([]);
    expect((await run("--again", "--json")).code).toBe(0);
  });
});
