import { isObject, type JsonObject } from "../../kit/files/files.ts";
import { settled } from "../../kit/state/snapshots.ts";

/** Names of members whose text is a secret. */
const secretName = /(^|[_-])(token|password|secret|authorization|api[_-]?key|pin_code|verification_code)$/i;
/** Tokens of the platform, wherever they stand in a text. */
const tokenShaped = /\b(?:[a-z]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|at[0-9a-f]{32})\b/gi;
const inAddress = /([?&](?:token|api_key|signature|password)=)[^&#"\s]+/gi;

/** Stands where a secret was. */
const REMOVED = "…";

const cleanText = (text: string): string => text.replace(tokenShaped, REMOVED).replace(inAddress, `$1${REMOVED}`);

/** `{key: "token", value: "…"}`, as parameters, headers and variables are written. */
function isSecretPair(value: JsonObject): boolean {
  const name = value["key"] ?? value["name"];
  return typeof name === "string" && secretName.test(name) && typeof value["value"] === "string";
}

/** A value without secrets and tokens. With `names` members are judged by their name, too. */
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

/** An empty list says the same as none. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && !(value instanceof Date) && Object.keys(value).length === 0;
}

/** A resource as its file says it: nothing the platform sets by itself, no secret, no token, no empty member. */
export function canonical(document: JsonObject, volatile: readonly string[], names = true): JsonObject {
  const kept = Object.entries(settled(document)).filter(([key, value]) => !volatile.includes(key) && !isEmpty(value));
  const cleaned = withoutSecrets(Object.fromEntries(kept), names);
  return isObject(cleaned) ? cleaned : {};
}
