const MAX_HEAP_MB = 512;

/** A program that runs scripts. */
export interface Program {
  readonly title: "Node" | "Deno" | "Python";
  readonly command: string;
  /** How to install it. */
  readonly install: string;
  /** File extensions its scripts can have; others are called `name`. */
  readonly ending: RegExp;
  readonly name: string;
  /** Environment variables it needs: no colours, no update checks. */
  readonly variables?: Readonly<Record<string, string>>;
  args(file: string, flags?: readonly string[]): readonly string[];
}

const node: Program = {
  title: "Node",
  command: process.execPath,
  install: "https://nodejs.org",
  ending: /\.[cm]?[jt]s$/,
  name: "analysis.js",
  args: (file, flags = []) => [`--max-old-space-size=${MAX_HEAP_MB}`, ...flags, file],
};

/** Scripts can use the network and environment and read files; they cannot write files or start programs. */
const denoFlags = [
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--allow-net",
  "--allow-env",
  "--allow-sys",
  "--allow-read",
];

const deno: Program = {
  title: "Deno",
  command: "deno",
  install: "npm install --global deno, or https://deno.com",
  ending: /\.[cm]?[jt]sx?$/,
  name: "analysis.js",
  variables: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  args: (file, flags = []) => ["run", ...denoFlags, `--v8-flags=--max-old-space-size=${MAX_HEAP_MB}`, ...flags, file],
};

const python: Program = {
  title: "Python",
  command: process.platform === "win32" ? "python" : "python3",
  install: "https://www.python.org/downloads",
  ending: /\.py$/,
  name: "analysis.py",
  variables: { PYTHONUTF8: "1" },
  // Unbuffered: every line is seen when it is printed.
  args: (file, flags = []) => ["-u", ...flags, file],
};

/** The program that runs a runtime; an analysis without one uses Node. */
export function programOf(runtime: unknown): Program | undefined {
  const [name] = String(runtime ?? "node").split("-");
  return [node, deno, python].find(({ title }) => title.toLowerCase() === name);
}

/** Whether a program could not be started because it is not installed. */
export const isMissing = (error: Error): boolean => "code" in error && error.code === "ENOENT";

/** Why a script cannot run, and what to do. */
export const missingText = ({ title, command, install }: Program): string =>
  `${title} is not installed (no program "${command}" in PATH): ${install}`;
