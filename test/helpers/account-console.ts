import { runHere } from "./in-process.ts";
import type { SandboxUnderTest } from "./sandbox.ts";

/** `iot console` or `iot dashboard view` that runs inside this process. */
export interface ConsoleHere {
  /** What it printed: works once. */
  readonly address: string;
  readonly origin: string;
  /** Headers with a key, as the page sends them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Stops it; resolves to what it said. */
  stop(): Promise<{ readonly code: number; readonly stderr: string }>;
}

/** Starts the command and waits for its address. The code in it stays unused with `isForPage`. */
export async function consoleHere(
  here: Pick<SandboxUnderTest, "env">,
  line: readonly string[],
  {
    isForPage = false,
    env = {},
  }: { readonly isForPage?: boolean; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ConsoleHere> {
  const ending = new AbortController();
  let found: (address: string) => void = () => undefined;
  const address = new Promise<string>((resolve) => {
    found = resolve;
  });
  const run = runHere([...line, "--no-browser"], {
    env: { ...here.env, ...env },
    signal: ending.signal,
    onOutput: (bytes) => found(bytes.toString("utf8").trim()),
  });
  const url = new URL(await Promise.race([address, run.then(({ stderr }) => Promise.reject(new Error(stderr)))]));
  const headers: Record<string, string> = {};
  if (!isForPage) {
    const [code = ""] = url.hash.slice(1).split("&");
    const entered = await fetch(`${url.origin}/__sandbox/enter`, {
      method: "POST",
      headers: { authorization: `Bearer ${code}` },
    });
    const { result } = (await entered.json()) as { readonly result: { readonly key: string } };
    headers["authorization"] = `Bearer ${result.key}`;
  }
  return {
    address: url.href,
    origin: url.origin,
    headers,
    async stop() {
      ending.abort();
      return run;
    },
  };
}
