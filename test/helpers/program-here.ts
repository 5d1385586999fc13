import type { CliResult } from "./cli.ts";
import { type HereOptions, runHere } from "./in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "./sandbox.ts";

/** A sandbox, and the program run inside this process against it. */
export interface ProgramHere {
  readonly here: SandboxUnderTest;
  run(args: readonly string[], options?: HereOptions): Promise<CliResult>;
  /** As `run`, but the parsed JSON of stdout; fails with stderr when the program did. */
  json<T>(args: readonly string[], options?: HereOptions): Promise<T>;
  /** As `run`, but stdout without the last line break; fails with stderr when the program did. */
  ok(args: readonly string[], options?: HereOptions): Promise<string>;
  close(): Promise<void>;
}

export async function programHere(): Promise<ProgramHere> {
  const here = await sandboxUnderTest();
  const run = (args: readonly string[], options: HereOptions = {}): Promise<CliResult> =>
    runHere(args, { ...options, env: { ...here.env, ...options.env } });
  const ok = async (args: readonly string[], options: HereOptions = {}): Promise<string> => {
    const { code, stdout, stderr } = await run(args, options);
    if (code !== 0) throw new Error(`iot ${args.join(" ")} ended with ${code}:\n${stderr}`);
    return stdout.replace(/\n$/, "");
  };
  return {
    here,
    run,
    ok,
    json: async <T>(args: readonly string[], options: HereOptions = {}): Promise<T> =>
      JSON.parse(await ok([...args, "--json"], options)) as T,
    close: () => here.close(),
  };
}
