import type { AccessPermission } from "../../index.ts";
import type { Names, Reference } from "../kit/resource/resource-names.ts";

const plurals: Readonly<Record<string, string>> = {
  run_user: "users",
  analysis: "analyses",
  device: "devices",
  dashboard: "dashboards",
  entity: "entities",
  file: "files",
};

const pluralOf = (type: string): string => plurals[type] ?? type;
const singularOf = (type: string): string => (type === "run_user" ? "user" : type);

/** What a rule refers to by id. */
export function accessReferences(rule: {
  readonly targets?: readonly (readonly string[])[];
  readonly permissions?: readonly AccessPermission[];
}): readonly Reference[] {
  const tuples = [...(rule.targets ?? []), ...(rule.permissions ?? []).map(({ resource }) => resource)];
  return tuples.flatMap(([type = "", how, id]) => (how === "id" && id !== undefined ? [[type, id] as const] : []));
}

/** A target or resource of a rule in words; its forms are those of `AccessPermission.resource`. */
function tupleText(tuple: readonly string[], names: Names | undefined): string {
  const [type = "", how, first = "", , second = ""] = tuple;
  if (how === undefined) return `all ${pluralOf(type)}`;
  if (how === "id") return `${singularOf(type)} ${names?.[first] ?? first}`;
  if (how === "tag.key") return `${pluralOf(type)} with ${first}=${second}`;
  if (how === "tag_match") return `${pluralOf(type)} with the same ${first}`;
  if (how === "path") return `${pluralOf(type)} under ${first}`;
  return tuple.join(" ");
}

/** Whom a rule is for, in words. */
export function targetsText(
  targets: readonly (readonly string[])[] | undefined,
  names: Names | undefined,
): string | undefined {
  return targets?.map((target) => tupleText(target, names)).join("; ");
}

/** What a rule allows and denies, in words. */
export function permissionsText(
  permissions: readonly AccessPermission[] | undefined,
  names: Names | undefined,
): string | undefined {
  const texts = permissions?.map(
    ({ effect, action, resource }) =>
      `${effect === "deny" ? "never " : ""}${action.join(", ")}: ${tupleText(resource, names)}`,
  );
  return texts?.join("; ");
}
