import { InputError } from "./errors.ts";
import { environment } from "./platform.ts";

/** URLs of one region. */
export interface RegionAddresses {
  /** Base URL of the API. */
  api: string;
  /** URL of the event stream. */
  sse: string;
  /** Not used: the older event socket. */
  realtime?: string;
}

/** Names of the regions. `usa-1` is the older name of `us-e1`; `env` reads the URLs from the environment. */
export type Regions = "us-e1" | "usa-1" | "eu-w1" | "env";

/** A region: its name, custom URLs, or the id of a deploy project as `tdeploy`. */
export type Region = Regions | RegionAddresses | { tdeploy: string };

const usEast: RegionAddresses = { api: "https://api.tago.io", sse: "https://sse.tago.io/events" };

/** URLs of every named region, `api` and `sse`; `env` reads `TAGOIO_API` and `TAGOIO_SSE` on each access. */
export const regionsDefinition: Readonly<Record<Regions, RegionAddresses | { api?: string; sse?: string }>> = {
  "us-e1": usEast,
  "usa-1": usEast,
  "eu-w1": { api: "https://api.eu-w1.tago.io", sse: "https://sse.eu-w1.tago.io/events" },
  env: {
    get api(): string {
      return environment("TAGOIO_API") ?? "";
    },
    get sse(): string {
      return environment("TAGOIO_SSE") ?? "";
    },
  },
};

let runtimeRegion: Region | undefined;

/** Sets the default region; `undefined` resets it. */
export function setRuntimeRegion(region: Region | undefined): void {
  runtimeRegion = region;
}

/** Resolves a region to its URLs. `sse` is empty where only the API is configured. */
export function resolveRegion(region: Region | undefined): RegionAddresses {
  const chosen = region ?? runtimeRegion;
  if (chosen === undefined) {
    return environment("TAGOIO_API") === undefined ? usEast : named("env");
  }
  if (typeof chosen === "string") return named(chosen);
  if (typeof chosen !== "object" || chosen === null) throw new InputError(`Invalid region ${String(chosen)}`, "region");
  if (isDeploy(chosen)) return deployAddresses(chosen.tdeploy);
  return { api: address(chosen.api, "api"), sse: chosen.sse ? address(chosen.sse, "sse") : "" };
}

/** Like `resolveRegion`, for the API alone: reading environment variables is half of its cost. */
export function resolveApi(region: Region | undefined): string {
  const chosen = region ?? runtimeRegion;
  if (typeof chosen === "string") return apiOf(definition(chosen));
  if (chosen !== undefined) return resolveRegion(chosen).api;
  const own = environment("TAGOIO_API");
  return own === undefined ? usEast.api : address(own, "api");
}

function definition(given: string): { readonly api?: string; readonly sse?: string } {
  const name = given.trim();
  if (!Object.hasOwn(regionsDefinition, name)) throw new InputError(`Invalid region ${name}`, "region");
  return regionsDefinition[name as Regions];
}

function apiOf({ api }: { readonly api?: string }): string {
  if (!api) throw new InputError("Invalid region", "region");
  return address(api, "api");
}

function named(name: string): RegionAddresses {
  const addresses = definition(name);
  const api = apiOf(addresses);
  const { sse } = addresses;
  return { api, sse: sse ? address(sse, "sse") : "" };
}

/** An id that is missing or blank leaves the addresses of the same object. */
function isDeploy(region: Exclude<Region, string>): region is { readonly tdeploy: string } {
  const id: unknown = "tdeploy" in region ? region.tdeploy : undefined;
  return typeof id === "string" ? id.trim() !== "" : id !== undefined && id !== null;
}

function deployAddresses(given: unknown): RegionAddresses {
  const id = typeof given === "string" ? given.trim() : "";
  if (!/^[A-Za-z0-9-]+$/.test(id)) throw new InputError("Invalid region", "region");
  return { api: `https://api.${id}.tagoio.net`, sse: `https://sse.${id}.tagoio.net/events` };
}

const checked = new Map<string, string>();

/** An http(s) URL without its trailing slash. Credentials in it are rejected: they would end up in error messages. */
function address(text: unknown, property: string): string {
  if (typeof text !== "string" || text === "") throw new InputError("Invalid region", "region");
  const known = checked.get(text);
  if (known !== undefined) return known;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:") || url.username || url.password) {
    throw new InputError(
      `Invalid region: its ${property} address must be an http or https address without credentials`,
      "region",
    );
  }
  const clean = text.replace(/\/+$/, "");
  if (checked.size < 100) checked.set(text, clean);
  return clean;
}
