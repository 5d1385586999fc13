import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { type ProgramHere, programHere } from "../helpers/program-here.ts";

let program: ProgramHere;
let folder: string;
beforeAll(async () => {
  program = await programHere();
  folder = temporaryFolder();
});
afterAll(() => program.close());

const page = "<h1>Report of the day</h1>";
const render = (...flags: string[]) =>
  program.run(["pdf", "render", "--html", "-", ...flags], { stdin: page, cwd: folder });

describe("pdf render", () => {
  it("writes a document into a file, and asks before it replaces one", async () => {
    const made = await render("--out", "day.pdf", "--json");
    expect(made.code).toBe(0);
    const bytes = readFileSync(join(folder, "day.pdf"));
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect(JSON.parse(made.stdout)).toEqual({ file: "day.pdf", bytes: bytes.length });
    writeFileSync(join(folder, "day.pdf"), "mine");
    expect((await render("--out", "day.pdf")).code).toBe(2);
    expect(readFileSync(join(folder, "day.pdf"), "utf8")).toBe("mine");
    expect((await render("--out", "day.pdf", "--yes")).code).toBe(0);
  });

  it("writes the document to a pipe, never to a terminal", async () => {
    expect((await render()).stdout.startsWith("%PDF-")).toBe(true);
    expect((await render("--out", "-")).stdout.startsWith("%PDF-")).toBe(true);
    const args = ["pdf", "render", "--html", "-"];
    const shown = await program.run(args, { stdin: page, terminal: 80 });
    expect({ code: shown.code, stdout: shown.stdout }).toEqual({ code: 2, stdout: "" });
    const { content, bytes } = await program.json<{ content: string; bytes: number }>(args, { stdin: page });
    expect(Buffer.from(content, "base64")).toHaveLength(bytes);
  });

  it("hands the settings to the service", async () => {
    const flags = ["--format", "a5", "--landscape", "--background", "--pages", "1-2", "--wait-for", "2s"];
    const [request] = JSON.parse((await render(...flags, "--dry-run", "--json")).stdout) as {
      body: object;
      path: string;
    }[];
    expect(request).toMatchObject({
      path: `${program.here.sandbox.url}/pdf`,
      body: {
        html: page,
        options: { format: "A5", landscape: true, printBackground: true, pageRanges: "1-2", waitFor: 2_000 },
      },
    });
    const selector = JSON.parse((await render("--wait-for", "#done", "--dry-run", "--json")).stdout) as {
      body: object;
    }[];
    expect(selector[0]?.body).toMatchObject({ options: { waitFor: "#done" } });
  });

  it.each([
    ["no page", []],
    ["two pages", ["--html", "-", "--url", "https://x.test"]],
    ["an address of another kind", ["--url", "file:///etc/passwd"]],
    ["a paper nobody has", ["--html", "-", "--format", "A9"]],
  ])("ends with 2 for %s", async (_, flags) => {
    expect((await program.run(["pdf", "render", ...flags, "--out", "x.pdf"], { stdin: page, cwd: folder })).code).toBe(
      2,
    );
  });

  it("leaves no file when the service fails, and says what it answered", async () => {
    const broken: Server = createServer((_request, response) => {
      response.writeHead(400, { "content-type": "application/json" }).end('{"status":false,"result":"bad html"}');
    });
    await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
    const { port } = broken.address() as AddressInfo;
    const env = { IOT_API_URL: `http://127.0.0.1:${port}` };
    const args = ["pdf", "render", "--html", "-", "--out", "none.pdf"];
    const failed = await program.run(args, { stdin: page, cwd: folder, env });
    expect({ code: failed.code, stderr: failed.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("bad html"),
    });
    expect(() => readFileSync(join(folder, "none.pdf"))).toThrow();
    await new Promise((resolve) => broken.close(resolve));
    expect((await program.run([...args, "--retries", "0"], { stdin: page, cwd: folder, env })).code).toBe(10);
  });
});
