import type { Gap } from "../core/gap.ts";
import type { Schema } from "../entities/fields.ts";
import type { SqlInput } from "../store/types.ts";
import { Expressions, isAggregate, type Session, type Values } from "./expressions.ts";
import { filterOf, sourceOf, TableLoad } from "./loads.ts";
import { invalidParam, MAX_FLEET, MAX_ROWS, notRun, refused, type Span, shortened, sqlGaps } from "./refusals.ts";
import {
  findColumn,
  findNamed,
  findSource,
  isSelectOnly,
  type Scope,
  type SourceColumn,
  type SourceScope,
  type Value,
} from "./scope.ts";
import { type Expression, isQuery, type OrderTerm, partsOf, type Query, type Select, type Source } from "./syntax.ts";
import { columnsOf, TABLES, type TableForm } from "./tables.ts";

/** Most tables of a statement. */
const MAX_TABLES = 20;
const MAX_PAIRS = 5;

/** A column of a result. */
export interface ResultColumn {
  readonly name: string;
  readonly type: Value["type"];
  /** How a value of the database is read. */
  readonly form: "plain" | "boolean" | "timestamp" | "json" | "value";
}

/** A statement that can be run. */
export interface CompiledStatement {
  readonly sql: string;
  readonly bound: readonly SqlInput[];
  readonly loads: readonly TableLoad[];
  readonly columns: readonly ResultColumn[];
  readonly gaps: ReadonlySet<Gap>;
  readonly hasJoin: boolean;
}

export interface CompileInput {
  readonly values: Values;
  readonly session: Session;
  /** The schema of an entity by the arguments of its table; undefined where it is not known. */
  schemaOf?(form: TableForm, args: readonly (string | null)[]): Schema | undefined;
}

/** An item of a SELECT: a column as it is, or a computed value. */
interface Selected {
  readonly name: string;
  readonly of?: Expression;
  readonly value: Value;
}

/** How a query is used: as the result, as a table, or as one value. */
type Use = "result" | "table" | "value";

interface CompiledQuery {
  readonly sql: string;
  readonly columns: readonly Selected[];
}

/** A query of WITH. */
interface With {
  readonly table: string;
  readonly columns: readonly Selected[];
}

type Withs = ReadonlyMap<string, With>;

/** Compiles a statement for the database that its tables are copied to. */
export function compileStatement(query: Query, input: CompileInput): CompiledStatement {
  const compiler = new Compiler(input);
  const { sql, columns } = compiler.query(query, "result", undefined, new Map());
  const { loads, expressions, hasJoin } = compiler;
  return {
    sql,
    bound: expressions.bound,
    loads,
    columns: columns.map(({ name, value }) => ({ name, type: value.type, form: formOf(value) })),
    gaps: expressions.gaps,
    hasJoin,
  };
}

function formOf({ type, column }: Value): ResultColumn["form"] {
  if (type === "boolean" || type === "timestamp") return type;
  if (type !== "json") return "plain";
  return column !== undefined && (column.isValue || isSelectOnly(column)) ? "json" : "value";
}

class Compiler {
  readonly loads: TableLoad[] = [];
  readonly expressions: Expressions;
  hasJoin = false;
  readonly #input: CompileInput;
  #names = 0;
  #withs: Withs = new Map();

  constructor(input: CompileInput) {
    this.#input = input;
    this.expressions = new Expressions(input.values, input.session, (query, scope, use) => {
      const { sql, columns } = this.query(query, use, scope, this.#withs);
      const [only] = columns;
      return { type: only?.value.type ?? "null", sql: `(${sql})` };
    });
  }

  #name(): string {
    this.#names += 1;
    return `s${this.#names}`;
  }

  query(query: Query, use: Use, parent: Scope | undefined, withs: Withs): CompiledQuery {
    const outer = this.#withs;
    const { sql, all } = this.#compileWiths(query, withs);
    this.#withs = all;
    const [first] = query.selects;
    const isSimple = query.selects.length === 1 && first?.distinct === false;
    const compiled = isSimple ? this.#simple(query, first, use, parent) : this.#wrapped(query, use, parent);
    this.#withs = outer;
    return { ...compiled, sql: `${sql}${compiled.sql}` };
  }

