/** What runs an analysis on the platform; `node` and `python` are the words of older programs. */
export const runtimes = [
  "node-rt2025",
  "node-legacy",
  "deno-rt2025",
  "python-rt2025",
  "python-legacy",
  "other",
  "node",
  "python",
] as const;

export type Runtime = (typeof runtimes)[number];

export function isRuntime(value: unknown): value is Runtime {
  return runtimes.some((runtime) => runtime === value);
}

export const isPython = (language: string): boolean => language.startsWith("python");

/** The language of a file, judged by its extension. */
export function runtimeOf(file: string): Runtime {
  return /\.py$/i.test(file) ? "python-rt2025" : "node-rt2025";
}
