import { isObject } from "../kit/files/files.ts";
import { maskToken } from "../kit/say/redact.ts";

const secretName = /(^|[_-])(token|secret|password|passwd|credential|authorization|api[_-]?key|pin_code)$/i;
/** Tokens with a recognizable prefix; device tokens are recognized by the property name alone. */
const prefixed = /\b(?:[a-z]-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{10,12}|at[0-9a-f]{32})\b/gi;

/** A value without what would open the platform: an assistant that may only read must not be handed a key that writes. */
export function maskSecrets(value: unknown): unknown {
  if (typeof value === "string") return value.replace(prefixed, maskToken);
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (!isObject(value)) return value;
  const isSecretPair = typeof value["key"] === "string" && secretName.test(value["key"]);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isSecret = secretName.test(name) || (isSecretPair && name === "value");
      return [name, isSecret && typeof member === "string" ? maskToken(member) : maskSecrets(member)];
    }),
  );
}
