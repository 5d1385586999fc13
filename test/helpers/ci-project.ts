import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CliResult, cliEnvironment, temporaryFolder } from "./cli.ts";
import { shell } from "./shell.ts";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export const readCi = (name: string): string => readFileSync(join(root, "examples/ci", name), "utf8");

/** A project with the files of `examples/ci`, as it is after `npm ci`: `iotdeck` is the build of this repository. */
export interface CiProject {
  readonly folder: string;
  /** Runs lines as a CI job does: up to the first that fails. */
  run(lines: readonly string[]): Promise<CliResult>;
  readonly env: Readonly<Record<string, string>>;
}

/** `npm ci` has nothing to install here; everything else is the real npm. */
const npmShim = (npm: string): string => `#!/bin/sh
if [ "$1" = ci ]; then test -f package.json; exit; fi
exec "${npm}" "$@"
`;

function onPath(name: string): string {
  const folder = (process.env["PATH"] ?? "").split(":").find((one) => existsSync(join(one, name)));
  if (folder === undefined) throw new Error(`${name} is not in PATH`);
  return join(folder, name);
}

/** `others` are folders below `examples` whose files are added. */
export function ciProject(...others: readonly string[]): CiProject {
  if (!existsSync(join(root, "dist/cli.cjs"))) throw new Error("dist/cli.cjs is missing: run `npm run build` first");
  const folder = temporaryFolder();
  for (const name of ["ci", ...others]) cpSync(join(root, "examples", name), folder, { recursive: true });
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  symlinkSync(root, join(modules, "iotdeck"));
  symlinkSync(join(root, "node_modules/vitest"), join(modules, "vitest"));
  symlinkSync(join(root, "bin/iot.js"), join(modules, ".bin/iot"));
  symlinkSync(join(root, "node_modules/vitest/vitest.mjs"), join(modules, ".bin/vitest"));
  const programs = temporaryFolder();
  writeFileSync(join(programs, "npm"), npmShim(onPath("npm")), { mode: 0o755 });
  const path = [programs, dirname(process.execPath), process.env["PATH"] ?? ""].join(":");
  // A registry that is not there: what is not in the project is not fetched.
  const npm = { npm_config_registry: "http://127.0.0.1:9/", npm_config_update_notifier: "false" };
  const more = { PATH: path, IOT_CONFIG_DIR: temporaryFolder(), NO_COLOR: "1" };
  // Programs of a job repeat requests as they do by default.
  const { TAGOIO_REQUEST_ATTEMPTS: _, ...env } = cliEnvironment({ ...npm, ...more });
  return {
    folder,
    env,
    run: (lines) => shell(["set -e", ...lines].join("\n"), { env, cwd: folder }),
  };
}

/** Makes the test of the project fail. */
export function breakTest({ folder }: CiProject): void {
  const file = join(folder, "sandbox.test.js");
  const text = readFileSync(file, "utf8");
  const broken = text.replace("toBe(-17.5)", "toBe(0)");
  if (broken === text) throw new Error("There is no expectation to break");
  writeFileSync(file, broken);
}

/** The log files that a job keeps, by name. */
export function logsOf({ folder }: CiProject): string[] {
  const logs = join(folder, "logs");
  return existsSync(logs) ? readdirSync(logs).sort() : [];
}
