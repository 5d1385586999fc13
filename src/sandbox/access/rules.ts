/** Evaluates access rules (docs/internals/platform/server.md, Access rules), without routes or the database. */

/** What a rule can apply to: a record, or a file by its path. */
export interface Subject {
  readonly id?: string;
  readonly tags?: readonly Tag[];
  /** Of a file, without a leading slash. */
  readonly path?: string;
}

interface Tag {
  readonly key: string;
  readonly value: string;
}

/** Who a rule applies to. */
export interface Actor extends Subject {
  readonly type: "analysis" | "run_user";
  readonly id: string;
  readonly tags: readonly Tag[];
}

export interface Rule {
  readonly targets: readonly (readonly string[])[];
  readonly permissions: readonly Permission[];
}

export interface Permission {
  readonly effect: string;
  readonly action: readonly string[];
  readonly resource: readonly string[];
}

const hasTag = (tags: readonly Tag[], key: string, value: string): boolean =>
  tags.some((tag) => tag.key === key && tag.value === value);

/** True when the tuple of a target matches the actor. Tuples of unknown form match nobody. */
function isTarget(target: readonly string[], actor: Actor): boolean {
  const [type, by, key = "", mark, value = ""] = target;
  if (type !== actor.type) return false;
  if (target.length === 1) return true;
  if (target.length === 3 && by === "id") return key === actor.id;
  if (target.length === 3 && by === "tag_match") return actor.tags.some((tag) => tag.key === key);
  return target.length === 5 && by === "tag.key" && mark === "tag.value" && hasTag(actor.tags, key, value);
}

/** True when `path` is the prefix itself or lies under it. */
function isUnder(path: string, prefix: string): boolean {
  const start = prefix.replace(/^\/+/, "").replace(/\/+$/, "");
  return start === "" || path === start || path.startsWith(`${start}/`);
}

/** True when the tuple of a permission covers the subject. Without a subject it must cover the whole type. */
function covers(resource: readonly string[], type: string, subject: Subject | undefined, actor: Actor): boolean {
  const [name, by, key = "", mark, value = ""] = resource;
  if (name !== type) return false;
  if (resource.length === 1) return true;
  if (subject === undefined) return false;
  const tags = subject.tags ?? [];
  if (resource.length === 5) return by === "tag.key" && mark === "tag.value" && hasTag(tags, key, value);
  if (resource.length !== 3) return false;
  if (by === "id") return subject.id !== undefined && key === subject.id;
  if (by === "path") return subject.path !== undefined && isUnder(subject.path, key);
  if (by !== "tag_match") return false;
  return actor.tags.some((own) => own.key === key && hasTag(tags, key, own.value));
}

/** The rules whose targets match the actor. */
export function rulesFor(rules: readonly Rule[], actor: Actor): Rule[] {
  return rules.filter((rule) => rule.targets.some((target) => isTarget(target, actor)));
}

export interface Question {
  readonly resource: string;
  /** Any one of these is enough to allow, and enough to deny. */
  readonly actions: readonly string[];
  readonly subject?: Subject | undefined;
}

/**
 * Evaluates the rules that match the actor. The default is denied. Any matching denial wins, within a rule and between
 * rules.
 */
export function isAllowed(rules: readonly Rule[], actor: Actor, question: Question): boolean {
  const { resource, actions, subject } = question;
  const effects = rules
    .flatMap((rule) => rule.permissions)
    .filter((permission) => permission.action.some((action) => actions.includes(action)))
    .filter((permission) => covers(permission.resource, resource, subject, actor))
    .map((permission) => permission.effect);
  return effects.includes("allow") && !effects.includes("deny");
}

/** True when some record of the type might be allowed: the list is then returned with the allowed rows. */
export function mayConcern(rules: readonly Rule[], { resource, actions }: Question): boolean {
  return rules
    .flatMap((rule) => rule.permissions)
    .some(
      (permission) =>
        permission.effect === "allow" &&
        permission.resource[0] === resource &&
        permission.action.some((action) => actions.includes(action)),
    );
}
