// The comparisons of one peer as TypeScript: one per line, so that the line of an error tells which one failed.

/** What the comparisons of a program start with. `ours` and `theirs` are modules; the types may have one of their own. */
export const head = ({ ours, theirs, ourTypes = ours, theirTypes = theirs }) => `
import type * as OursModule from "${ours}";
import type * as TheirsModule from "${theirs}";
import type * as OurTypes from "${ourTypes}";
import type * as TheirTypes from "${theirTypes}";
type Ours = typeof OursModule;
type Theirs = typeof TheirsModule;
declare function fits<To, From extends To>(): void;

type IsAny<T> = 0 extends 1 & T ? true : false;
type Item<T> = T extends readonly (infer One)[] ? One : T;
type Opaque = readonly unknown[] | Date | ((...args: never[]) => unknown);
type Keys<T> = IsAny<T> extends true ? never : T extends Opaque ? never : T extends object ? keyof T : never;
type Extra<Theirs, Ours> = object extends Ours ? never : string extends Keys<Ours> ? never
  : Exclude<Keys<Theirs>, Keys<Ours> | number>;
type At<T, Key> = T extends object ? (Key extends keyof T ? Item<NonNullable<T[Key]>> : never) : never;
type Common<Theirs, Ours> = Keys<Theirs> & Keys<Ours> & string;
/** Properties of theirs, and of the objects in theirs, that ours does not have: a literal with them would not compile. */
type AllExtra<Theirs, Ours> = Extra<Theirs, Ours>
  | { [Key in Common<Theirs, Ours>]: \`\${Key}.\${Extra<At<Theirs, Key>, At<Ours, Key>> & string}\` }[Common<Theirs, Ours>];
/** Without the filter of lists, whose official type takes dates apart into their methods. */
type Rest<T> = T extends Opaque ? T : T extends object ? ("filter" extends keyof T ? Omit<T, "filter"> : T) : T;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
type ReadonlyKeys<T> = T extends Opaque ? never : T extends object
  ? { [Key in keyof T]-?: Same<{ [One in Key]: T[Key] }, { -readonly [One in Key]: T[Key] }> extends true ? never : Key }[keyof T]
  : never;
type MutableArray<T> = T extends readonly unknown[] ? (T extends unknown[] ? "array" : never) : never;
type ReadonlyArrayOf<T> = T extends readonly unknown[] ? (T extends unknown[] ? never : "array") : never;
type LockedArray<Theirs, Ours> = MutableArray<Theirs> & ReadonlyArrayOf<Ours>;
type LockedKeys<Theirs, Ours> = Exclude<ReadonlyKeys<Ours> & Keys<Theirs>, ReadonlyKeys<Theirs>>;
/** What can be changed in theirs and not in ours: properties and arrays, also those of the object in a property. */
type Locked<Theirs, Ours, Key extends keyof Theirs & keyof Ours> =
  | LockedKeys<Pick<Theirs, Key>, Pick<Ours, Key>>
  | LockedArray<Theirs[Key], Ours[Key]>
  | LockedKeys<NonNullable<Theirs[Key]>, NonNullable<Ours[Key]>>
  | { [One in Common<NonNullable<Theirs[Key]>, NonNullable<Ours[Key]>>]:
      LockedArray<NonNullable<Theirs[Key]>[One], NonNullable<Ours[Key]>[One]> extends never ? never : One
    }[Common<NonNullable<Theirs[Key]>, NonNullable<Ours[Key]>>];
`;

function ofPath({ path, expression, kind, arity }) {
  const theirs = expression;
  const ours = expression.replaceAll('Theirs["', 'Ours["');
  if (kind === "property") return [{ name: path, code: `fits<${theirs}, ${ours}>();` }];
  const list = kind === "call" ? "Parameters" : "ConstructorParameters";
  const lines = Array.from({ length: arity }, (_, index) => {
    const [our, their] = [`${list}<${ours}>[${index}]`, `${list}<${theirs}>[${index}]`];
    const name = `${path}, argument ${index + 1}`;
    const literal = `AllExtra<Item<NonNullable<${their}>>, Item<NonNullable<${our}>>>`;
    return [
      { name, code: `fits<Rest<${our}>, Rest<${their}>>();` },
      { name: `${name}, properties`, code: `fits<never, ${literal}>();` },
    ];
  }).flat();
  if (kind === "constructor") return lines;
  const [our, their] = [`ReturnType<${ours}>`, `ReturnType<${theirs}>`];
  return [
    ...lines,
    { name: `${path}, result`, code: `fits<${their}, ${our}>();` },
    {
      name: `${path}, result, properties`,
      code: `fits<never, AllExtra<Item<Awaited<${their}>>, Item<Awaited<${our}>>>>();`,
    },
  ];
}

