import { createHash } from "node:crypto";
import type { Section, SectionName } from "../../schema/seed/records.ts";
import type { SandboxTokens } from "../options.ts";
import type { PublishedLogin, PublishedSecrets } from "../published-secrets.ts";

/** Tokens and passwords in a seed, and its main profile. */
export interface SeedFacts {
  readonly profile: string;
  readonly tokens: SandboxTokens;
  readonly published: PublishedSecrets;
}

/** Records of all layers of a seed; those of the built-in ones need no check. */
export type RecordsOf = <Name extends SectionName>(
  name: Name,
) => readonly (Partial<Section<Name>> & { readonly id: string })[];

/** Password of portal users whose record has none. */
const PASSWORD = "portal-password";

function derived(prefix: string, id: string): string {
  const hex = createHash("sha256").update(`token of ${id}`).digest("hex");
  const uuid = hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  return `${prefix}${uuid}`.slice(0, 36);
}

/** Default token of a device or analysis: the one of its record, else one derived from its id. */
export function tokenOf(
  kind: "device" | "analysis",
  record: { readonly id: string; readonly token?: unknown },
): string {
  return typeof record.token === "string" ? record.token : derived(kind === "device" ? "" : "a-", record.id);
}

/** Password of a portal user; `undefined` for the anonymous one, who cannot log in. */
export function passwordOf({ email, password }: Partial<Section<"portal-users">>): string | undefined {
  return password ?? (/^anonymous@[0-9a-f]{24}\.invalid$/.test(email ?? "") ? undefined : PASSWORD);
}

const texts = (values: readonly (string | undefined)[]): string[] => values.filter((value) => value !== undefined);

/** All tokens and passwords, from the records of a seed. */
export function factsOf(records: RecordsOf, main: string | undefined): SeedFacts {
  const profiles = records("profiles");
  const profile = profiles.find(({ id }) => id === main) ?? profiles[0];
  const own = profile?.tokens ?? [];
  const users = records("portal-users");
  const devices = records("devices");
  const analyses = records("analyses").map((record) => tokenOf("analysis", record));
  const withPermission = (permission: string): string =>
    own.find((token) => (token.permission ?? "full") === permission && !isPast(token.expires))?.token ?? "";
  const [device] = devices;
  return {
    profile: profile?.id ?? "",
    tokens: {
      profile: withPermission("full"),
      read: withPermission("read"),
      write: withPermission("write"),
      expired: own.find(({ expires }) => isPast(expires))?.token ?? "",
      analysis: analyses[0] ?? "",
      device: device === undefined ? "" : tokenOf("device", device),
    },
    published: {
      tokens: texts([
        ...profiles.flatMap(({ tokens }) => (tokens ?? []).map(({ token }) => token)),
        ...records("networks").map(({ token }) => token?.token),
        ...users.map(({ token }) => token?.token),
        ...records("service-authorizations").map(({ token }) => token),
        ...analyses,
        ...devices.filter(({ token }) => token === undefined).map((record) => tokenOf("device", record)),
      ]),
      deviceTokens: texts(devices.map(({ token }) => token)),
      logins: [
        ...records("accounts").map(
          ({ id, email = "", password = "" }) => ({ kind: "account", id, email, password }) as const,
        ),
        ...users.flatMap(portalLogin),
      ],
    },
  };
}

/** A date is a string before it is checked. */
const isPast = (expires: unknown): boolean =>
  typeof expires === "number" ? expires < 0 : String(expires).startsWith("-");

function portalLogin(user: Partial<Section<"portal-users">> & { readonly id: string }): PublishedLogin[] {
  const { id, email = "", token } = user;
  const password = passwordOf(user);
  if (password === undefined) return [];
  return [{ kind: "portal_user", id, email, password, ...(token === undefined ? {} : { token: token.token }) }];
}
