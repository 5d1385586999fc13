import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { chunkOf } from "../helpers/built.ts";
import { leaves } from "../helpers/leaves.ts";

it("the help of every built command loads no network code", { tags: ["slow"] }, () => {
  const script = `
    const { run } = await import(${JSON.stringify(pathToFileURL(chunkOf("src/commands/program/run.ts")).href)});
    const io = { stdin: undefined, write: async (text) => { count += 1; }, writeError: (text) => process.stderr.write(text),
      stdoutIsTerminal: false, stderrIsTerminal: false, stdinIsTerminal: false, columns: () => 80 };
    let count = 0;
    for (const words of ${JSON.stringify(leaves.map(({ words }) => words))}) await run([...words, "--help"], {}, { io });
    const network = /^NativeModule (http|https|http2|tls|dns|internal\\/deps\\/undici\\/undici)$/;
    process.stdout.write(JSON.stringify({ count, loaded: process.moduleLoadList.filter((name) => network.test(name)) }));`;
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const line = ["--input-type=module", "-e", script];
  const { status, stdout, stderr } = spawnSync(process.execPath, line, { env, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({ count: leaves.length, loaded: [] });
});
