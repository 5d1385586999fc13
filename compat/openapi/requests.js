// Turns what the file shows of a request into one that fits the records of a world.

/** False for placeholders that stand where a text example should be. */
export const exampleOf = (example) => !(typeof example === "string" && /^<.*>$/.test(example));

/** Ids of the file's author, some with misprints. */
const FOREIGN_ID = /^[0-9a-z]{20,}$/;

/** A body with the ids of this world, by the name of the property they stand under. */
export function fill(example, values, name = "") {
  if (Array.isArray(example)) return example.map((item) => fill(item, values, name));
  if (typeof example === "object" && example !== null) {
    return Object.fromEntries(Object.entries(example).map(([key, value]) => [key, fill(value, values, key)]));
  }
  return typeof example === "string" && FOREIGN_ID.test(example) ? (values[name] ?? example) : example;
}

/** A path with the values of this world for its parts. */
export function fillPath(path, values) {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    if (values[name] === undefined) throw new Error(`nothing is known for {${name}}`);
    return encodeURIComponent(values[name]);
  });
}
