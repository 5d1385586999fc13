/** Names that results show as they are, since they are not ours, and what they belong to. */
const platformNames: Readonly<Record<string, string>> = {
  additionalProperties: "JSON Schema",
  anyOf: "JSON Schema",
  minLength: "JSON Schema",
  dataItem: "widgets",
  headerButton: "widgets",
  numberFormat: "widgets",
  messageDeleteRow: "widgets",
  iconUrl: "buttons of the portal",
  isInNewLine: "buttons of the portal",
  firstName: "attributes of a SAML login",
};

/** The camelCase names of the objects in a document that are ours, at any depth. */
export function camelCaseNames(document: unknown): readonly string[] {
  if (Array.isArray(document)) return [...new Set(document.flatMap(camelCaseNames))];
  if (typeof document !== "object" || document === null) return [];
  const names = Object.keys(document).filter((name) => /^[a-z][a-z0-9]*[A-Z]/.test(name) && !(name in platformNames));
  return [...new Set([...names, ...Object.values(document).flatMap(camelCaseNames)])];
}
