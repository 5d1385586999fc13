/** The first 24 hexadecimal digits of a value's SHA-256. */
export function digest(value: unknown): string {
  return textDigest(JSON.stringify(value));
}

/** As `digest`, of a text. Loads node:crypto on use: help needs none of it. */
export function textDigest(text: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}
