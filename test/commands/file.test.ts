import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const md5 = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");

interface Row {
  readonly filename: string;
  readonly size: number;
  readonly md5: string;
  readonly result: string;
  readonly resumed_bytes: number;
}

const iot = (args: readonly string[], cwd = temporaryFolder(), stdin?: string): Promise<CliResult> =>
  runHere(["file", ...args], { env: here.env, cwd, ...(stdin === undefined ? {} : { stdin }) });

async function json<T>(args: readonly string[], cwd?: string): Promise<T> {
  const { code, stdout, stderr } = await iot([...args, "--json"], cwd);
  if (code !== 0) throw new Error(`iot file ${args.join(" ")} ended with ${code}:\n${stderr}`);
  return JSON.parse(stdout) as T;
}

describe("file list", () => {
  it("shows folders and files of one level, with what a folder holds on request", async () => {
    const rows = await json<{ filename: string; type: string; public?: boolean }[]>(["list", "reports"]);
    expect(rows.map(({ filename }) => filename)).toEqual(
      expect.arrayContaining(["reports/2024/", "reports/annual", "reports/annual/", "reports/open.txt"]),
    );
    expect(rows.find(({ filename }) => filename === "reports/open.txt")).toMatchObject({ type: "file", public: true });
    const all = await json<{ filename: string }[]>(["list", "--recursive", "--filter", "filename=*.csv"]);
    expect(all.map(({ filename }) => filename)).toEqual(["reports/2024/january.csv"]);
  });

  it("cuts to the limit, says that there is more, and gives pages", async () => {
    const { stdout, stderr } = await iot(["list", "--recursive", "--limit", "3", "-o", "id"]);
    expect(stdout.trim().split("\n")).toHaveLength(3);
    expect(stderr).toContain("more exist");
    const second = await iot(["list", "--recursive", "--limit", "3", "--page", "2", "-o", "id"]);
    expect(second.stdout).not.toContain(`${stdout.split("\n")[0]}\n`);
  });

  it("refuses tags and orders that files do not have", async () => {
    expect((await iot(["list", "--tag", "a=b"])).code).toBe(2);
    expect((await iot(["list", "--sort", "colour"])).code).toBe(2);
    expect((await iot(["list", "../other"])).code).toBe(2);
  });
});

describe("file upload", () => {
  it("gives the file its name, type and visibility, and compares the content", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "a.csv"), "x,y\n1,2\n");
    const [row] = await json<Row[]>(["upload", "a.csv", "--path", "up/one.csv", "--public"], cwd);
    expect(row).toMatchObject({
      filename: "up/one.csv",
      size: 8,
      md5: md5(Buffer.from("x,y\n1,2\n")),
      result: "uploaded",
    });
    const reply = await fetch((await json<string>(["url", "up/one.csv"])) as string);
    expect(reply.headers.get("content-type")).toContain("text/csv");
    expect(await reply.text()).toBe("x,y\n1,2\n");
  });

  it("puts several files into the folder, and one into a folder that exists", async () => {
    const cwd = temporaryFolder();
    for (const name of ["a.txt", "b.txt", "empty.txt"])
      writeFileSync(join(cwd, name), name === "empty.txt" ? "" : name);
    const rows = await json<Row[]>(["upload", "a.txt", "b.txt", "empty.txt", "--path", "many"], cwd);
    expect(rows.map(({ filename }) => filename)).toEqual(["many/a.txt", "many/b.txt", "many/empty.txt"]);
    const [row] = await json<Row[]>(["upload", "a.txt", "--path", "reports"], cwd);
    expect(row?.filename).toBe("reports/a.txt");
  });

  it("asks before it overwrites, and leaves the same content alone", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "a.txt"), "one");
    await json(["upload", "a.txt", "--path", "over/a.txt"], cwd);
    expect((await json<Row[]>(["upload", "a.txt", "--path", "over/a.txt"], cwd))[0]?.result).toBe("unchanged");
    writeFileSync(join(cwd, "a.txt"), "two");
    const refused = await iot(["upload", "a.txt", "--path", "over/a.txt"], cwd);
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--yes") });
    await json(["upload", "a.txt", "--path", "over/a.txt", "--yes"], cwd);
    expect((await iot(["download", "over/a.txt", "--out", "-"])).stdout).toBe("two");
  });

  it("accepts the former name of --concurrency, before the verb as well", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "a.txt"), "a");
    const given = ["a.txt", "--path", "former/", "--dry-run"];
    for (const line of [
      ["upload", ...given, "--jobs", "2"],
      ["--jobs", "2", "upload", ...given],
    ]) {
      const { code, stderr } = await iot(line, cwd);
      expect(code).toBe(0);
      expect(stderr).toContain("warning: --jobs is now --concurrency.\n");
    }
    expect((await iot(["upload", ...given, "--jobs", "none"], cwd)).stderr).toContain("--concurrency needs a whole");
  });

  it("takes stdin, and asks for a name", async () => {
    expect((await iot(["upload", "-"], temporaryFolder(), "hello")).code).toBe(2);
    expect((await iot(["upload", "-", "--path", "in/hello.txt"], temporaryFolder(), "hello")).code).toBe(0);
    expect((await iot(["download", "in/hello.txt", "--out", "-"])).stdout).toBe("hello");
  });

  it("sends nothing for what cannot be uploaded, and with --dry-run", async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, "folder"));
    writeFileSync(join(cwd, "a.txt"), "one");
    const before = here.requests().filter((line) => line.startsWith("POST")).length;
    expect((await iot(["upload", "missing.txt"], cwd)).code).toBe(3);
    expect(await iot(["upload", "folder"], cwd)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("file sync"),
    });
    writeFileSync(join(cwd, "large.bin"), Buffer.alloc(1_000_001));
    expect((await iot(["upload", "large.bin", "--chunk-size", "1MB"], cwd)).code).toBe(2);
    expect((await iot(["upload", "a.txt", "--chunk-size", "seven"], cwd)).code).toBe(2);
    const { code, stdout } = await iot(["upload", "a.txt", "--dry-run", "--json"], cwd);
    expect({ code, plan: JSON.parse(stdout) }).toMatchObject({ code: 0, plan: [{ method: "POST", path: "/files" }] });
    expect(here.requests().filter((line) => line.startsWith("POST"))).toHaveLength(before);
  });
});

