import type { CliResult } from "./cli.ts";
import type { SandboxUnderTest } from "./sandbox.ts";
import { waitFor } from "./wait-for.ts";

/** `iot fleet --metrics` on a port of its own, until it is stopped. */
export interface ServedMetrics {
  readonly url: string;
  /** The metrics as a scrape gets them. */
  text(): Promise<string>;
  stop(): Promise<CliResult>;
}

export async function servedMetrics(here: SandboxUnderTest, args: readonly string[] = []): Promise<ServedMetrics> {
  const abort = new AbortController();
  let printed = "";
  const run = here.iot(["fleet", "--metrics", "127.0.0.1:0", ...args], {
    signal: abort.signal,
    onOutput: (bytes) => {
      printed += String(bytes);
    },
  });
  await waitFor(() => printed.endsWith("/metrics\n"), "the address");
  const url = printed.trim();
  return {
    url,
    text: async () => (await fetch(url)).text(),
    stop() {
      abort.abort();
      return run;
    },
  };
}
