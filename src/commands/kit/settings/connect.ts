import { defined } from "../../../lib/core/defined.ts";
import { InputError } from "../../../lib/core/errors.ts";
import type { Region, RegionAddresses } from "../../../lib/core/regions.ts";
import type { Connection, Target } from "../context.ts";
import { CommandError, usageError } from "../failures/command-error.ts";
import { unknownWord } from "../failures/unknown-word.ts";
import { maskToken, rememberSecret } from "../say/redact.ts";
import type { EnvironmentEntry, ResolvedSetting, UserConfig } from "./config.ts";
import { type Credential, findCredential, sourceOf } from "./credentials.ts";

/** Turns a region or addresses into both addresses; the library's own function. */
type ResolveRegion = (region: Region) => RegionAddresses;

/** What a connection is made from. */
export interface ConnectSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly user: UserConfig;
  readonly settings: ReadonlyMap<string, ResolvedSetting>;
  /** Read only when a stored credential is needed. */
  readonly credentials: () => readonly Credential[];
  readonly resolveRegion: ResolveRegion;
}

/** The environment a command without any settings uses. */
export const firstEnvironment = "default";

function ofEntry(name: string, entry: EnvironmentEntry, resolveRegion: ResolveRegion): Target {
  const region = entry.region ?? "us-e1";
  const events = entry.events ?? (entry.api === undefined ? "" : eventsBeside(entry.api));
  // The function itself rejects an unknown region, with the platform's message.
  const { api, sse } = resolveRegion(entry.api === undefined ? (region as Region) : { api: entry.api, sse: events });
  const shown = entry.api === undefined ? region : api;
  return {
    envName: name,
    label: `${name} (${entry.label ?? shown})`,
    api,
    events: sse || eventsBeside(api),
    isProtected: entry.protected === true,
  };
}

/** Names environment and profile: `prod (Acme)`; the target alone where the profile is not known. */
export function withProfile({ envName, label }: Target, profile: string | undefined): string {
  if (profile === undefined || profile === "") return label;
  return `${envName || label.split(" ")[0]} (${profile})`;
}

/** The event stream of a server that was named by its API address alone. */
export function eventsBeside(api: string): string {
  return `${api.replace(/\/+$/, "")}/events`;
}

/** A mistake in a variable is corrected there, so the failure names it. */
function fromVariable(variable: string, resolve: () => RegionAddresses): RegionAddresses {
  try {
    return resolve();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw usageError(`Invalid ${variable}.`, {
      code: "usage.invalid_value",
      why: `${error.message}.`,
      next: `Fix or unset ${variable}.`,
    });
  }
}

function ofAddress(variable: string, api: string, events: string | undefined, resolveRegion: ResolveRegion): Target {
  const found = fromVariable(variable, () => resolveRegion({ api, sse: events ?? eventsBeside(api) }));
  return { envName: "", label: `${variable} (${found.api})`, api: found.api, events: found.sse, isProtected: false };
}

function ofRegion(region: string, resolveRegion: ResolveRegion): Target {
  const { api, sse } = fromVariable("IOT_REGION", () => resolveRegion(region as Region));
  return { envName: "", label: `IOT_REGION (${region})`, api, events: sse || eventsBeside(api), isProtected: false };
}

function ofName(name: string, sources: ConnectSources): Target {
  const entry = Object.hasOwn(sources.user.environments, name) ? sources.user.environments[name] : undefined;
  if (entry !== undefined) return ofEntry(name, entry, sources.resolveRegion);
  if (name === firstEnvironment) return ofEntry(name, {}, sources.resolveRegion);
  throw unknownEnvironment(name, sources.user, `Run "iot env add ${name} --region us-e1".`);
}

export function unknownEnvironment(name: string, { environments }: UserConfig, next: string): CommandError {
  const known = Object.keys(environments);
  const why = known.length === 0 ? { why: "No environments have been added yet." } : {};
  return unknownWord("environment", name, known, { code: "env.unknown", next, ...why });
}

