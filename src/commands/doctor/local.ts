import { existsSync, statSync } from "node:fs";
import { getHeapStatistics } from "node:v8";
import type { CommandContext } from "../kit/context.ts";
import { userConfigPath } from "../kit/settings/config.ts";
import { credentialsPath, readCredentials, repairMode } from "../kit/settings/credentials.ts";
import { showPath, userFolders } from "../kit/settings/paths.ts";
import { type Diagnosis, failed, ok, problem, warning } from "./check.ts";
import { platform } from "./platform.ts";

function nodeVersion(): Diagnosis {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isOld = major < 20 || (major === 20 && minor < 19);
  const detail = `${process.version} on ${process.platform} ${process.arch}`;
  return isOld ? problem("Node.js", detail, "Install Node.js 20.19 or later.") : ok("Node.js", detail);
}

function memory(): Diagnosis {
  const limitMiB = Math.round(getHeapStatistics().heap_size_limit / 1_048_576);
  const detail = `${limitMiB} MiB for this program`;
  return limitMiB < 128 ? warning("memory", detail, "Raise it with --max-old-space-size.") : ok("memory", detail);
}

function terminal({ io, env }: CommandContext): Diagnosis {
  if (!io.stdoutIsTerminal) return ok("terminal", "stdout is not a terminal; tables are tab-separated");
  const size = `${io.columns()} columns, TERM=${env["TERM"] ?? "not set"}`;
  if (env["TERM"] === "dumb") return warning("terminal", size, "Use a terminal that supports screens and colour.");
  return io.columns() < 60 ? warning("terminal", size, "Make it wider; tables omit columns.") : ok("terminal", size);
}

function settings({ user, env }: CommandContext): Diagnosis {
  if (user.problem !== undefined) return failed("settings", user.problem);
  const path = userConfigPath(env);
  return ok("settings", existsSync(path) ? showPath(path) : `none yet (${showPath(path)})`);
}

function project({ user }: CommandContext): Diagnosis {
  return ok("project", user.project?.path ?? "no iot.config.json in this folder or above");
}

function credentials({ env }: CommandContext): Diagnosis {
  const path = credentialsPath(env);
  if (!existsSync(path)) return ok("credentials", "none stored");
  try {
    const repaired = repairMode(path);
    if (repaired !== undefined) return warning("credentials", repaired, "Log in again if someone may have read them.");
    const stored = readCredentials(env, () => undefined);
    const plain = stored.filter((one) => one.store === undefined).length;
    const inKeychain = stored.length - plain;
    const elsewhere = inKeychain === 0 ? "" : `; ${inKeychain} in the system keychain`;
    return ok("credentials", `${plain} in ${showPath(path)}, plain text, readable only by you${elsewhere}`);
  } catch (error) {
    return failed("credentials", error);
  }
}

function folder({ env }: CommandContext): Diagnosis {
  const { config } = userFolders(env);
  const stats = statSync(config, { throwIfNoEntry: false });
  if (stats === undefined) return ok("folder", `${showPath(config)} does not exist yet; created when needed`);
  if (!stats.isDirectory()) return problem("folder", `${showPath(config)} is a file.`, "Move or rename it.", 3);
  const isOpen = process.platform !== "win32" && (stats.mode & 0o022) !== 0;
  return isOpen
    ? warning("folder", `Other users can write to ${showPath(config)}.`, `Run "chmod 700 ${showPath(config)}".`)
    : ok("folder", showPath(config));
}

function proxy({ env, flags }: CommandContext): Diagnosis {
  const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] as const;
  const name = names.find((one) => env[one]);
  const value = flags.proxy ?? (name === undefined ? undefined : env[name]);
  if (value === undefined) return ok("proxy", "none");
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const origin = flags.proxy === undefined ? (name ?? "") : "--proxy";
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return problem("proxy", `${origin} is not an http or https URL.`, "Use the form http://host:port.", 2);
  }
  return ok("proxy", `${url.protocol}//${url.host} from ${origin}`);
}

function authority({ env, flags }: CommandContext): Diagnosis {
  const path = flags.caFile ?? env["NODE_EXTRA_CA_CERTS"];
  if (!path) return ok("certificates", "default certificate authorities");
  const origin = flags.caFile === undefined ? "NODE_EXTRA_CA_CERTS" : "--ca-file";
  return existsSync(path)
    ? ok("certificates", `also ${path} from ${origin}`)
    : problem("certificates", `${path} from ${origin} does not exist.`, "Check the path.", 3);
}

/** Checks that need no network. */
export function localChecks(ctx: CommandContext): readonly Diagnosis[] {
  return [
    nodeVersion(),
    platform(ctx),
    memory(),
    terminal(ctx),
    folder(ctx),
    settings(ctx),
    project(ctx),
    credentials(ctx),
    proxy(ctx),
    authority(ctx),
  ];
}