describe("file download", () => {
  it("writes under the name of the file, whole and checked, and leaves nothing beside it", async () => {
    const cwd = temporaryFolder();
    const [row] = await json<Row[]>(["download", "reports/2024/january.csv", "--out", "in/"], cwd);
    expect(readFileSync(join(cwd, "in", "january.csv"), "utf8")).toBe("day,energy\n1,120\n2,131\n");
    expect(row).toMatchObject({ file: "in/january.csv", result: "downloaded" });
    expect(readdirSync(join(cwd, "in"))).toEqual(["january.csv"]);
  });

  it("asks before it overwrites a file of this machine, and leaves the same content alone", async () => {
    const cwd = temporaryFolder();
    await json(["download", "reports/open.txt"], cwd);
    expect((await json<Row[]>(["download", "reports/open.txt"], cwd))[0]?.result).toBe("unchanged");
    writeFileSync(join(cwd, "open.txt"), "mine");
    expect((await iot(["download", "reports/open.txt"], cwd)).code).toBe(2);
    expect(readFileSync(join(cwd, "open.txt"), "utf8")).toBe("mine");
    await json(["download", "reports/open.txt", "--yes"], cwd);
    expect(readFileSync(join(cwd, "open.txt"), "utf8")).toBe("Anybody may read this.\n");
  });

  it("replaces a link instead of writing through it", { tags: ["posix"] }, async () => {
    const cwd = temporaryFolder();
    const outside = join(temporaryFolder(), "outside.txt");
    writeFileSync(outside, "untouched");
    symlinkSync(outside, join(cwd, "open.txt"));
    symlinkSync(outside, join(cwd, ".open.txt.iot-part"));
    await json(["download", "reports/open.txt", "--yes"], cwd);
    expect(readFileSync(outside, "utf8")).toBe("untouched");
    expect(readFileSync(join(cwd, "open.txt"), "utf8")).toContain("Anybody");
  });

  it("names what is not there, and what is a folder", async () => {
    expect(await iot(["download", "reports/none.txt"])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("iot file list reports/"),
    });
    expect(await iot(["download", "reports/2024"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("file sync"),
    });
  });
});

describe("file copy, move, delete, permission and url", () => {
  it("copies and moves files and folders, and asks before it overwrites", async () => {
    expect(await json(["copy", "reports/open.txt", "cp/"])).toEqual([{ from: "reports/open.txt", to: "cp/open.txt" }]);
    expect(await json(["move", "cp/open.txt", "cp/moved.txt"])).toEqual([{ from: "cp/open.txt", to: "cp/moved.txt" }]);
    expect((await iot(["copy", "reports/open.txt", "cp/moved.txt"])).code).toBe(2);
    expect(await json(["copy", "logos/", "cp/logos/"])).toHaveLength(2);
    expect((await iot(["move", "cp/none.txt", "cp/x.txt"])).code).toBe(6);
    expect((await iot(["move", "cp/", "cp/inner/"])).code).toBe(2);
  });

  it("deletes one file after a yes, a folder after its name", async () => {
    const cwd = temporaryFolder();
    for (const name of ["a", "b", "c"]) writeFileSync(join(cwd, name), name);
    await json(["upload", "a", "b", "c", "--path", "gone/"], cwd);
    expect((await iot(["delete", "gone/a"])).code).toBe(2);
    expect(await iot(["delete", "gone"])).toMatchObject({ code: 2, stderr: expect.stringContaining("Use gone/ for") });
    expect(await json(["delete", "gone/a", "--yes"])).toEqual([{ filename: "gone/a" }]);
    expect((await iot(["delete", "gone/", "--yes"])).code).toBe(2);
    expect(JSON.parse((await iot(["delete", "gone/", "--dry-run", "--json"])).stdout)).toEqual([
      { method: "DELETE", path: "/files", body: ["gone/b", "gone/c"] },
    ]);
    expect(await json(["delete", "gone/", "--confirm", "gone/"])).toHaveLength(2);
    expect((await iot(["delete", "gone/", "--confirm", "gone/"])).code).toBe(6);
  });

  it("shows and changes who may read a file, and prints an address that opens it", async () => {
    expect(await json(["permission", "reports/2024/january.csv"])).toEqual([
      { filename: "reports/2024/january.csv", public: false },
    ]);
    const signed = await json<string>(["url", "reports/2024/january.csv"]);
    expect(signed).toContain("signature=");
    expect(await (await fetch(signed)).text()).toContain("energy");
    const plain = await json<string>(["url", "reports/2024/january.csv", "--plain"]);
    expect((await fetch(plain)).status).toBe(401);
    await json(["permission", "reports/2024/january.csv", "--public"]);
    expect(await json<string>(["url", "reports/2024/january.csv"])).toBe(plain);
    expect((await fetch(plain)).status).toBe(200);
    await json(["permission", "reports/2024/january.csv", "--private"]);
    expect((await fetch(plain)).status).toBe(401);
  });
});
