// Compares an answer with what the OpenAPI file shows: a schema, or an example where there is no schema.

/** Examples stand for values where they are longer than a placeholder in angle brackets. */
const isText = (value) => typeof value === "string" && !value.includes("<");

/** The schema of an example. */
export function schemaOf(example) {
  if (Array.isArray(example)) return { type: "array", items: example.length > 0 ? schemaOf(example[0]) : {} };
  if (example === null) return {};
  if (typeof example !== "object") return { type: typeof example };
  const properties = Object.entries(example).map(([name, value]) => [name, schemaOf(value)]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

function kindOf(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Properties of an object, or of the rows of a list: one is there when any row has it, and must fit in every row. */
function propertyDifferences(rows, schema, at) {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const values = rows.filter((row) => Object.hasOwn(row, name)).map((row) => row[name]);
    if (values.length === 0) return [{ at: `${at}.${name}`, found: "missing" }];
    return differences(values, property, `${at}.${name}`);
  });
}

/** What is wrong with several values of one schema, each place once. A null beside other values is one left empty. */
function differences(all, schema, at) {
  const known = all.filter((value) => value !== null);
  const values = known.length > 0 ? known : all;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const results = choices.map((choice) => differences(values, choice, at));
    const ofKind = results.filter((result) => !result.some((each) => each.at === at));
    return (ofKind.length > 0 ? ofKind : results).reduce((best, each) => (each.length < best.length ? each : best));
  }
  const type = schema.type === "integer" ? "number" : schema.type;
  if (type === undefined) return [];
  const other = values.find((value) => kindOf(value) !== type);
  if (other !== undefined) return [{ at, found: `${kindOf(other)}, not ${type}` }];
  if (schema.enum !== undefined) {
    const unknown = values.find((value) => !schema.enum.includes(value));
    if (unknown !== undefined) return [{ at, found: `"${unknown}", not one of ${schema.enum.join(", ")}` }];
  }
  if (type === "object") return propertyDifferences(values, schema, at);
  if (type !== "array") return [];
  const items = values.flat(1);
  if (items.length === 0) return values.length > 0 && schema.items?.type ? [{ at, found: "an empty list" }] : [];
  return differences(items, schema.items ?? {}, `${at}[]`);
}

/** Schema and fixed texts of a response; some schemas describe the result without its envelope. */
function expected({ schema = {}, examples = [] }) {
  const results = examples.map((example) => example?.result).filter((result) => result !== undefined);
  const { status: _, ...properties } = schema.properties ?? {};
  const bare = Object.keys(properties).length > 0 ? { ...schema, properties } : {};
  const shown = schema.properties?.result ?? bare;
  const isEmpty = shown.type === undefined && shown.anyOf === undefined;
  return { schema: isEmpty && results.length > 0 ? schemaOf(results[0]) : shown, texts: results.filter(isText) };
}

/** What differs between a good answer and the response the file shows. */
export function compareResult(body, response) {
  if (body?.status !== true) return [{ at: "status", found: `the envelope says ${JSON.stringify(body?.status)}` }];
  const { schema, texts } = expected(response);
  const found = differences([body.result], schema, "result");
  if (found.length > 0 || typeof body.result !== "string" || texts.length === 0) return found;
  return texts.includes(body.result) ? [] : [{ at: "result", found: `"${body.result}", not "${texts[0]}"` }];
}

/** A refusal of the platform: `status: false` and a message. */
export function compareRefusal(body) {
  const isRefusal = body?.status === false && typeof body.message === "string";
  return isRefusal ? [] : [{ at: "status", found: "not an envelope with status false and a message" }];
}
