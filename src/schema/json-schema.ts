import { z } from "zod";
import { id, jsonObject, otpType, permission, pinCode, tags } from "./common.ts";

/** Pieces that several bodies share. */
const pieces = {
  Id: id,
  JsonObject: jsonObject,
  OtpType: otpType,
  Permission: permission,
  PinCode: pinCode,
  Tags: tags,
};

/**
 * What is sent for each of the schemas, as JSON Schemas (2020-12) that refer to each other by name. Checks that JSON
 * Schema has no words for are left out: a document may say less than the schema it was made from. What is no schema of
 * ours accepts anything.
 *
 * @param refTo address of the schema with a name
 */
export function jsonSchemas(
  named: ReadonlyMap<string, unknown>,
  refTo: (name: string) => string,
): Readonly<Record<string, object>> {
  const registry = z.registry<{ id: string }>();
  const all: readonly (readonly [string, unknown])[] = [...Object.entries(pieces), ...named];
  for (const [name, schema] of all) if (schema instanceof z.ZodType) registry.add(schema, { id: name });
  const { schemas } = z.toJSONSchema(registry, { io: "input", unrepresentable: "any", uri: refTo });
  return Object.fromEntries(
    all.map(([name]) => {
      const { $schema: _, $id: _id, ...schema } = schemas[name] ?? {};
      return [name, schema];
    }),
  );
}
