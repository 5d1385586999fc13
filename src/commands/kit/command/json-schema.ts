/** A JSON Schema (2020-12), as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;