/** Type arguments of generic types that have no defaults, or whose defaults are no row. */
const someInfo = "{ id: string; tags: { key: string; value: string }[] }";
const argumentsOf = {
  Query: `<${someInfo}, "id">`,
  RecursivePartial: `<${someInfo}>`,
  AnalysisListItem: '<"id">',
  DeviceListItem: '<"id">',
  DeviceTokenDataList: '<"token">',
  EntityListItem: '<"id">',
  UserListItem: '<"id">',
};

/**
 * A type: what is accepted in its place, and what it can be used as; property by property, so that a known difference of
 * one hides no other. A type that calls only take may be wider than theirs.
 */
function ofType(name, theirs, ours, isTakenOnly) {
  const [their, our] = ["Their", "Our"].map((side) => `${side}Types.${name}${argumentsOf[name] ?? ""}`);
  if (theirs.isOpaque) return [];
  const lines = [];
  const line = (what, code) => lines.push({ name: `type ${name}${what}`, code });
  if (ours === undefined || ours.isUnion || theirs.properties.length === 0) {
    line(", accepts", `fits<Rest<${our}>, Rest<${their}>>();`);
    if (!isTakenOnly) line(", is", `fits<Rest<${their}>, Rest<${our}>>();`);
    return lines;
  }
  const has = (properties, one) => properties.includes(one) || properties.includes("");
  for (const property of theirs.properties) {
    const key = property === "" ? "string" : JSON.stringify(property);
    const what = property === "" ? "[string]" : `.${property}`;
    if (!has(ours.properties, property)) {
      line(`${what}, missing`, `fits<keyof ${our}, ${key}>();`);
      continue;
    }
    const [theirPart, ourPart] = [`Pick<${their}, ${key}>`, `Pick<${our}, ${key}>`];
    if (property !== "filter") {
      line(`${what}, accepts`, `fits<${ourPart}, ${theirPart}>();`);
      if (!isTakenOnly) line(`${what}, is`, `fits<${theirPart}, ${ourPart}>();`);
    }
    line(`${what}, read-only`, `fits<never, Locked<${their}, ${our}, ${key}>>();`);
    line(`${what}, properties`, `fits<never, Extra<At<${their}, ${key}>, At<${our}, ${key}>>>();`);
  }
  const added = ours.properties.filter((property) => property !== "" && !has(theirs.properties, property));
  for (const property of added) line(`.${property}, needed`, `fits<Pick<${our}, ${JSON.stringify(property)}>, {}>();`);
  // An interface that extends ours cannot declare them as it likes.
  if (!isTakenOnly && added.length > 0) line(`, added: ${added.sort().join(" ")}`, `fits<never, "${added.length}">();`);
  return lines;
}

/** Comparisons of everything a peer declares. `ours` are our types by name; `taken` those that calls only take. */
export function comparisonsOf({ paths, types, taken }, ours) {
  const ofTypes = [...types].flatMap(([name, theirs]) => ofType(name, theirs, ours.get(name), taken.has(name)));
  return [...paths.flatMap(ofPath), ...ofTypes];
}

/** Every type exists under its name: at the root, and in the namespace `Types` where 11.x has it there. */
export function namesOf({ types, inNamespace }, { root, namespace }) {
  return [...types.keys()].flatMap((name) => [
    { name: `type ${name}`, code: `export type { ${name} as T_${name} } from "${root}";` },
    ...(inNamespace
      ? [{ name: `type Types.${name}`, code: `export type { ${name} as N_${name} } from "${namespace}";` }]
      : []),
  ]);
}
