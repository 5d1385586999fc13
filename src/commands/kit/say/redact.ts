import { AsyncLocalStorage } from "node:async_hooks";

/** As `maskToken` returns it, or as the platform shows a token to one with fewer permissions. */
const isMasked = (token: string): boolean => /^(?:.{4})?…(?:.{4})?$|^\*{8}.{0,4}$/u.test(token);

/** A token for people: the first and last four characters. Short ones vanish altogether. */
export function maskToken(token: string): string {
  if (isMasked(token)) return token;
  const bare = token.replace(/^[a-z]-/, "");
  return bare.length < 16 ? "…" : `${bare.slice(0, 4)}…${bare.slice(-4)}`;
}

/** Secrets and their replacements: computed once, since every printed line is searched for all of them. */
type Secrets = Map<string, string>;

/** Of all runs: for what is said outside of them, such as a report of a fault. */
const all: Secrets = new Map();
const ofRun = new AsyncLocalStorage<Secrets>();

/** Does a run whose secrets no later one in this process hides: a password may be a word of its messages. */
export const withOwnSecrets = <T>(work: () => T): T => ofRun.run(new Map(ofRun.getStore()), work);

/** Remembers a secret, so that no message, debug line or report of this run shows it. */
export function rememberSecret(value: string | undefined): void {
  if (value === undefined || value.length < 4) return;
  for (const known of new Set([all, ofRun.getStore() ?? all])) if (!known.has(value)) add(known, value);
}

function add(known: Secrets, value: string): void {
  // The ends of a token help to recognize it; the ends of a password only help to guess it.
  known.set(value, isTokenShaped(value) ? maskToken(value) : "…");
  // A server may send half a character, which has no form in an address.
  const encoded = encodeURIComponent(value.replace(/\p{Surrogate}/gu, "\ufffd"));
  if (encoded !== value) known.set(encoded, "…");
  // Longest first: a short secret inside a token would leave the rest of it readable.
  const sorted = [...known].sort(([one], [other]) => other.length - one.length);
  known.clear();
  for (const [secret, shown] of sorted) known.set(secret, shown);
}

/** Also after a sign that is encoded, as in `%2Fat01…`, and where more follows: a mistyped token is nearly all of one. */
const tokenShaped =
  /(?<=^|[^0-9a-z]|%[0-9a-f]{2})(?:(?:[a-z]-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{10,12}|at[0-9a-f]{32})/gi;
const named =
  /(["']?\b(?:authorization|(?:[a-z-]+[-_])?token|password|secret|pin_code|api[-_]?key)["']?\s*[:=]\s*)(["']?)([^\s"'&,;}]+)\2/gi;
const userInfo = /(\b(?:https?|rediss?|s3):\/\/)[^/\s@]+@/gi;

const isTokenShaped = (text: string): boolean => text.replace(tokenShaped, "") === "";

/** Replaces every known secret, everything that has the shape of a token, and values named as secrets. */
export function redact(text: string): string {
  let result = text;
  for (const [secret, shown] of ofRun.getStore() ?? all) result = result.replaceAll(secret, shown);
  return result
    .replace(userInfo, "$1…@")
    .replace(tokenShaped, maskToken)
    .replace(
      named,
      (_, name: string, mark: string, value: string) => `${name}${mark}${value.includes("…") ? value : "…"}${mark}`,
    );
}

const secretName = /^(?:authorization|(?:.+[-_])?(?:token|password|secret)|pin_code|api[-_]?key)$/i;

/** As `redact`, for data: fields named like secrets lose any string they hold, and the structure stays. */
export function redactValue(value: unknown): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isSecret = secretName.test(key) && typeof member === "string";
      return [key, isSecret ? (isTokenShaped(member) ? maskToken(member) : "…") : redactValue(member)];
    }),
  );
}
