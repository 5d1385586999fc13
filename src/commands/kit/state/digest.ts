/** The first 24 hexadecimal digits of a value's SHA-256. Loads node:crypto on use: help needs none of it. */
export function digest(value: unknown): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 24);
}
