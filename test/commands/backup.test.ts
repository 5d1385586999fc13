import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readZip } from "../../src/commands/backup/zip.ts";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { type HereOptions, runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_ACCOUNTS, SEED_TOKENS } from "../helpers/seed.ts";

let here: SandboxUnderTest;
let folder: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
  folder = temporaryFolder();
});
afterAll(() => here.close());

const backup = (args: readonly string[], options: HereOptions = {}): Promise<CliResult> =>
  runHere(["backup", ...args], { cwd: folder, ...options, env: { ...here.env, ...options.env } });

/** As `backup`, with the password of the account on stdin. */
const withPassword = (args: readonly string[], options: HereOptions = {}): Promise<CliResult> =>
  backup([...args, "--password-stdin"], { stdin: SEED_ACCOUNTS.demo.password, ...options });

const filesIn = (name: string): ReadonlyMap<string, Buffer> => {
  return readZip(readFileSync(join(folder, name)), () => true);
};

const inEmpty = { env: { IOT_TOKEN: SEED_TOKENS.empty } };

interface Row {
  readonly kind: string;
  readonly name: string;
  readonly result: string;
}

const rowsOf = ({ stdout }: CliResult): Row[] => JSON.parse(stdout) as Row[];

describe("backup", () => {
  it("is made in the background, waited for and listed", async () => {
    const made = await backup(["create", "--wait", "--json"]);
    expect(made.code).toBe(0);
    const {
      id,
      status,
      file_size: size,
    } = JSON.parse(made.stdout) as { id: string; status: string; file_size: number };
    expect({ status, isFilled: size > 1_000 }).toEqual({ status: "completed", isFilled: true });
    const listed = JSON.parse((await backup(["list", "--json"])).stdout) as { id: string }[];
    expect(listed.map((one) => one.id)).toEqual([id, "65a10000000000000000bac1"]);
    expect(await backup(["list"], inEmpty)).toMatchObject({ code: 0, stdout: "" });
    expect(await backup(["list", "--of", "name:Demo Plant"], inEmpty)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("bac1"),
    });
  });

  it("is written to a ZIP file that only its owner can read, without tokens and secrets", {
    tags: ["posix"],
  }, async () => {
    expect(await withPassword(["download", "last", "--out", "copy.zip"])).toMatchObject({ code: 0 });
    const path = join(folder, "copy.zip");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const files = filesIn("copy.zip");
    const names = [...files.keys()];
    expect(names.filter((name) => name.startsWith("resources/")).sort()).toEqual(
      [
        "access_management",
        "actions",
        "analysis",
        "connectors",
        "dashboards",
        "devices",
        "dictionaries",
        "networks",
        "profile",
        "run",
        "run_users",
        "secrets",
        "service_authorization",
      ].map((name) => `resources/${name}.json`),
    );
    expect(names).toContainEqual(expect.stringMatching(/^files\/./));
    expect(names).toContainEqual(expect.stringMatching(/^versioning\/analysis\/[0-9a-f]{24}\.gz$/));
    const text = names
      .filter((name) => name.startsWith("resources/"))
      .map((name) => files.get(name)?.toString("utf8"))
      .join("\n");
    expect(text).toContain("Freezer 1");
    expect(text).not.toMatch(/5eed0000-0000-4000|"password"|at5eed/);
    expect(await withPassword(["download", "last", "--out", "copy.zip"])).toMatchObject({ code: 2 });
  });

  it("is handed out and deleted only with the password of the account", async () => {
    for (const words of [
      ["download", "last", "--out", "-"],
      ["restore", "last", "--preview"],
      ["delete", "last", "--yes"],
    ]) {
      const wrong = await withPassword(words, { stdin: "wrong" });
      expect({ code: wrong.code, stdout: wrong.stdout, stderr: wrong.stderr }).toEqual({
        code: 4,
        stdout: "",
        stderr: expect.stringContaining("Invalid credentials"),
      });
      expect(await backup(words)).toMatchObject({ code: 2, stderr: expect.stringContaining("--password-stdin") });
    }
    expect(await withPassword(["restore", "last", "--preview"])).toMatchObject({ code: 0 });
  });

  it("creates what a profile lacks, asks for its name, and changes nothing that is there", async () => {
    const refused = await backup(["restore", "copy.zip", "--yes"], inEmpty);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--confirm "Empty"') });
    const done = await backup(["restore", "copy.zip", "--confirm", "Empty", "--json"], inEmpty);
    expect({ code: done.code, failed: rowsOf(done).filter(({ result }) => result === "failed") }).toEqual({
      code: 0,
      failed: [],
    });
    expect(rowsOf(done).filter(({ result }) => result === "created").length).toBeGreaterThan(25);
    const own = await withPassword(["restore", "last", "--preview", "--json"]);
    expect(rowsOf(own).filter(({ result }) => result === "create")).toEqual([]);
  });

  it("brings back what was deleted, with its widgets", async () => {
    const widgets = async (): Promise<unknown> => {
      const { stdout } = await runHere(["dashboard", "get", "name:Plant overview", "--json"], { env: here.env });
      return (JSON.parse(stdout) as { arrangement: unknown[] }).arrangement.length;
    };
    const before = await widgets();
    await runHere(["api", "DELETE", "/dashboard/65a1000000000000000b0001", "--yes"], { env: here.env });
    const restored = await withPassword(["restore", "last", "--confirm", "Demo Plant", "--json"]);
    expect(rowsOf(restored).filter(({ result }) => result === "created")).toMatchObject([{ kind: "dashboard" }]);
    expect(await widgets()).toBe(before);
  });

  it("refuses a file of another form before anything is sent", async () => {
    writeFileSync(join(folder, "cut.zip"), readFileSync(join(folder, "copy.zip")).subarray(0, 4_000));
    writeFileSync(join(folder, "other.json"), "{}");
    const before = here.requests().length;
    for (const name of ["cut.zip", "other.json"]) {
      const { code, stderr } = await backup(["restore", name, "--confirm", "Demo Plant"]);
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("not a valid ZIP archive") });
    }
    expect(here.requests().length).toBe(before);
    expect(await backup(["download", "0".repeat(24)])).toMatchObject({ code: 6 });
    expect(await backup(["download", "newest"])).toMatchObject({ code: 2 });
  });

  describe("of a hostile sender is refused before it fills the memory", () => {
    const script = (at: number): string => `versioning/analysis/${String(at).padStart(24, "0")}.gz`;
    const many = (count: number, content: Uint8Array) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [script(at), content]));

    async function refused(archive: Uint8Array, why: string): Promise<void> {
      writeFileSync(join(folder, "hostile.zip"), archive);
      const { code, stderr } = await backup(["restore", "hostile.zip", "--confirm", "Demo Plant"]);
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(why) });
    }

    it("where its files are larger together than alone, though each claims to be small", async () => {
      const plain = Buffer.from(zipSync({ "resources/run.json": new Uint8Array(4 * 1024 * 1024) }, { level: 0 }));
      const end = plain.length - 22;
      const entry = plain.subarray(plain.readUInt32LE(end + 16), end);
      entry.writeUInt32LE(1, 24);
      plain.writeUInt16LE(80, end + 8);
      plain.writeUInt16LE(80, end + 10);
      await refused(
        Buffer.concat([plain.subarray(0, end), ...Array.from({ length: 79 }, () => entry), plain.subarray(end)]),
        "more than 256 MiB",
      );
    });

    it("where it has JSON that is deeper than any reader", async () => {
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
      await refused(zipSync({ "resources/devices.json": strToU8(deep) }), "more than 100 levels");
    });

    it("where it has scripts that unpack to more, or more files than a profile", { tags: ["slow"] }, async () => {
      await refused(zipSync(many(7, gzipSync(new Uint8Array(40 * 1024 * 1024)))), "more than 256 MiB");
      await refused(zipSync(many(50_001, new Uint8Array()), { level: 0 }), "more than 50,000 files");
    });
  });

  it("is deleted after a confirmation", async () => {
    expect(await backup(["delete", "65a10000000000000000bac1"])).toMatchObject({ code: 2 });
    expect(await withPassword(["delete", "65a10000000000000000bac1", "--yes"])).toMatchObject({ code: 0 });
    expect(await withPassword(["delete", "65a10000000000000000bac1", "--yes"])).toMatchObject({ code: 6 });
  });
});
