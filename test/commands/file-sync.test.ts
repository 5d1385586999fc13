import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { smallServer } from "../helpers/small-server.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

interface Row {
  readonly action: string;
  readonly filename: string;
}

const iot = (args: readonly string[], cwd: string): Promise<CliResult> =>
  runHere(["file", ...args], { env: here.env, cwd });

async function rows(args: readonly string[], cwd: string): Promise<string[]> {
  const { code, stdout, stderr } = await iot([...args, "--json"], cwd);
  if (code !== 0) throw new Error(`iot file ${args.join(" ")} ended with ${code}:\n${stderr}`);
  return (JSON.parse(stdout) as Row[]).map(({ action, filename }) => `${action} ${filename}`);
}

/** A folder with these files, by path. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const cwd = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(cwd, "site", path, ".."), { recursive: true });
    writeFileSync(join(cwd, "site", path), text);
  }
  return cwd;
}

const below = (cwd: string, folder: string): string[] =>
  readdirSync(join(cwd, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(cwd, folder).length + 1))
    .sort();

describe("file sync to the platform", () => {
  it("sends what is new or different, leaves the same alone, and keeps what only the platform has", async () => {
    const cwd = folderOf({ "index.html": "one", "css/a.css": "a" });
    const first = await rows(["sync", "site", "files:/up"], cwd);
    expect(first).toEqual(["uploaded up/css/a.css", "uploaded up/index.html"]);
    expect(await rows(["sync", "site", "files:/up"], cwd)).toEqual([]);
    writeFileSync(join(cwd, "site", "index.html"), "two");
    writeFileSync(join(cwd, "other.txt"), "other");
    await iot(["upload", "other.txt", "--path", "up/other.txt"], cwd);
    expect((await iot(["sync", "site", "files:/up"], cwd)).code).toBe(2);
    expect(await rows(["sync", "site", "files:/up", "--yes"], cwd)).toEqual(["uploaded up/index.html"]);
    expect((await iot(["download", "up/other.txt", "--out", "-"], cwd)).stdout).toBe("other");
    expect((await iot(["download", "up/index.html", "--out", "-"], cwd)).stdout).toBe("two");
  });

  it("prints the requests with --dry-run, and deletes only after the name was given", async () => {
    const cwd = folderOf({ "keep.txt": "keep" });
    const other = folderOf({ "keep.txt": "keep", "gone.txt": "gone" });
    await rows(["sync", "site", "files:/del"], other);
    const planned = await iot(["sync", "site", "files:/del", "--delete", "--dry-run", "--json"], cwd);
    expect(JSON.parse(planned.stdout)).toEqual([{ method: "DELETE", path: "/files", body: ["del/gone.txt"] }]);
    expect((await iot(["sync", "site", "files:/del", "--delete", "--yes"], cwd)).code).toBe(2);
    const done = await rows(["sync", "site", "files:/del", "--delete", "--confirm", "del/"], cwd);
    expect(done).toEqual(["deleted del/gone.txt"]);
  });

  it("deletes nothing when a file did not arrive", async () => {
    const cwd = folderOf({ "a.txt": "a", "b.txt": "b" });
    const other = folderOf({ "old.txt": "old" });
    await rows(["sync", "site", "files:/half"], other);
    here.sandbox.faults.set([{ route: "POST /files", kind: "status", status: 400, message: "No", count: 1 }]);
    const args = ["sync", "site", "files:/half", "--delete", "--confirm", "half/", "--concurrency", "1"];
    const { code, stderr } = await iot(args, cwd);
    here.sandbox.faults.set([]);
    expect({ code, stderr }).toEqual({ code: 8, stderr: expect.stringContaining("Nothing was deleted") });
    expect((await iot(["list", "half", "-o", "id"], cwd)).stdout).toBe("half/b.txt\nhalf/old.txt\n");
  });

  it("does not call both sides identical when nothing arrived", async () => {
    const cwd = folderOf({ "a.txt": "a" });
    here.sandbox.faults.set([{ route: "POST /files", kind: "status", status: 400, message: "No" }]);
    const { stderr } = await iot(["sync", "site", "files:/none"], cwd);
    here.sandbox.faults.set([]);
    expect(stderr).toContain("Nothing was transferred.");
    expect(stderr).not.toContain("identical");
    expect((await iot(["sync", "site", "files:/none"], cwd)).code).toBe(0);
    expect((await iot(["sync", "site", "files:/none"], cwd)).stderr).toContain("Both sides are identical.");
  });

  it("follows no links", { tags: ["posix"] }, async () => {
    const cwd = folderOf({ "a.txt": "a" });
    writeFileSync(join(cwd, "secret.txt"), "secret");
    symlinkSync(join(cwd, "secret.txt"), join(cwd, "site", "link.txt"));
    symlinkSync(cwd, join(cwd, "site", "loop"));
    const { code, stdout, stderr } = await iot(["sync", "site", "files:/links", "-o", "id"], cwd);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "links/a.txt\n",
      stderr: expect.stringContaining("link.txt, loop"),
    });
  });
});

describe("file sync to this machine", () => {
  it("fetches what is new or different, and deletes what only this machine has after the name was given", async () => {
    const cwd = temporaryFolder();
    expect(await rows(["sync", "files:/logos", "out"], cwd)).toEqual([
      "downloaded logos/plant-dark.svg",
      "downloaded logos/plant.svg",
    ]);
    expect(await rows(["sync", "files:/logos", "out"], cwd)).toEqual([]);
    mkdirSync(join(cwd, "out", "mine"));
    writeFileSync(join(cwd, "out", "mine", "x.txt"), "mine");
    writeFileSync(join(cwd, "out", "plant.svg"), "changed");
    const planned = await rows(["sync", "files:/logos", "out", "--delete", "--dry-run"], cwd);
    expect(planned).toEqual(["overwrite logos/plant.svg", "delete logos/mine/x.txt"]);
    expect((await iot(["sync", "files:/logos", "out", "--delete", "--yes"], cwd)).code).toBe(2);
    expect(readFileSync(join(cwd, "out", "plant.svg"), "utf8")).toBe("changed");
    await rows(["sync", "files:/logos", "out", "--delete", "--confirm", "out"], cwd);
    expect(below(cwd, "out")).toEqual(["plant-dark.svg", "plant.svg"]);
    expect(existsSync(join(cwd, "out", "mine"))).toBe(false);
  });

  it("names a file whose place a folder takes, and brings the rest", async () => {
    const cwd = temporaryFolder();
    const { code, stderr } = await iot(["sync", "files:/reports", "out"], cwd);
    expect({ code, stderr }).toEqual({ code: 8, stderr: expect.stringContaining("reports/annual") });
    expect(below(cwd, "out")).toContain("annual/2023.txt");
  });

  it("does not write through a folder that is a link", { tags: ["posix"] }, async () => {
    const cwd = temporaryFolder();
    const outside = temporaryFolder();
    mkdirSync(join(cwd, "out"));
    symlinkSync(outside, join(cwd, "out", "2024"));
    const { code } = await iot(["sync", "files:/reports", "out"], cwd);
    expect(code).toBe(8);
    expect(readdirSync(outside)).toEqual([]);
  });

  it("refuses two folders of the same kind, and a folder that is not there", async () => {
    const cwd = temporaryFolder();
    expect((await iot(["sync", "a", "b"], cwd)).code).toBe(2);
    expect((await iot(["sync", "files:/a", "files:/b"], cwd)).code).toBe(2);
    expect((await iot(["sync", "none", "files:/b"], cwd)).code).toBe(3);
    expect((await iot(["sync", "files:/none", "b"], cwd)).code).toBe(6);
  });
});

describe("file names of a hostile server", () => {
  it("never lead out of the folder, nor to names that other systems give a meaning", async () => {
    const names = [
      "../../up.txt",
      "..\\..\\back.txt",
      "/etc/root.txt",
      "a/../../b.txt",
      "CON",
      "C:\\win.txt",
      "e\u001b[31m.txt",
    ];
    const server = await smallServer(({ url }, response) => {
      const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
      const send = (result: unknown): unknown => response.end(JSON.stringify({ status: true, result }));
      response.setHeader("content-type", "application/json");
      if (pathname === "/profile/current") return send({ info: { id: "61f1b8a4b3d2f4001a2b3c4d" } });
      if (pathname === "/files") {
        const files = names.map((filename) => ({ filename, size: 4, last_modified: null, public: false }));
        return send({ files, folders: [], usage: 0, total: 1 });
      }
      if (searchParams.has("md5")) return send("098f6bcd4621d373cade4e832627b4f6");
      if (searchParams.has("noRedirect")) return send(`${server.url}/bytes`);
      return response.end("test");
    });
    const cwd = temporaryFolder();
    const env = { ...here.env, IOT_API_URL: server.url };
    const { code, stderr } = await runHere(["file", "sync", "files:/", "in/deep/out"], { env, cwd });
    await server.close();
    // An address cannot even name the first one.
    expect({ code, stderr }).toEqual({ code: 8, stderr: expect.stringContaining("1 of 7 files failed") });
    expect(below(cwd, ".").every((path) => path.startsWith("in/deep/out/"))).toBe(true);
    expect(below(cwd, "in/deep/out")).toEqual(
      ["_CON", "a/b.txt", "back.txt", "C_/win.txt", "etc/root.txt", "e␛[31m.txt"].sort(),
    );
  });
});
