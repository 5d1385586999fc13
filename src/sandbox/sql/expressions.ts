import type { Gap } from "../core/gap.ts";
import type { SqlInput } from "../store/types.ts";
import { stored, typeOfConstant } from "./constants.ts";
import { invalidParam, notRun, refused, type Span, shortened, sqlGaps } from "./refusals.ts";
import {
  type Clause,
  type CompileSubquery,
  type Constant,
  findColumn,
  isSelectOnly,
  type Scope,
  type Value,
} from "./scope.ts";
import { type Expression, isQuery } from "./syntax.ts";
import type { ColumnType } from "./tables.ts";

/** Longest SQL of one expression: comparisons repeat their operands. */
const MAX_SQL_CHARS = 300_000;
const COMPARISONS = ["=", "<>", "<", "<=", ">", ">="];
const AGGREGATES = ["count", "sum", "avg", "min", "max"];
const NUMBERS: readonly Value["type"][] = ["number", "integer"];
const CASTS: ReadonlyMap<string, ColumnType> = new Map([
  ...["TEXT", "VARCHAR", "STRING"].map((name) => [name, "string"] as const),
  ...["INTEGER", "INT", "BIGINT"].map((name) => [name, "integer"] as const),
  ...["REAL", "FLOAT", "DOUBLE", "NUMERIC", "DECIMAL"].map((name) => [name, "number"] as const),
]);

/** The user who runs a statement; null for the owner of the profile. */
export interface Session {
  readonly userId: string | null;
  tag(key: string): string | null;
}

/** Values of the parameters by key. `undefined` while they are not known. */
export type Values = ReadonlyMap<string, unknown> | undefined;

/** Whether an expression is an aggregate itself. */
export const isAggregate = (of: Expression): boolean =>
  of.kind === "call" && AGGREGATES.includes(of.name) && (of.star || of.args.length === 1);

/** Joins conditions as a tree that is not deep: the database limits the depth. */
function joined(parts: readonly string[], word: string): string {
  const [first = "1"] = parts;
  if (parts.length <= 1) return first;
  const half = Math.ceil(parts.length / 2);
  return `(${joined(parts.slice(0, half), word)} ${word} ${joined(parts.slice(half), word)})`;
}

/** Compiles expressions to SQL whose only foreign parts are bound values. */
export class Expressions {
  /** Bound values: `?1` is the first. */
  readonly bound: SqlInput[] = [];
  /** Assumptions the statement rests on. */
  readonly gaps = new Set<Gap>();
  readonly #values: Values;
  readonly #session: Session;
  readonly #subquery: CompileSubquery;

  constructor(values: Values, session: Session, subquery: CompileSubquery) {
    this.#values = values;
    this.#session = session;
    this.#subquery = subquery;
  }

  bind(value: SqlInput): string {
    return `?${this.bound.push(value)}`;
  }

