import type { Span } from "./refusals.ts";

/** A value, a column, or what is computed from them. NOT BETWEEN and the like are a NOT of the other. */
export type Expression = Span &
  (
    | { readonly kind: "literal"; readonly value: string | number | boolean | null }
    | { readonly kind: "param"; readonly key: string }
    | { readonly kind: "column"; readonly table?: string; readonly name: string }
    | {
        readonly kind: "call";
        readonly name: string;
        readonly args: readonly Expression[];
        /** `count(*)` */
        readonly star: boolean;
        readonly distinct: boolean;
      }
    | { readonly kind: "unary"; readonly sign: "-" | "NOT"; readonly of: Expression }
    | { readonly kind: "binary"; readonly sign: string; readonly left: Expression; readonly right: Expression }
    | { readonly kind: "logic"; readonly word: "AND" | "OR"; readonly parts: readonly Expression[] }
    | { readonly kind: "between"; readonly of: Expression; readonly low: Expression; readonly high: Expression }
    | { readonly kind: "in"; readonly of: Expression; readonly choices: readonly Expression[] | Query }
    | { readonly kind: "null"; readonly of: Expression }
    | {
        readonly kind: "case";
        readonly base?: Expression;
        readonly branches: readonly (readonly [when: Expression, then: Expression])[];
        readonly otherwise?: Expression;
      }
    | { readonly kind: "cast"; readonly of: Expression; readonly type: string }
    | { readonly kind: "query"; readonly query: Query }
    | { readonly kind: "exists"; readonly query: Query }
  );

/** What is selected: an expression, or all columns of a table. */
export type Item = Span & ({ readonly of: Expression; readonly as?: string } | { readonly all: string | undefined });

/** A table of FROM or JOIN. */
export interface Source extends Span {
  readonly join: "inner" | "left";
  readonly on?: Expression;
  readonly alias: string;
  /** A table function or a name of WITH, or a subquery. */
  readonly of: { readonly name: string; readonly args?: readonly Expression[] } | Query;
}

export interface Select {
  readonly distinct: boolean;
  readonly items: readonly Item[];
  readonly from: readonly Source[];
  readonly where?: Expression;
  readonly groupBy: readonly Expression[];
  readonly having?: Expression;
}

export interface OrderTerm {
  readonly of: Expression;
  readonly isDescending: boolean;
}

/** One SELECT, or several joined with UNION. */
export interface Query extends Span {
  readonly withs: readonly { readonly name: string; readonly query: Query }[];
  readonly selects: readonly Select[];
  /** For each SELECT after the first: whether rows that are there already are added again. */
  readonly unionAll: readonly boolean[];
  readonly orderBy: readonly OrderTerm[];
  readonly limit?: Expression;
  readonly offset?: Expression;
}

export const isQuery = (value: object): value is Query => "selects" in value;

/** The expressions an expression is directly made of, without those of subqueries. */
export function partsOf(of: Expression): readonly Expression[] {
  switch (of.kind) {
    case "call":
      return of.args;
    case "unary":
    case "null":
    case "cast":
      return [of.of];
    case "binary":
      return [of.left, of.right];
    case "logic":
      return of.parts;
    case "between":
      return [of.of, of.low, of.high];
    case "in":
      return isQuery(of.choices) ? [of.of] : [of.of, ...of.choices];
    case "case":
      return [of.base, ...of.branches.flat(), of.otherwise].filter((part) => part !== undefined);
    default:
      return [];
  }
}