/** Chooses the target: `--env`, then the variables, then the environment of the files, then the platform's own variables. */
export function chooseTarget(sources: ConnectSources): Target {
  const { env, settings, resolveRegion } = sources;
  const named = settings.get("env");
  if (named?.origin === "flag" && named.value !== undefined) return ofName(named.value, sources);
  if (env["IOT_API_URL"])
    return ofAddress("IOT_API_URL", env["IOT_API_URL"], env["IOT_EVENTS_URL"] || undefined, resolveRegion);
  if (env["IOT_REGION"]) return ofRegion(env["IOT_REGION"], resolveRegion);
  if (named?.value !== undefined) return ofName(named.value, sources);
  if (Object.hasOwn(sources.user.environments, firstEnvironment)) return ofName(firstEnvironment, sources);
  if (env["TAGOIO_API"])
    return ofAddress("TAGOIO_API", env["TAGOIO_API"], env["TAGOIO_SSE"] || undefined, resolveRegion);
  return ofName(firstEnvironment, sources);
}

interface FoundToken {
  readonly token: string;
  readonly source: string;
  readonly expires?: string;
  readonly profile?: Connection["profile"];
}

function storedToken(target: Target, sources: ConnectSources): FoundToken | undefined {
  if (target.envName === "") return undefined;
  const profile = sources.settings.get("profile")?.value ?? sources.user.environments[target.envName]?.profile;
  const credential = findCredential(sources.credentials(), target.envName, profile);
  if (credential === undefined) return undefined;
  if (new URL(target.api).origin !== credential.origin) {
    throw new CommandError(`The token of environment "${target.envName}" was created for ${credential.origin}.`, {
      code: "auth.other_origin",
      exit: 4,
      why: `The environment now points to ${new URL(target.api).origin}, and stored tokens are never sent to another host.`,
      next: `Run "iot auth login --env ${target.envName}".`,
    });
  }
  return {
    token: credential.token,
    source: sourceOf(credential),
    ...defined({ expires: credential.expires, profile: credential.profile }),
  };
}

/** Chooses the token. An environment named by flag brings its own; otherwise a variable goes first. */
function chooseToken(target: Target, sources: ConnectSources): FoundToken | undefined {
  const { env, settings } = sources;
  const fromVariable = (name: string): FoundToken | undefined => {
    const token = env[name]?.trim();
    return token ? { token, source: name } : undefined;
  };
  const isNamedByFlag = settings.get("env")?.origin === "flag";
  const ordered = isNamedByFlag
    ? [() => storedToken(target, sources), () => fromVariable("IOT_TOKEN")]
    : [() => fromVariable("IOT_TOKEN"), () => storedToken(target, sources)];
  for (const find of [...ordered, () => fromVariable("T_ANALYSIS_TOKEN")]) {
    const found = find();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The connection a command works with. */
export function connect(sources: ConnectSources): Connection {
  const target = chooseTarget(sources);
  const found = chooseToken(target, sources);
  if (found === undefined) {
    throw new CommandError(`No token for ${target.label}.`, {
      code: "auth.missing",
      exit: 4,
      why: "Neither IOT_TOKEN nor the credentials file contains one.",
      next: 'Run "iot auth login", or try the local platform: iot sandbox start --use.',
    });
  }
  rememberSecret(found.token);
  if (/[^\x21-\x7e]/.test(found.token)) {
    throw new CommandError(`The token from ${found.source} (${maskToken(found.token)}) contains invalid characters.`, {
      code: "auth.refused",
      exit: 4,
      next: `Check ${found.source}.`,
    });
  }
  const expiresAt: Connection["expiresAt"] =
    found.expires === "never" ? "never" : found.expires === undefined ? undefined : new Date(found.expires);
  return {
    ...target,
    label: withProfile(target, found.profile?.name),
    token: found.token,
    tokenSource: found.source,
    ...defined({ profile: found.profile, expiresAt }),
  };
}