  #compileWiths({ withs }: Query, outer: Withs): { readonly sql: string; readonly all: Withs } {
    const all = new Map(outer);
    const parts = withs.map(({ name, query }) => {
      this.expressions.gaps.add(sqlGaps.subset);
      const { sql, columns } = this.query(query, "table", undefined, all);
      const table = this.#name();
      all.set(name.toLowerCase(), { table, columns });
      return `${table} AS (${sql})`;
    });
    return { sql: parts.length === 0 ? "" : `WITH ${parts.join(", ")} `, all };
  }

  /** One SELECT whose rows are sorted and limited. */
  #simple(query: Query, select: Select, use: Use, parent: Scope | undefined): CompiledQuery {
    const { sql, columns, scope } = this.#select(select, use, parent);
    const isGrouped = isGroupedBy(select);
    const term = ({ of }: OrderTerm): string => {
      const named = of.kind === "column" && of.table === undefined ? findNamed(columns, of.name) : undefined;
      const chosen = positionOf(of, columns) ?? named;
      if (chosen !== undefined) {
        if (chosen.value.column && isSelectOnly(chosen.value.column))
          throw refused(`${chosen.name} can only be selected`, of);
        return this.expressions.sql(chosen.value);
      }
      if (isGrouped) this.#checkGrouped(of, select, scope);
      return this.expressions.sql(this.expressions.compile(of, scope, "order"));
    };
    return { columns, sql: `${sql}${this.#tail(query, use, term)}` };
  }

  /** SELECT DISTINCT and UNION: sorted and limited by the columns of their result. */
  #wrapped(query: Query, use: Use, parent: Scope | undefined): CompiledQuery {
    this.expressions.gaps.add(sqlGaps.subset);
    const parts = query.selects.map((select) => this.#select(select, "table", parent));
    const [first] = parts;
    if (first === undefined) throw notRun("an empty query", query);
    const different = parts.find(({ columns }) => columns.map(shape).join() !== first.columns.map(shape).join());
    if (different !== undefined)
      throw refused("The parts of UNION must have the same columns, of the same types", query);
    const words = query.unionAll.map((all) => (all ? " UNION ALL " : " UNION "));
    const inner = parts.map(({ sql }, at) => `${at === 0 ? "" : words[at - 1]}${sql}`).join("");
    const name = this.#name();
    const source = derived(first.columns, "", name);
    const columns = source.columns.map((column): Selected => ({ name: column.name, value: asValue(column) }));
    const keys = first.columns.map(({ of }) => of && this.#key(of, first.scope));
    const term = ({ of }: OrderTerm): string => {
      const isOwn = query.selects.length === 1 && !(of.kind === "column" && of.table === undefined);
      const named = of.kind === "column" && of.table === undefined ? findNamed(columns, of.name) : undefined;
      const key = isOwn && positionOf(of, columns) === undefined ? this.#key(of, first.scope) : undefined;
      const same = key === undefined ? undefined : columns[keys.indexOf(key)];
      const found = positionOf(of, columns) ?? named ?? same;
      if (found === undefined) throw refused("ORDER BY must name a column of the result here", of);
      return this.expressions.sql(found.value);
    };
    const sql = `SELECT ${this.#cells(columns, use)} FROM (${inner}) AS ${name}`;
    return { columns, sql: `${sql}${this.#tail(query, use, term)}` };
  }

  #tail({ orderBy, limit, offset }: Query, use: Use, term: (of: OrderTerm) => string): string {
    const order = orderBy.map((one) => `${term(one)} ${one.isDescending ? "DESC" : "ASC"} NULLS LAST`);
    const most = limit === undefined ? undefined : this.#amount(limit);
    const first = offset === undefined ? 0 : (this.#amount(offset) ?? 0);
    if (offset !== undefined) this.expressions.gaps.add(sqlGaps.subset);
    // One more than the most, to notice that there are more.
    const all = use === "result" ? Math.min(most ?? MAX_ROWS + 1, MAX_ROWS + 1) : (most ?? -1);
    const cut = all < 0 && first === 0 ? "" : ` LIMIT ${all} OFFSET ${first}`;
    return `${order.length === 0 ? "" : ` ORDER BY ${order.join(", ")}`}${cut}`;
  }

  /** A number of rows; undefined for a parameter that is not known yet. */
  #amount(of: Expression): number | undefined {
    const constant = this.expressions.constantOf(of, "item");
    if (constant?.key !== undefined && constant.value === undefined) return undefined;
    const amount = Number(constant?.value ?? Number.NaN);
    if (Number.isSafeInteger(amount) && amount >= 0) return amount;
    throw constant?.key === undefined
      ? refused("LIMIT and OFFSET need a whole number", of)
      : invalidParam(constant.key, of);
  }

  #select(select: Select, use: Use, parent: Scope | undefined): CompiledQuery & { readonly scope: Scope } {
    const sources: SourceScope[] = [];
    const scope: Scope = { sources, parent };
    const from = select.from.map((source) => this.#source(source, select, sources, scope));
    if (select.from.length > 1) this.hasJoin = true;
    if (select.from.length > 2 || use !== "result") this.expressions.gaps.add(sqlGaps.subset);
    const selected = this.#items(select, scope);
    const where = select.where && this.expressions.condition(select.where, scope, "where");
    if (use !== "table") checkNames(selected, use, select);
    const groupBy = select.groupBy.map((of) => this.#groupTerm(of, scope, selected));
    if (isGroupedBy(select)) {
      for (const { of } of selected) if (of !== undefined) this.#checkGrouped(of, select, scope);
      if (select.having !== undefined) this.#checkGrouped(select.having, select, scope);
    }
    if (select.having !== undefined) this.expressions.gaps.add(sqlGaps.subset);
    const having = select.having && this.expressions.condition(select.having, scope, "having");
    const parts = [
      `SELECT ${select.distinct ? "DISTINCT " : ""}${this.#cells(selected, use)}`,
      from.length > 0 && `FROM ${from.map((make) => make(where)).join(" ")}`,
      where !== undefined && `WHERE ${where}`,
      groupBy.length > 0 && `GROUP BY ${groupBy.join(", ")}`,
      having !== undefined && `HAVING ${having}`,
    ];
    return { columns: selected, scope, sql: parts.filter((part) => part !== false).join(" ") };
  }

  /** SQL of what is selected: with all parts where expressions read it, else as it is shown. */
  #cells(selected: readonly Selected[], use: Use): string {
    const cells = selected.flatMap(({ value }, at) => {
      const { column } = value;
      if (use === "value") return [this.expressions.sql(value)];
      if (use === "result") return [column?.isValue === true ? column.sql("json") : this.expressions.sql(value)];
      const plain = `${this.expressions.sql(value)} AS o${at}`;
      if (column?.isValue !== true) return [plain];
      return [plain, `${column.sql("json")} AS o${at}j`, `${column.sql("number")} AS o${at}n`];
    });
    return cells.join(", ");
  }

  #items(select: Select, scope: Scope): Selected[] {
    return select.items.flatMap((item, at): Selected[] => {
      if ("all" in item) {
        const sources =
          item.all === undefined ? scope.sources : [findSource({ sources: scope.sources }, item.all, item)];
        if (sources.some(({ kind }) => kind !== undefined && kind !== "rows"))
          this.expressions.gaps.add(sqlGaps.columns);
        return sources.flatMap(({ alias, columns }) =>
          columns.map((column) => ({
            name: column.name,
            of: { kind: "column", table: alias, name: column.name, start: item.start, end: item.end },
            value: asValue(column),
          })),
        );
      }
      const { of, as } = item;
      if (of.kind !== "column") {
        const name = as ?? (of.kind === "call" ? of.name : `column${at + 1}`);
        return [{ name, of, value: this.expressions.compile(of, scope, "item") }];
      }
      const { column } = findColumn(scope, of);
      if (column.isAssumed === true) this.expressions.gaps.add(sqlGaps.columns);
      return [{ name: as ?? column.name, of, value: asValue(column) }];
    });
  }

  /** A column of the tables, a position, or the name of an item. Values of records are grouped as what they are shown. */
  #groupTerm(of: Expression, scope: Scope, selected: readonly Selected[]): string {
    const position = positionOf(of, selected);
    const isColumn =
      of.kind === "column" && (of.table !== undefined || scope.sources.some(({ find }) => find(of.name)));
    const named = of.kind === "column" && !isColumn ? findNamed(selected, of.name) : undefined;
    const chosen = position ?? named;
    if (chosen?.of !== undefined && hasAggregate(chosen.of)) throw refused("An aggregate cannot be in GROUP BY", of);
    const value = chosen?.value ?? this.expressions.compile(of, scope, "group");
    if (value.column && isSelectOnly(value.column)) throw refused(`${value.column.name} can only be selected`, of);
    return value.column?.isValue === true ? value.column.sql("json") : this.expressions.sql(value);
  }

  /** Rejects columns that have no single value in a group. */
  #checkGrouped(of: Expression, select: Select, scope: Scope): void {
    const items = select.items.flatMap((item) => ("of" in item ? [{ name: item.as ?? "", of: item.of }] : []));
    const groups = select.groupBy.map((group) => {
      const position = positionOf(group, items)?.of;
      const isColumn = group.kind === "column" && group.table === undefined;
      const isOfTable = isColumn && scope.sources.some(({ find }) => find(group.name));
      const named = isColumn && !isOfTable ? findNamed(items, group.name)?.of : undefined;
      return this.#key(position ?? named ?? group, scope);
    });
    const check = (part: Expression): void => {
      if (isAggregate(part) || groups.includes(this.#key(part, scope))) return;
      const isOwn = part.kind === "column" && scope.sources.includes(findColumn(scope, part).source);
      if (isOwn) throw refused(`The column ${part.name} must be in GROUP BY or in an aggregate`, part);
      for (const inner of partsOf(part)) check(inner);
    };
    check(of);
  }

  /** The same text for expressions that are the same. */
  #key(of: Expression, scope: Scope): string {
    const plain = (name: string, part: unknown): unknown => {
      if (name === "start" || name === "end") return undefined;
      const isColumn = typeof part === "object" && part !== null && "kind" in part && part.kind === "column";
      return isColumn ? findColumn(scope, part as ColumnNode).column.sql("plain") : part;
    };
    return hasSubquery(of) ? `subquery ${of.start}` : JSON.stringify(of, plain);
  }

  /** Reads a table of FROM. Returns its SQL, once WHERE is known. */
  #source(source: Source, select: Select, sources: SourceScope[], scope: Scope): (where: string | undefined) => string {
    const name = this.#name();
    const { alias, join, on } = source;
    if (sources.some((other) => other.alias.toLowerCase() === alias.toLowerCase())) {
      throw refused(`Two tables have the alias ${shortened(alias)}`, source);
    }
    const { scope: made, table } = this.#table(source, name);
    sources.push(made);
    if (join === "left") this.expressions.gaps.add(sqlGaps.subset);
    const isFirst = sources.length === 1;
    const condition = on && this.expressions.condition(on, { sources: [...sources], parent: scope.parent }, "on");
    const word = isFirst ? "" : join === "left" ? "LEFT JOIN " : "JOIN ";
    const after = ` AS ${name}${condition === undefined ? "" : ` ON ${condition}`}`;
    if (made.kind !== "fleet") {
      const load = this.loads.find((one) => one.table === table);
      // The filter is read when all tables are known.
      return () => {
        if (load?.form.kind === "records") load.filter = filterOf(select.where, scope, made, this.#constant);
        return `${word}${table}${after}`;
      };
    }
    if (select.from.length > 1) throw refused("device_data_by_tag cannot be joined", source);
    return (where) => this.#fleet(where, { select, scope, source: made, name, table }, source) + after;
  }

  /** The value of a constant. While parameters are not known, each is a string and a date. */
  readonly #constant = (of: Expression): unknown =>
    of.kind === "param" && this.#input.values === undefined
      ? "2000-01-01"
      : this.expressions.constantOf(of, "where")?.value;

  /** The newest record of each device that meets the conditions. The last row of a device in its table is the newest. */
  #fleet(where: string | undefined, { select, scope, source, name, table }: FleetParts, span: Span): string {
    const load = this.loads.find((one) => one.table === table);
    const filter = filterOf(select.where, scope, source, this.#constant);
    if (load === undefined || filter.variables === undefined || filter.fromMs === undefined) {
      throw refused("A query of device_data_by_tag needs a condition on variable and a start of time", span);
    }
    load.filter = filter;
    const device = source.find("device")?.sql("plain");
    return `(SELECT ${name}.*, max(${name}.rowid) AS newest FROM ${table} AS ${name} WHERE ${where ?? "1"} GROUP BY ${device} ORDER BY ${device} LIMIT ${MAX_FLEET})`;
  }

  #table(source: Source, name: string): { readonly scope: SourceScope; readonly table: string } {
    const { alias, of } = source;
    if (isQuery(of)) {
      this.expressions.gaps.add(sqlGaps.subset);
      const { sql, columns } = this.query(of, "table", undefined, this.#withs);
      return { scope: derived(columns, alias, name), table: `(${sql})` };
    }
    const wanted = of.name.toLowerCase();
    const known = of.args === undefined ? this.#withs.get(wanted) : undefined;
    if (known !== undefined) return { scope: derived(known.columns, alias, name), table: known.table };
    const form = TABLES.get(wanted);
    if (form === undefined || of.args === undefined) throw refused(`Unknown table ${shortened(of.name)}`, source);
    if (this.loads.length === MAX_TABLES) throw notRun(`a statement of more than ${MAX_TABLES} tables`, source);
    const args = this.#args(wanted, form, of.args, source);
    const load = new TableLoad(wanted, form, args, `t${this.loads.length}`);
    this.loads.push(load);
    if (wanted === "entity_tag") this.expressions.gaps.add(sqlGaps.entityTag);
    const schema = form.kind === "rows" ? this.#input.schemaOf?.(form, args) : undefined;
    const isOpen = form.kind === "rows" && schema === undefined;
    return { scope: sourceOf(load, columnsOf(form.kind, schema), { alias, name, isOpen }), table: load.table };
  }

  #args(name: string, form: TableForm, args: readonly Expression[], span: Span): (string | null)[] {
    const count = form.kind === "fleet" ? `2 to ${2 * MAX_PAIRS}` : String(form.args);
    const misfit = refused(`The table ${name} takes ${count} ${count === "1" ? "string" : "strings"}`, span);
    const fits =
      form.kind === "fleet"
        ? args.length >= 2 && args.length <= 2 * MAX_PAIRS && args.length % 2 === 0
        : args.length === form.args;
    if (!fits) throw misfit;
    if (args.length > 2) this.expressions.gaps.add(sqlGaps.pairs);
    return args.map((arg) => {
      const value = this.#argument(arg);
      if (value === undefined && this.#input.values === undefined) return null;
      if (typeof value !== "string" && (value !== null || !form.isByTag)) throw misfit;
      return value;
    });
  }

  /** A string, a parameter, a session function, or COALESCE of these; `undefined` for all else. */
  #argument(of: Expression): string | null | undefined {
    if (of.kind === "call" && of.name === "coalesce") {
      const values = of.args.map((arg) => this.#argument(arg));
      return values.includes(undefined) ? undefined : (values.find((value) => value !== null) ?? null);
    }
    const value = this.expressions.constantOf(of, "table")?.value;
    if (of.kind === "param" && typeof value === "number") return String(value);
    return typeof value === "string" || (value === null && of.kind === "call") ? value : undefined;
  }
}

