// The comparisons of one peer as TypeScript: one per line, so that the line of an error tells which one failed.

export const head = (peer) => `
import type * as OursModule from "../../src/index.ts";
import type * as TheirsModule from "${peer}";
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

export function comparisonsOf({ paths, names, inNamespace }) {
  const types = names.map((name) => ({
    name: `type ${name}`,
    code: `export type { ${name} as T_${name} } from "../../src/index.ts";`,
  }));
  const inTypes = names.map((name) => ({
    name: `type Types.${name}`,
    code: `export type { ${name} as N_${name} } from "../../src/lib/official-types.ts";`,
  }));
  return [...paths.flatMap(ofPath), ...types, ...(inNamespace ? inTypes : [])];
}
