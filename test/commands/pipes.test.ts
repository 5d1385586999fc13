import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

let here: SandboxUnderTest;
let folder: string;
let pipe: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
  folder = temporaryFolder();
  pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
});
afterAll(() => here.close());

const widget = { label: "A", type: "dial", display: { theme: {} }, data: [] };

/** Commands that wait for a writer of the pipe. */
const waiting: readonly (readonly string[])[] = [
  ["widget", "convert", "PIPE", "--stdout"],
  ["device", "data", "import", "--input", "PIPE"],
  ["lorawan", "qr", "parse", "PIPE"],
  ["dashboard", "migrate", "--apply", "PIPE", "--yes"],
  ["device", "list", "--ca-file", "PIPE"],
];

/** Whether the process has the pipe open. */
function hasOpened(pid: number | undefined): boolean {
  const files = `/proc/${pid}/fd`;
  if (!existsSync(files)) return false;
  return readdirSync(files).some((name) => {
    try {
      return readlinkSync(join(files, name)) === pipe;
    } catch {
      return false;
    }
  });
}

describe("a pipe that nobody writes to", { tags: ["posix"] }, () => {
  async function expectLeft(...words: readonly string[]): Promise<void> {
    const args = words.map((word) => (word === "PIPE" ? pipe : word));
    // Somebody who could write, and does not: opening a pipe may wait for that.
    const silent = await open(pipe, "r+");
    const child = await startCli(args, { env: here.env });
    const ended = new Promise<[number | null, string | null]>((resolve) =>
      child.once("close", (code, signal) => resolve([code, signal])),
    );
    await waitFor(() => hasOpened(child.pid), "the pipe to be open");
    child.kill("SIGTERM");
    // Before the program takes signals, it is the signal that ends it.
    expect([143, "SIGTERM"]).toContain((await ended).find((how) => how !== null));
    await silent.close();
  }

  const TITLE = "is left at the first signal: %s %s %s";
  it.each(waiting.slice(0, 1))(TITLE, expectLeft);
  it.each(waiting.slice(1))(TITLE, { tags: ["slow"] }, expectLeft);
});

describe("a pipe that is written to slowly", { tags: ["posix"] }, () => {
  const written = async (args: readonly string[], parts: readonly string[]) => {
    const running = runHere(args, { env: here.env, cwd: folder });
    const file = await open(pipe, "w");
    for (const part of parts) await file.write(part);
    await file.close();
    return running;
  };

  it("is read to its end by every command that reads a file", async () => {
    const text = JSON.stringify([widget]);
    const converted = await written(["widget", "convert", pipe, "--stdout"], [text.slice(0, 9), text.slice(9)]);
    expect([converted.code, JSON.parse(converted.stdout)]).toMatchObject([0, [{ label: "A" }]]);
    const made = await written(["device", "import", pipe], ["name\n", "Piped one\n", "Piped two\n"]);
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining("Created 2")]);
    const created = await written(
      ["device", "create", "--input", pipe, "--json"],
      ['{"name":', '"Piped three","type":"mutable"}'],
    );
    expect([created.code, JSON.parse(created.stdout)]).toMatchObject([0, { name: "Piped three" }]);
  });

  it("is no file to be converted in place", async () => {
    const { code, stderr } = await runHere(["widget", "convert", pipe, "--in-place", "--yes"], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining("--in-place needs files")]);
  });
});

describe("stdin that says nothing", { tags: ["posix"] }, () => {
  it("is left at the first signal", async () => {
    const child = await startCli(["device", "create", "--input", "-"], { env: here.env });
    const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
    const isReady = new Promise<void>((resolve) => child.stdin?.write(" ".repeat(4_000_000), () => resolve()));
    await isReady;
    child.kill("SIGINT");
    expect(await ended).toBe(130);
  });
});
