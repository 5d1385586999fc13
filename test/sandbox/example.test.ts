import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "iot-example-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the example as its reader would, with the package as it was built. */
function runExample(): Promise<{ code: number | null; output: string }> {
  const alias = [
    { find: /^iotdeck\/sandbox$/.source, replacement: join(root, "dist/sandbox.js") },
    { find: /^iotdeck$/.source, replacement: join(root, "dist/index.js") },
  ].map(({ find, replacement }) => `{ find: /${find}/, replacement: ${JSON.stringify(replacement)} }`);
  const config = join(folder, "vitest.config.mjs");
  const place = JSON.stringify(join(root, "examples/vitest"));
  writeFileSync(
    config,
    `export default { root: ${place}, resolve: { alias: [${alias.join(", ")}] }, test: { testTimeout: 30000 } };`,
  );
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", "--config", config], { cwd: root, stdio: "pipe" });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}

it("the vitest example passes", { timeout: 120_000 }, async () => {
  const { code, output } = await runExample();
  expect(output).toMatch(/3 passed/);
  expect(code).toBe(0);
});
