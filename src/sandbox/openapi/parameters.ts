import type { RouteRule } from "../access/demands.ts";
import { COMMON_KEYS } from "../store/collection.ts";
import type { Kinds, RecordKind } from "../store/kinds.ts";
import type { KeyKind } from "../store/list-query.ts";
import { type Json, ref } from "./components.ts";
import { capital } from "./names.ts";

export const pathParameters = (path: string): readonly Json[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));

/** How a list is filtered by a field. */
const filters: Readonly<Record<KeyKind, Json>> = {
  text: { type: "string", description: "Case does not count; * stands for any characters." },
  exact: { type: "string" },
  boolean: { type: "boolean" },
  number: { type: "number" },
  date: { type: "string", description: "Rows since then: a date, or a duration such as 2 days." },
};

type Spec = Pick<RecordKind, "kind" | "keys" | "sortable" | "unfiltered" | "defaults">;

const keysOf = ({ keys }: Spec): Readonly<Record<string, KeyKind>> => ({ ...COMMON_KEYS, ...keys });

function filterOf(spec: Spec): Json {
  const members = Object.entries(keysOf(spec)).filter(([name]) => spec.unfiltered?.includes(name) !== true);
  return {
    type: "object",
    properties: {
      id: { type: "string", description: "One id, or several with commas." },
      ...Object.fromEntries(members.map(([name, kind]) => [name, filters[kind]])),
      tags: { type: "string", description: 'JSON: [{"key": "site", "value": "north"}]' },
    },
  };
}

function orderOf(spec: Spec): Json {
  const members = spec.sortable ?? Object.keys(keysOf(spec));
  const orders = members.flatMap((member) => [`${member},asc`, `${member},desc`]);
  const usual = spec.defaults.orderBy?.join(",") ?? "";
  return { type: "string", enum: orders, ...(orders.includes(usual) && { default: usual }) };
}

/** The kind of record of a list, where its rule specifies one. */
function listedKind(rule: RouteRule, kinds: Kinds): RecordKind | undefined {
  const demand = typeof rule === "string" ? undefined : "subjects" in rule ? rule : rule[0];
  return demand?.listed === undefined ? undefined : kinds.record(demand.listed);
}

/** The parameters of the list query. @param add called with the name and schema of the filter */
export function listParameters(
  rule: RouteRule,
  kinds: Kinds,
  add: (name: string, schema: Json) => void,
): readonly Json[] {
  const spec = listedKind(rule, kinds);
  const words = (spec?.kind ?? "").split(/[^A-Za-z]+/);
  const filter = spec === undefined ? "AnyFilter" : `${words.map(capital).join("")}Filter`;
  add(filter, spec === undefined ? { type: "object", additionalProperties: true } : filterOf(spec));
  const usual = spec?.fixedFields ?? spec?.defaults.fields;
  const fields = { type: "array", items: { type: "string" }, ...(usual !== undefined && { default: usual }) };
  return [
    ref("parameters", "Page"),
    ref("parameters", "Amount"),
    { name: "fields", in: "query", style: "form", explode: false, schema: fields },
    { name: "orderBy", in: "query", schema: spec === undefined ? { type: "string" } : orderOf(spec) },
    { name: "filter", in: "query", style: "deepObject", explode: true, schema: ref("schemas", filter) },
  ];
}