type ColumnNode = Extract<Expression, { kind: "column" }>;

interface FleetParts {
  readonly select: Select;
  readonly scope: Scope;
  readonly source: SourceScope;
  readonly name: string;
  readonly table: string;
}

const asValue = (column: SourceColumn): Value => ({ type: column.type, sql: column.sql("plain"), column });

/** What must be alike in the columns of the parts of UNION. */
const shape = ({ value }: Selected): string => `${value.type === "integer" ? "number" : value.type} ${formOf(value)}`;

const hasSubquery = (of: Expression): boolean =>
  of.kind === "query" ||
  of.kind === "exists" ||
  (of.kind === "in" && isQuery(of.choices)) ||
  partsOf(of).some(hasSubquery);

const hasAggregate = (of: Expression): boolean => isAggregate(of) || partsOf(of).some(hasAggregate);

function isGroupedBy({ groupBy, having, items }: Select): boolean {
  return groupBy.length > 0 || having !== undefined || items.some((item) => "of" in item && hasAggregate(item.of));
}

/** The item whose position is written: `ORDER BY 2`. */
function positionOf<One>(of: Expression, items: readonly One[]): One | undefined {
  if (of.kind !== "literal" || typeof of.value !== "number") return undefined;
  const item = items[of.value - 1];
  if (item === undefined) throw refused(`The result has no column ${of.value}`, of);
  return item;
}

