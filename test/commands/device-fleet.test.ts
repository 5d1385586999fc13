import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

interface Device {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly active: boolean;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
}
interface Result {
  readonly row: number;
  readonly device: string;
  readonly result: string;
  readonly reason: string;
}

let here: SandboxUnderTest;
let folder: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
  folder = mkdtempSync(join(tmpdir(), "iot-fleet-"));
});
afterAll(() => here.close());
beforeEach(() => here.sandbox.faults.set([]));

const iot = (...args: string[]) => runHere(args, { env: here.env, cwd: folder });
const json = async <T>(...args: string[]): Promise<T> => {
  const { code, stdout, stderr } = await iot(...args, "--json");
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
};
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};
const named = (name: string) =>
  json<Device[]>("device", "list", "--name", name, "--fields", "id,name,tags,active,description");
const params = (id: string) => json<{ key: string; value: string }[]>("device", "param", "list", id);

describe("device import", () => {
  it("creates devices with tags, parameters, serial number and state", async () => {
    const text =
      "label,eui,active,description,tag.site,param.interval\nValve 1,00AA,no,north,7,60\nValve 2,00BB,yes,,8,\n";
    const done = await json<Result[]>(
      "device",
      "import",
      file("new.csv", text),
      "--map",
      "label=name",
      "--map",
      "eui=serial",
      "--tag",
      "lot=4",
    );
    expect(done.map(({ row, result }) => [row, result])).toEqual([
      [1, "created"],
      [2, "created"],
    ]);
    const [one] = await named("Valve 1");
    expect(one).toMatchObject({ active: false, description: "north" });
    expect(one?.tags).toEqual(
      expect.arrayContaining([
        { key: "site", value: "7" },
        { key: "lot", value: "4" },
      ]),
    );
    expect(await params(one?.id ?? "")).toMatchObject([{ key: "interval", value: "60" }]);
    expect((await json<Device[]>("device", "list", "--serial", "00BB")).map(({ name }) => name)).toEqual(["Valve 2"]);
  });

  it("ends with 7 before anything is changed when a device exists", async () => {
    await iot("device", "import", file("first.csv", "name\nTaken\n"));
    const text = "name\nNot made\nTaken\n";
    const { code, stderr } = await iot("device", "import", file("conflict.csv", text));
    expect({ code, names: stderr.includes("Row 2") }).toEqual({ code: 7, names: true });
    expect(await named("Not made")).toEqual([]);
    const skipped = await json<Result[]>("device", "import", "conflict.csv", "--on-conflict", "skip");
    expect(skipped.map(({ result }) => result)).toEqual(["created", "skipped"]);
  });

  it("updates what the file names, keeps the rest, and sends nothing when nothing differs", async () => {
    await iot(
      "device",
      "import",
      file("u1.csv", "name,serial,description,tag.a,tag.b,param.x\nMeter,00CC,old,1,2,5\n"),
    );
    const [before] = await named("Meter");
    const change = file("u2.csv", "name,serial,tag.b,tag.c,param.x,param.y\nMeter new,00CC,3,4,5,6\n");
    expect((await json<Result[]>("device", "import", change, "--on-conflict", "update"))[0]).toMatchObject({
      result: "updated",
      device: before?.id,
    });
    const [after] = await named("Meter new");
    expect(after).toMatchObject({ id: before?.id, description: "old" });
    expect(after?.tags.map(({ key, value }) => `${key}=${value}`).sort()).toEqual(["a=1", "b=3", "c=4"]);
    expect((await params(after?.id ?? "")).map(({ key, value }) => `${key}=${value}`).sort()).toEqual(["x=5", "y=6"]);
    const from = here.requests().length;
    expect((await json<Result[]>("device", "import", change, "--on-conflict", "update"))[0]?.result).toBe("unchanged");
    expect(
      here
        .requests()
        .slice(from)
        .filter((line) => !line.startsWith("GET")),
    ).toEqual([]);
  });

  it("sends nothing when the report has no place to be", async () => {
    const input = file("unreported.csv", "name\nUnreported 1\n");
    const { code, stdout } = await iot("device", "import", input, "--report", "unreported.csv/report.csv");
    expect(code).not.toBe(0);
    expect(stdout).toBe("");
    expect(await named("Unreported 1")).toEqual([]);
  });

  it("names the row of what is no device, and leaves it out with --report", async () => {
    const input = file("bad.csv", "name,active\nGood one,yes\n,yes\nOdd one,maybe\n");
    const strict = await iot("device", "import", input, "--json");
    expect({ code: strict.code, error: JSON.parse(strict.stderr) }).toMatchObject({
      code: 3,
      error: { error: { row: 2 } },
    });
    expect(await named("Good one")).toEqual([]);
    const { code } = await iot("device", "import", input, "--report", "fleet-report.csv");
    expect(code).toBe(8);
    const report = parse(readFileSync(join(folder, "fleet-report.csv"), "utf8"), { columns: true }) as Result[];
    expect(report.map(({ row, result }) => [String(row), result])).toEqual([
      ["1", "created"],
      ["2", "invalid"],
      ["3", "invalid"],
    ]);
    expect(report[2]?.reason).toContain("active");
  });

  it("shows the requests with --dry-run and sends none", async () => {
    const planned = await json<{ method: string; path: string; body: { name: string } }[]>(
      "device",
      "import",
      file("dry.csv", "name\nPlanned\nTaken\n"),
      "--on-conflict",
      "update",
      "--dry-run",
    );
    expect(planned).toMatchObject([{ method: "POST", path: "/device", body: { name: "Planned" } }]);
    expect(await named("Planned")).toEqual([]);
  });

  it("goes on where it was interrupted, and makes no device twice", async () => {
    const input = file("many.csv", `name\n${Array.from({ length: 6 }, (_, n) => `Resumed ${n}\n`).join("")}`);
    here.sandbox.faults.set([{ route: "POST /device", kind: "truncate" }]);
    // The first device is made, but the answer gets lost.
    expect((await iot("device", "import", input)).code).not.toBe(0);
    expect(await named("Resumed*")).toHaveLength(1);
    here.sandbox.faults.set([]);
    const done = await json<Result[]>("device", "import", input, "--resume");
    expect(done).toHaveLength(6);
    expect((await named("Resumed*")).map(({ name }) => name).sort()).toEqual(
      Array.from({ length: 6 }, (_, n) => `Resumed ${n}`),
    );
  });
});

describe("device export", () => {
  it.each(["csv", "json"])("writes a fleet file that import finds nothing to change in (%s)", async (format) => {
    const out = `fleet.${format}`;
    const done = await json<{ file: string; devices: number }[]>("device", "export", "--out", out, "--params");
    expect(done).toMatchObject([{ file: out }]);
    const results = await json<Result[]>("device", "import", out, "--on-conflict", "update");
    expect(results).toHaveLength(done[0]?.devices ?? 0);
    expect(new Set(results.map(({ result }) => result))).toEqual(new Set(["unchanged"]));
  });

  it("narrows by tag and name, prints to stdout, and asks before a file is replaced", async () => {
    const { stdout } = await iot("device", "export", "--tag", "lot=4", "--name", "Valve*");
    const rows = parse(stdout, { columns: true }) as Record<string, string>[];
    expect(rows.map((row) => [row["name"], row["serial"], row["tag.site"]])).toEqual([
      ["Valve 1", "00AA", "7"],
      ["Valve 2", "00BB", "8"],
    ]);
    file("kept.csv", "mine");
    expect((await iot("device", "export", "--out", "kept.csv")).code).toBe(2);
    expect(readFileSync(join(folder, "kept.csv"), "utf8")).toBe("mine");
  });
});
