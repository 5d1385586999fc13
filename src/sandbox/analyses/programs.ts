const MAX_HEAP_MB = 512;

/** A program of this machine that runs scripts. */
export interface Program {
  readonly title: "Node" | "Deno" | "Python";
  readonly command: string;
  /** How to get it. */
  readonly install: string;
  /** Names its scripts may have; others are called `name`. */
  readonly ending: RegExp;
  readonly name: string;
  /** Variables it needs to behave: no colours, no look for updates of itself. */
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

/** Scripts use the network and their environment, and read files; they change none and start no program. */
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

/** What runs the scripts of a runtime; an analysis without one is taken for Node. */
export function programOf(runtime: unknown): Program | undefined {
  const [name] = String(runtime ?? "node").split("-");
  return [node, deno, python].find(({ title }) => title.toLowerCase() === name);
}

/** Whether starting a program failed because it is not there. */
export const isMissing = (error: Error): boolean => "code" in error && error.code === "ENOENT";

/** Why a script cannot be run, and what to do. */
export const missingText = ({ title, command, install }: Program): string =>
  `${title} is not installed (no program "${command}" in PATH): ${install}`;