/** The result of a query as a table. */
function derived(columns: readonly Selected[], alias: string, name: string): SourceScope {
  const all = columns.map(({ name: own, value }, at): SourceColumn => {
    const isValue = value.column?.isValue === true;
    const isOnly = value.column !== undefined && isSelectOnly(value.column);
    return {
      name: own,
      type: value.type === "null" ? "string" : value.type,
      isValue: isValue || (value.type === "json" && !isOnly),
      sql: (part) => {
        const plain = `${name}.o${at}`;
        if (part === "plain") return plain;
        if (isValue) return `${plain}${part === "json" ? "j" : "n"}`;
        if (part === "number") return `CASE WHEN typeof(${plain}) <> 'text' THEN ${plain} END`;
        return `CASE WHEN ${plain} IN ('true', 'false') THEN ${plain} ELSE json_quote(${plain}) END`;
      },
    };
  });
  return { alias, columns: all, find: (wanted) => findNamed(all, wanted) };
}

function checkNames(selected: readonly Selected[], use: Use, select: Select): void {
  const [first] = select.items;
  if (use === "value" && selected.length !== 1) throw refused("A subquery must have one column here", first);
  const twice = selected.find(({ name }, at) => selected.findIndex((other) => other.name === name) !== at);
  if (twice !== undefined)
    throw refused(`Two columns are named ${shortened(twice.name)}: rename one with AS`, twice.of);
}
