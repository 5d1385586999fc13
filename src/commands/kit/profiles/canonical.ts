import { isObject, type JsonObject } from "../files/files.ts";
import { settled } from "../state/snapshots.ts";

/** Names of fields whose string is a secret. */
const secretName = /(^|[_-])(token|password|secret|authorization|api[_-]?key|pin_code|verification_code)$/i;
/** Tokens of the platform, anywhere in a string. */
const tokenShaped = /\b(?:[a-z]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|at[0-9a-f]{32})\b/gi;
const inAddress = /([?&](?:token|api_key|signature|password)=)[^&#"\s]+/gi;

/** Replaces a secret. */
const REMOVED = "…";

const cleanText = (text: string): string => text.replace(tokenShaped, REMOVED).replace(inAddress, `$1${REMOVED}`);

/** `{key: "token", value: "…"}`, as parameters, headers and variables are written. */
function isSecretPair(value: JsonObject): boolean {
  const name = value["key"] ?? value["name"];
  return typeof name === "string" && secretName.test(name) && typeof value["value"] === "string";
}

/** Removes secrets and tokens from a value. With `names`, fields are also judged by name. */
function withoutSecrets(value: unknown, names = true): unknown {
  if (typeof value === "string") return cleanText(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, names));
  if (!isObject(value)) return value;
  const isPair = names && isSecretPair(value);
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, each]) => !(names && typeof each === "string" && (secretName.test(key) || (isPair && key === "value"))),
      )
      .map(([key, each]) => [key, withoutSecrets(each, names)]),
  );
}

/** A removed secret, and not dots that somebody wrote. */
const removedHere = /(^|=|\bbearer )…/i;

/** A file asks for a change of a string that holds a secret, which it does not have. */
export class SecretNeeded extends Error {
  override readonly name = "SecretNeeded";
}

/**
 * Restores what a value in a file leaves out: the secrets at the same path of the platform's value.
 *
 * @param names as it was when the file was written
 */
export function withSecrets(wanted: unknown, found: unknown, names = true): unknown {
  if (typeof wanted === "string") {
    if (typeof found === "string" && cleanText(found) === wanted) return found;
    if (removedHere.test(wanted)) throw new SecretNeeded("the files do not contain a secret that it holds");
    return wanted;
  }
  if (Array.isArray(wanted)) {
    const others: unknown[] = Array.isArray(found) ? found : [];
    // An entry without a name is matched by its index.
    const likeIt = (each: unknown, i: number): unknown =>
      nameIn(each) === undefined ? others[i] : others.find((other) => nameIn(other) === nameIn(each));
    return wanted.map((each, i) => withSecrets(each, likeIt(each, i), names));
  }
  if (!isObject(wanted)) return wanted;
  const old = isObject(found) ? found : {};
  const isPair = isSecretPair(old);
  const hidden = Object.entries(old).filter(
    ([key, each]) => names && typeof each === "string" && (secretName.test(key) || (isPair && key === "value")),
  );
  const known = Object.entries(wanted).map(([key, each]) => [key, withSecrets(each, old[key], names)] as const);
  return Object.fromEntries([...hidden, ...known]);
}

/** What names the entries of a list. */
function nameIn(entry: unknown): unknown {
  return isObject(entry) ? (entry["id"] ?? entry["key"] ?? entry["name"]) : undefined;
}

/** An empty list says the same as none. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && !(value instanceof Date) && Object.keys(value).length === 0;
}

/** A resource as stored in its file: no fields set by the platform, no secrets, no tokens, no empty fields. */
export function canonical(document: JsonObject, volatile: readonly string[], names = true): JsonObject {
  const kept = Object.entries(settled(document)).filter(([key, value]) => !volatile.includes(key) && !isEmpty(value));
  const cleaned = withoutSecrets(Object.fromEntries(kept), names);
  return isObject(cleaned) ? cleaned : {};
}
