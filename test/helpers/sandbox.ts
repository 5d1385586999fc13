import { createSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/index.ts";
import { type CliOptions, type CliResult, runCli, temporaryFolder } from "./cli.ts";
import { demoSandbox } from "./demo-sandbox.ts";
import { type HereOptions, runHere } from "./in-process.ts";

/** A sandbox of the test's own, and the program pointed at it. */
export interface SandboxUnderTest {
  readonly sandbox: Sandbox;
  /** Variables that lead the program here. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command line against it, inside this process. */
  iot(args: readonly string[], options?: HereOptions): Promise<CliResult>;
  /** As `iot`, but a process of its own: for what signals, pipes and the end of a process do. */
  program(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** As `iot`, but the parsed JSON of stdout; fails with stderr when the program did. */
  json<T>(args: readonly string[], options?: HereOptions): Promise<T>;
  /** Requests so far, as `GET /device`. */
  requests(): string[];
  /** Those that arrived from a moment on (`Date.now()`); the ones of a killed program may be noted after it. */
  requestsSince(startMs: number): string[];
  close(): Promise<void>;
}

/** With the demo account and the time of the machine where nothing else is said. */
export async function sandboxUnderTest(
  options: Pick<SandboxOptions, "seed" | "clock" | "tip"> = {},
): Promise<SandboxUnderTest> {
  const isPlain = Object.keys(options).length === 0;
  const sandbox = isPlain ? await demoSandbox() : await createSandbox({ ...options, ephemeral: true });
  const env = sandboxEnvironment(sandbox);
  const iot = (args: readonly string[], more: HereOptions = {}): Promise<CliResult> =>
    runHere(args, { ...more, env: { ...env, ...more.env } });
  return {
    sandbox,
    env,
    iot,
    program: (args, more = {}) => runCli(args, { ...more, env: { ...env, ...more.env } }),
    async json<T>(args: readonly string[], more: HereOptions = {}): Promise<T> {
      const { code, stdout, stderr } = await iot([...args, "--json"], more);
      if (code !== 0) throw new Error(`iot ${args.join(" ")} ended with ${code}:\n${stderr}`);
      return JSON.parse(stdout) as T;
    },
    requests: () => sandbox.requestLog().map(({ method, url }) => `${method} ${url}`),
    requestsSince: (startMs) =>
      sandbox
        .requestLog()
        .filter(({ time, durationMs }) => Date.parse(time) - durationMs >= startMs)
        .map(({ method, url }) => `${method} ${url}`),
    close: () => sandbox.close(),
  };
}

function sandboxEnvironment({ url, eventsUrl, tokens, tip }: Sandbox): Record<string, string> {
  return {
    IOT_CONFIG_DIR: temporaryFolder(),
    IOT_API_URL: url,
    IOT_EVENTS_URL: eventsUrl,
    IOT_TOKEN: tokens.profile,
    ...Object.fromEntries(Object.entries(tip ?? {}).map(([name, value]) => [`IOT_TIP_${name.toUpperCase()}`, value])),
  };
}