  /** A literal, a parameter, or a session function; undefined for everything else. */
  constantOf(of: Expression, clause: Clause | "table"): Constant | undefined {
    const span = { start: of.start, end: of.end };
    if (of.kind === "literal") return { value: of.value, span };
    if (of.kind === "call" && of.name.startsWith("session_user_"))
      return { value: this.#sessionValue(of, clause), span };
    if (of.kind !== "param") return undefined;
    const value = this.#values?.get(of.key);
    const isPlain = value === null || ["string", "number", "boolean", "undefined"].includes(typeof value);
    if (!isPlain || (this.#values !== undefined && value === undefined)) throw invalidParam(of.key, span);
    return { value: value as Constant["value"], key: of.key, span };
  }

  #sessionValue(of: Extract<Expression, { kind: "call" }>, clause: Clause | "table"): string | null {
    const { name, args } = of;
    const [key] = args;
    if (clause !== "where" && clause !== "table") throw refused(`${name} can be used in WHERE and in tables only`, of);
    if (name === "session_user_id" && args.length === 0) return this.#session.userId;
    if (name !== "session_user_tag" && name !== "session_user_id") throw unknownFunction(of);
    if (name === "session_user_id" || args.length !== 1 || key?.kind !== "literal" || typeof key.value !== "string") {
      throw refused(`${name} takes ${name === "session_user_id" ? "no arguments" : "1 string"}`, of);
    }
    return this.#session.tag(key.value);
  }

  /** SQL of a value as it is. */
  sql({ sql, constant }: Value): string {
    return constant === undefined ? sql : this.bind(stored(constant, typeOfConstant(constant)));
  }

  /** SQL of a value that is compared with others of a type. */
  as(value: Value, type: Value["type"]): string {
    return value.constant === undefined ? value.sql : this.bind(stored(value.constant, type));
  }

  compile(of: Expression, scope: Scope, clause: Clause): Value {
    const value = this.#compile(of, scope, clause);
    if (value.sql.length > MAX_SQL_CHARS) throw notRun("an expression of this size", of);
    return value;
  }

  /** SQL of a condition. */
  condition(of: Expression, scope: Scope, clause: Clause): string {
    const value = this.compile(of, scope, clause);
    if (value.type === "boolean" || value.type === "null") return this.sql(value);
    throw refused("This is not a condition: it is neither true nor false", of);
  }

  #compile(of: Expression, scope: Scope, clause: Clause): Value {
    const constant = this.constantOf(of, clause);
    if (constant !== undefined) return { type: typeOfConstant(constant), sql: "", constant };
    switch (of.kind) {
      case "column":
        return this.#column(of, scope);
      case "call":
        return this.#call(of, scope, clause);
      case "unary":
        if (of.sign === "NOT") return condition(`(NOT ${this.condition(of.of, scope, clause)})`);
        this.gaps.add(sqlGaps.subset);
        return { type: "number", sql: `(- ${this.#number(of.of, scope, clause)})` };
      case "logic":
        return condition(
          joined(
            of.parts.map((part) => this.condition(part, scope, clause)),
            of.word,
          ),
        );
      case "null":
        return condition(`(${this.sql(this.compile(of.of, scope, clause))} IS NULL)`);
      case "between": {
        const [value, low, high] = [of.of, of.low, of.high].map((part) => this.compile(part, scope, clause)) as Triple;
        return condition(`(${this.#compare(">=", value, low, of)} AND ${this.#compare("<=", value, high, of)})`);
      }
      case "binary":
        return this.#binary(of, scope, clause);
      case "in":
        return this.#in(of, scope, clause);
      default:
        this.gaps.add(sqlGaps.subset);
        return this.#beyond(of, scope, clause);
    }
  }

  #column(of: Extract<Expression, { kind: "column" }>, scope: Scope): Value {
    const { column } = findColumn(scope, of);
    if (isSelectOnly(column)) throw refused(`${column.name} can only be selected`, of);
    if (column.isAssumed === true) this.gaps.add(sqlGaps.columns);
    return { type: column.type, sql: column.sql("plain"), column };
  }

  #binary(of: Extract<Expression, { kind: "binary" }>, scope: Scope, clause: Clause): Value {
    const { sign } = of;
    if (COMPARISONS.includes(sign)) {
      const [left, right] = [this.compile(of.left, scope, clause), this.compile(of.right, scope, clause)];
      return condition(this.#compare(sign, left, right, of));
    }
    if (sign === "LIKE" || sign === "||") {
      const [left, right] = [this.#text(of.left, scope, clause), this.#text(of.right, scope, clause)];
      if (sign === "||") this.gaps.add(sqlGaps.subset);
      return { type: sign === "||" ? "string" : "boolean", sql: `(${left} ${sign} ${right})` };
    }
    this.gaps.add(sqlGaps.subset);
    const sides = [of.left, of.right].map((side) => this.#number(side, scope, clause));
    return { type: "number", sql: `(${sides.join(` ${sign} `)})` };
  }

  /** Two values that can be compared: constants take the type of the other. */
  #sides(left: Value, right: Value, span: Span): readonly [left: string, right: string] {
    const isFree = ({ type, constant }: Value): boolean => constant !== undefined || type === "null";
    const group = ({ type }: Value): string => (type === "integer" ? "number" : type);
    const [one, other] = [group(left), group(right)];
    const isMixed =
      one !== other && (one === "timestamp" || other === "timestamp" || (one !== "json" && other !== "json"));
    if (isMixed && !isFree(left) && !isFree(right)) throw refused(`A ${one} cannot be compared with a ${other}`, span);
    const text = (value: Value, type: Value["type"]): string =>
      value.type === "boolean" && type === "json" && value.constant === undefined
        ? word(value.sql)
        : this.as(value, type);
    const ownType = (value: Value, against: Value): Value["type"] =>
      against.constant === undefined ? against.type : value.constant === undefined ? value.type : "json";
    return [text(left, ownType(left, right)), text(right, ownType(right, left))];
  }

  /** Numbers and strings in values of records are different, and neither is less. */
  #compare(sign: string, left: Value, right: Value, span: Span): string {
    const [one, other] = this.#sides(left, right, span);
    const plain = `${one} ${sign} ${other}`;
    const isAny = (value: Value): boolean => value.type === "json" && value.constant === undefined;
    if (sign === "=" || sign === "<>" || (!isAny(left) && !isAny(right))) return `(${plain})`;
    const isText = (sql: string): string => `(typeof(${sql}) = 'text')`;
    return `(CASE WHEN ${one} IS NULL OR ${other} IS NULL THEN NULL WHEN ${isText(one)} = ${isText(other)} THEN ${plain} ELSE 0 END)`;
  }

