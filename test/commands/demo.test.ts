import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { cliEnvironment } from "../helpers/cli.ts";
import { waitFor } from "../helpers/wait-for.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs the demo, which works on what `npm run build` made. */
function startDemo(): {
  readonly child: ReturnType<typeof spawn>;
  readonly ended: Promise<number | null>;
  text(): string;
} {
  const child = spawn(process.execPath, ["scripts/demo.js"], {
    cwd: root,
    env: cliEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const collect = (chunk: Buffer): void => {
    text += chunk.toString("utf8");
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  return { child, ended: new Promise((resolve) => child.once("close", resolve)), text: () => text };
}

async function expectNothingAt(url: string): Promise<void> {
  await expect(fetch(`${url}/status`)).rejects.toThrow();
}

const urlIn = (text: string): string => /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? "";

describe("npm run demo", { tags: ["slow"] }, () => {
  beforeAll(() => {
    if (!existsSync(`${root}/dist/cli.cjs`)) throw new Error("Run npm run build first: the demo shows what is built.");
  });

  it("lists, sends, reads back, draws, watches and converts, and leaves a page and nothing running", async () => {
    const { ended, text } = startDemo();
    const code = await ended;
    expect({ code, text: code === 0 ? "" : text() }).toEqual({ code: 0, text: "" });
    for (const part of [
      "$ iot device list",
      "Freezer 1",
      "$ iot device data send",
      "-17.5",
      "temperature (°C)  min",
      "$ iot device watch",
      "3 records received",
      "$ iot widget convert",
      "angular",
      "What to try next",
    ]) {
      expect(text()).toContain(part);
    }
    const page = /^Open (\S+widgets\.html) in a browser/m.exec(text())?.[1] ?? "";
    expect(readFileSync(page, "utf8")).toContain("<figure");
    await expectNothingAt(urlIn(text()));
  });

  it("stops its sandbox when it is interrupted", { tags: ["posix"] }, async () => {
    const { child, ended, text } = startDemo();
    await waitFor(() => text().includes("$ iot device list"), "the first command");
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    await expectNothingAt(urlIn(text()));
  });
});
