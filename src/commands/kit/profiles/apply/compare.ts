import type { WriteStep } from "../../dashboards/steps.ts";
import { isObject, type JsonObject } from "../../files/files.ts";
import { differences } from "../../folders/differences.ts";
import { listOf } from "../../folders/documents.ts";
import { canonicalText } from "../../state/snapshots.ts";
import { SecretNeeded, withSecrets } from "../canonical.ts";
import { hasRoomForKey, keyIn, withKey, withoutKey } from "../key.ts";
import { type ResourceKind, without } from "../kind.ts";
import { rulesOf } from "./rules.ts";
import type { ApplyTarget, Rules } from "./types.ts";

/** What is to be done with a resource that is there. */
export interface Changes {
  /** Where it differs from its file. */
  readonly paths: readonly string[];
  /** Why it cannot become what its file says; then there are no steps. */
  readonly conflict?: string;
  readonly steps: readonly WriteStep[];
}

/** Compares a resource with its file, whose ids are already those of the profile. */
export function compareWithProfile(kind: ResourceKind, given: Omit<ApplyTarget, "current">, key: string): Changes {
  const rules = rulesOf[kind.name] ?? {};
  const { id, found } = given;
  const whole = kind.clean(found);
  const has = keyIn(whole["tags"]);
  // A resource that has the id of its key needs no tag for it.
  const needsKey = kind.isTagged === true && id !== key && has !== key && hasRoomForKey(given.wanted);
  const finalKey = needsKey ? key : has;
  const current = withoutKey(whole);
  const asked = { ...given, current, wanted: withKept(rules, current, withoutKey(given.wanted)) };
  const target = { ...asked, wanted: { ...(rules.settle?.(asked) ?? asked.wanted), id } };
  const paths = differences(withoutEmpty(current), withoutEmpty(target.wanted)).map(({ path }) => path);
  if (needsKey) paths.push("tags[iotdeck_key]");
  if (paths.length === 0) return { paths, steps: [] };
  const conflict = fixedConflict(rules, target) ?? rules.conflict?.(asked);
  if (conflict !== undefined) return { paths, conflict, steps: [] };
  try {
    const before = rules.before?.(target) ?? [];
    const body = bodyOf(rules, target, { finalKey, needsKey });
    const path = `${kind.route}/${id}`;
    const put: WriteStep[] = Object.keys(body).length === 0 ? [] : [{ method: "PUT", path, body }];
    return { paths, steps: [...before, ...put, ...(rules.after?.(target) ?? [])] };
  } catch (error) {
    if (!(error instanceof SecretNeeded)) throw error;
    return { paths, conflict: error.message, steps: [] };
  }
}

/** Fields that files leave alone: those of the rules, and booleans the files do not name. */
function withKept({ kept = [] }: Rules, current: JsonObject, wanted: JsonObject): JsonObject {
  const rest = Object.entries(wanted).filter(([member]) => !kept.includes(member));
  const stay = Object.entries(current).filter(
    ([member, value]) => kept.includes(member) || (typeof value === "boolean" && wanted[member] === undefined),
  );
  return Object.fromEntries([...rest, ...stay]);
}

/** As a cleaned document is: an empty list or object says the same as none. */
function withoutEmpty(document: JsonObject): JsonObject {
  const isEmpty = (value: unknown): boolean =>
    Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(document).filter(([, value]) => !isEmpty(value)));
}

function fixedConflict({ fixed = [] }: Rules, { current, wanted }: ApplyTarget): string | undefined {
  const member = fixed.find((each) => canonicalText(current[each] ?? null) !== canonicalText(wanted[each] ?? null));
  if (member === undefined) return undefined;
  return `${member} cannot change from ${String(current[member] ?? "none")} to ${String(wanted[member] ?? "none")}`;
}

interface KeyChange {
  readonly finalKey: string | undefined;
  readonly needsKey: boolean;
}

/** The fields that differ, with the platform's own secrets; all fields if the body replaces the record. */
function bodyOf(rules: Rules, { found, current, wanted }: ApplyTarget, { finalKey, needsKey }: KeyChange): JsonObject {
  const { parts = [], isWhole = false, neverNull = () => false } = rules;
  const isChanged = (member: string): boolean =>
    canonicalText(current[member] ?? emptyLike(wanted[member])) !==
    canonicalText(wanted[member] ?? emptyLike(current[member]));
  const members = Object.keys(without({ ...current, ...wanted }, ...parts)).filter(isChanged);
  if (members.length === 0 && !needsKey) return {};
  const body = Object.fromEntries(
    (isWhole ? Object.keys(without(wanted, ...parts)) : members).map((member) => {
      const value = wanted[member];
      if (value !== undefined) return [member, withSecrets(value, found[member])];
      const empty = emptyLike(current[member]);
      return [member, empty === null && typeof current[member] === "string" && neverNull(member) ? "" : empty];
    }),
  );
  const hasTags = isWhole || needsKey || members.includes("tags");
  if (!hasTags || finalKey === undefined) return body;
  return { ...body, tags: listOf(withKey(wanted, finalKey)["tags"]) };
}

/** What replaces a removed value. */
function emptyLike(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : null;
}