  #in(of: Extract<Expression, { kind: "in" }>, scope: Scope, clause: Clause): Value {
    const value = this.compile(of.of, scope, clause);
    if (isQuery(of.choices)) {
      this.gaps.add(sqlGaps.subset);
      const [left, right] = this.#sides(value, this.#subquery(of.choices, scope, "value"), of);
      return condition(`(${left} IN ${right})`);
    }
    const choices = of.choices.map((choice) => this.compile(choice, scope, clause));
    if (value.constant === undefined && choices.every(({ constant }) => constant !== undefined)) {
      return condition(`(${value.sql} IN (${choices.map((choice) => this.as(choice, value.type)).join(", ")}))`);
    }
    return condition(
      joined(
        choices.map((choice) => this.#compare("=", value, choice, of)),
        "OR",
      ),
    );
  }

  /** SQL of a value as a string. */
  #text(of: Expression, scope: Scope, clause: Clause): string {
    const value = this.compile(of, scope, clause);
    const { sql, type, constant, column } = value;
    if (constant !== undefined) return this.as(value, "string");
    if (type === "timestamp") return `strftime('%Y-%m-%dT%H:%M:%fZ', ${sql} / 1000.0, 'unixepoch')`;
    if (type === "boolean") return word(sql);
    if (column?.isValue === true) {
      const json = column.sql("json");
      return `CASE WHEN ${json} IN ('true', 'false') THEN ${json} ELSE CAST(${json} ->> '$' AS TEXT) END`;
    }
    if (type === "string" || type === "null") return sql;
    // 12, not 12.0.
    return `CASE WHEN typeof(${sql}) = 'real' AND ${sql} = CAST(${sql} AS INTEGER) THEN CAST(CAST(${sql} AS INTEGER) AS TEXT) ELSE CAST(${sql} AS TEXT) END`;
  }

  /** SQL of a number: null for values of records that are none. */
  #number(of: Expression, scope: Scope, clause: Clause): string {
    const value = this.compile(of, scope, clause);
    if (value.constant !== undefined) return this.as(value, "number");
    if (value.column?.isValue === true) return value.column.sql("number");
    if (value.type === "json") return `CASE WHEN typeof(${value.sql}) <> 'text' THEN ${value.sql} END`;
    if (NUMBERS.includes(value.type) || value.type === "null") return value.sql;
    throw refused(`A number is needed here, not a ${value.type}`, of);
  }

  /** Several values of one type, of which one is the result. */
  #alike(values: readonly Value[], span: Span): { readonly type: Value["type"]; readonly sql: readonly string[] } {
    const isFixed = ({ constant, type }: Value): boolean => constant === undefined && type !== "null";
    const fixed = values.filter(isFixed);
    const types = new Set(
      (fixed.length > 0 ? fixed : values).map(({ type }) => type).filter((type) => type !== "null"),
    );
    const [first = "null"] = types;
    const isNumeric = [...types].every((type) => NUMBERS.includes(type));
    const isAny = fixed.length === 0 || types.has("json");
    const type = types.size <= 1 ? first : isNumeric ? "number" : "json";
    if (type === "json" && (!isAny || types.has("timestamp") || types.has("boolean"))) {
      throw refused(`Values of different types: ${[...types].join(", ")}`, span);
    }
    return { type, sql: values.map((value) => this.as(value, type)) };
  }

  #beyond(of: Expression, scope: Scope, clause: Clause): Value {
    if (of.kind === "query") return this.#subquery(of.query, scope, "value");
    if (of.kind === "exists") return condition(`EXISTS ${this.#subquery(of.query, scope, "table").sql}`);
    if (of.kind === "cast") return this.#cast(of, scope, clause);
    if (of.kind !== "case") throw notRun("this expression", of);
    const base = of.base && this.compile(of.base, scope, clause);
    const tests = of.branches.map(([when]) =>
      base === undefined
        ? this.condition(when, scope, clause)
        : this.#compare("=", base, this.compile(when, scope, clause), when),
    );
    const results = [...of.branches.map(([, then]) => then), ...(of.otherwise === undefined ? [] : [of.otherwise])];
    const { type, sql } = this.#alike(
      results.map((result) => this.compile(result, scope, clause)),
      of,
    );
    const branches = tests.map((test, at) => `WHEN ${test} THEN ${sql[at]}`).join(" ");
    const last = of.otherwise === undefined ? "" : ` ELSE ${sql.at(-1)}`;
    return { type, sql: `CASE ${branches}${last} END` };
  }

  #cast({ of, type, ...span }: Extract<Expression, { kind: "cast" }>, scope: Scope, clause: Clause): Value {
    const wanted = CASTS.get(type.toUpperCase());
    if (wanted === undefined) throw notRun(`CAST to ${shortened(type)}`, span);
    const text = this.#text(of, scope, clause);
    if (wanted === "string") return { type: wanted, sql: `(${text})` };
    return { type: wanted, sql: `CAST(${text} AS ${wanted === "integer" ? "INTEGER" : "REAL"})` };
  }

  #call(of: Extract<Expression, { kind: "call" }>, scope: Scope, clause: Clause): Value {
    if (isAggregate(of)) return this.#aggregate(of, scope, clause);
    if (of.star || of.distinct) throw refused(`${shortened(of.name)} takes values only`, of);
    const { name, args } = of;
    const all = (): readonly Value[] => args.map((arg) => this.compile(arg, scope, clause));
    const [first, second] = args;
    if (name === "coalesce" && first !== undefined) {
      const { type, sql } = this.#alike(all(), of);
      return { type, sql: second === undefined ? `(${sql[0]})` : `coalesce(${sql.join(", ")})` };
    }
    if (name === "has_tag") return this.#hasTag(of, scope);
    this.gaps.add(sqlGaps.subset);
    if ((name === "min" || name === "max") && second !== undefined) {
      const { type, sql } = this.#alike(all(), of);
      return { type, sql: `${name}(${sql.join(", ")})` };
    }
    if (name === "nullif" && first !== undefined && second !== undefined && args.length === 2) {
      const { type, sql } = this.#alike(all(), of);
      return { type, sql: `nullif(${sql.join(", ")})` };
    }
    const isText = name === "lower" || name === "upper" || name === "length";
    if (isText && first !== undefined && args.length === 1) {
      return { type: name === "length" ? "integer" : "string", sql: `${name}(${this.#text(first, scope, clause)})` };
    }
    const most = name === "round" ? 2 : name === "abs" ? 1 : 0;
    if (first === undefined || args.length > most) throw unknownFunction(of);
    return { type: "number", sql: `${name}(${args.map((arg) => this.#number(arg, scope, clause)).join(", ")})` };
  }

  #aggregate(of: Extract<Expression, { kind: "call" }>, scope: Scope, clause: Clause): Value {
    const { name, args, star, distinct } = of;
    if (clause !== "item" && clause !== "having" && clause !== "order") {
      throw refused(`The aggregate ${name} cannot be used here`, of);
    }
    if (star && name !== "count") throw refused(`${name} takes one value`, of);
    const [arg] = args;
    if (arg === undefined) return { type: "integer", sql: "count(*)" };
    const each = distinct ? "DISTINCT " : "";
    if (distinct) this.gaps.add(sqlGaps.subset);
    if (name === "sum" || name === "avg") {
      return { type: "number", sql: `${name}(${each}${this.#number(arg, scope, "aggregate")})` };
    }
    const value = this.compile(arg, scope, "aggregate");
    if (name !== "count") return { type: value.type, sql: `${name}(${this.sql(value)})` };
    const counted = distinct && value.column?.isValue === true ? value.column.sql("json") : this.sql(value);
    return { type: "integer", sql: `count(${each}${counted})` };
  }

  #hasTag(of: Extract<Expression, { kind: "call" }>, scope: Scope): Value {
    this.gaps.add(sqlGaps.hasTag);
    const tagged = scope.sources.filter(({ kind }) => kind === "devices" || kind === "entities");
    const [source] = tagged;
    if (source === undefined || tagged.length > 1) throw refused("has_tag needs one table of devices or entities", of);
    const constants = of.args.map((arg) => this.constantOf(arg, "where"));
    const [key, value] = constants.map((constant) => constant && this.bind(stored(constant, "string")));
    if (key === undefined || value === undefined || of.args.length !== 2) throw refused("has_tag takes 2 strings", of);
    const tags = source.find("tags")?.sql("plain");
    const test = `t.value ->> '$.key' = ${key} AND t.value ->> '$.value' = ${value}`;
    return condition(`EXISTS (SELECT 1 FROM json_each(${tags}) AS t WHERE ${test})`);
  }
}

type Triple = [Value, Value, Value];

/** `true` and `false` as strings. */
const word = (sql: string): string => `CASE ${sql} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`;

const condition = (sql: string): Value => ({ type: "boolean", sql });

const unknownFunction = (of: Extract<Expression, { kind: "call" }>): Error => {
  return refused(`Unknown function ${shortened(of.name)}`, of);
};
