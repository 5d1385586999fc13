import { Reader } from "./reader.ts";
import { notRun, refused, type Span } from "./refusals.ts";
import type { Expression, Item, OrderTerm, Query, Select, Source } from "./syntax.ts";

const COMPARISONS = ["=", "<>", "!=", "<=", ">=", "<", ">"] as const;
/** Arithmetic, the loosest first. */
const LEVELS = [["||"], ["+", "-"], ["*", "/", "%"]] as const;
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ["NULL", null],
  ["TRUE", true],
  ["FALSE", false],
]);
/** Longest chain of one level of arithmetic. */
const MAX_CHAIN = 100;

/**
 * Parses a SELECT. The grammar is all that ever reaches the database: what is not in it is rejected.
 *
 * @throws StatementError 501 for what it does not know, 400 for what the platform certainly rejects
 */
export function parseStatement(query: string): Query {
  const parser = new Parser(query);
  return parser.statement();
}

class Parser {
  readonly #reader: Reader;

  constructor(query: string) {
    this.#reader = new Reader(query);
  }

  statement(): Query {
    const reader = this.#reader;
    const query = this.#query();
    while (reader.takeSign(";"));
    if (reader.peek().kind !== "end") throw reader.unexpected();
    return query;
  }

  #query(): Query {
    const reader = this.#reader;
    return reader.nested(() => {
      const first = reader.peek();
      const withs = reader.take("WITH") ? reader.list(() => this.#with()) : [];
      const selects = [this.#select()];
      const unionAll: boolean[] = [];
      while (reader.take("UNION")) {
        unionAll.push(reader.take("ALL"));
        selects.push(this.#select());
      }
      const orderBy = reader.take("ORDER", "BY") ? reader.list(() => this.#orderTerm()) : [];
      const limit = reader.take("LIMIT") ? this.#expression() : undefined;
      const offset = reader.take("OFFSET") ? this.#expression() : undefined;
      return {
        withs,
        selects,
        unionAll,
        orderBy,
        ...(limit !== undefined && { limit }),
        ...(offset !== undefined && { offset }),
        ...reader.spanFrom(first),
      };
    });
  }

  #with(): Query["withs"][number] {
    const reader = this.#reader;
    if (reader.isWord("RECURSIVE")) throw refused("WITH RECURSIVE is not allowed", reader.peek());
    const name = reader.name();
    reader.need("AS");
    return { name, query: this.#inParentheses(() => this.#query()) };
  }

  #inParentheses<Part>(read: () => Part): Part {
    this.#reader.needSign("(");
    const part = read();
    this.#reader.needSign(")");
    return part;
  }

  #select(): Select {
    const reader = this.#reader;
    reader.need("SELECT");
    const distinct = reader.take("DISTINCT");
    const items = reader.list(() => this.#item());
    const from = reader.take("FROM") ? this.#from() : [];
    const where = reader.take("WHERE") ? this.#expression() : undefined;
    const groupBy = reader.take("GROUP", "BY") ? reader.list(() => this.#expression()) : [];
    const having = reader.take("HAVING") ? this.#expression() : undefined;
    return {
      distinct,
      items,
      from,
      groupBy,
      ...(where !== undefined && { where }),
      ...(having !== undefined && { having }),
    };
  }

  #item(): Item {
    const reader = this.#reader;
    const first = reader.peek();
    if (reader.takeSign("*")) return { all: undefined, ...reader.spanFrom(first) };
    if (reader.isName() && reader.isSign(".", 1) && reader.isSign("*", 2)) {
      const all = reader.name();
      reader.next();
      reader.next();
      return { all, ...reader.spanFrom(first) };
    }
    const of = this.#expression();
    const as = reader.take("AS") ? this.#newName() : undefined;
    return { of, ...(as !== undefined && { as }), ...reader.spanFrom(first) };
  }

  /** After AS every word is a name. */
  #newName(): string {
    const { kind } = this.#reader.peek();
    if (kind !== "word" && kind !== "name") throw this.#reader.unexpected();
    return this.#reader.next().text;
  }

  #from(): Source[] {
    const reader = this.#reader;
    const sources = [this.#source("inner")];
    for (;;) {
      if (reader.takeSign(",")) sources.push(this.#source("inner"));
      else if (reader.take("CROSS", "JOIN")) sources.push(this.#source("inner"));
      else if (reader.take("LEFT", "OUTER", "JOIN") || reader.take("LEFT", "JOIN")) sources.push(this.#joined("left"));
      else if (reader.take("INNER", "JOIN") || reader.take("JOIN")) sources.push(this.#joined("inner"));
      else return sources;
    }
  }

  #joined(join: Source["join"]): Source {
    const source = this.#source(join);
    this.#reader.need("ON");
    return { ...source, on: this.#expression() };
  }

  #source(join: Source["join"]): Source {
    const reader = this.#reader;
    const first = reader.peek();
    const of = reader.isSign("(") ? this.#inParentheses(() => this.#query()) : this.#table();
    const span = reader.spanFrom(first);
    if (!reader.take("AS")) throw refused("All tables must have an alias (use AS)", span);
    return { join, of, alias: this.#newName(), ...span };
  }

  #table(): { name: string; args?: readonly Expression[] } {
    const reader = this.#reader;
    const name = reader.name();
    if (!reader.takeSign("(")) return { name };
    const args = reader.isSign(")") ? [] : reader.list(() => this.#expression());
    reader.needSign(")");
    return { name, args };
  }

  #orderTerm(): OrderTerm {
    const of = this.#expression();
    const isDescending = this.#reader.take("DESC");
    if (!isDescending) this.#reader.take("ASC");
    return { of, isDescending };
  }

  #expression(): Expression {
    return this.#reader.nested(() => this.#series("OR", () => this.#series("AND", () => this.#negation())));
  }

  #series(word: "AND" | "OR", read: () => Expression): Expression {
    const first = this.#reader.peek();
    const part = read();
    const parts = [part];
    while (this.#reader.take(word)) parts.push(read());
    return parts.length === 1 ? part : { kind: "logic", word, parts, ...this.#reader.spanFrom(first) };
  }

  #negation(): Expression {
    const first = this.#reader.peek();
    if (!this.#reader.take("NOT")) return this.#condition();
    const of = this.#reader.nested(() => this.#negation());
    return { kind: "unary", sign: "NOT", of, ...this.#reader.spanFrom(first) };
  }

  #condition(): Expression {
    const reader = this.#reader;
    const first = reader.peek();
    const left = this.#arithmetic();
    const sign = COMPARISONS.find((one) => reader.takeSign(one));
    if (sign !== undefined) {
      const right = this.#arithmetic();
      return { kind: "binary", sign: sign === "!=" ? "<>" : sign, left, right, ...reader.spanFrom(first) };
    }
    const isNull = reader.take("IS");
    const isNot = reader.take("NOT");
    const test = isNull ? this.#nullTest(left) : this.#test(left);
    if (test === undefined && isNot) throw reader.unexpected();
    const condition: Expression = test === undefined ? left : { ...test, ...reader.spanFrom(first) };
    return isNot ? { kind: "unary", sign: "NOT", of: condition, ...reader.spanFrom(first) } : condition;
  }

  #nullTest(of: Expression): Expression {
    this.#reader.need("NULL");
    return { kind: "null", of, start: of.start, end: of.end };
  }

  /** IN, BETWEEN or LIKE after the value they test. */
  #test(of: Expression): Expression | undefined {
    const reader = this.#reader;
    const { start, end } = of;
    if (reader.take("IN")) {
      const choices = this.#inParentheses(() =>
        reader.isWord("SELECT") || reader.isWord("WITH") ? this.#query() : reader.list(() => this.#expression()),
      );
      return { kind: "in", of, choices, start, end };
    }
    if (reader.take("BETWEEN")) {
      const low = this.#arithmetic();
      reader.need("AND");
      return { kind: "between", of, low, high: this.#arithmetic(), start, end };
    }
    if (!reader.take("LIKE")) return undefined;
    return { kind: "binary", sign: "LIKE", left: of, right: this.#arithmetic(), start, end };
  }

  #arithmetic(level = 0): Expression {
    const reader = this.#reader;
    const signs = LEVELS[level];
    if (signs === undefined) return this.#factor();
    const first = reader.peek();
    let left = this.#arithmetic(level + 1);
    for (let length = 0; ; length += 1) {
      const sign = signs.find((one) => reader.takeSign(one));
      if (sign === undefined) return left;
      if (length === MAX_CHAIN) throw notRun(`a chain of more than ${MAX_CHAIN} signs`, reader.peek());
      left = { kind: "binary", sign, left, right: this.#arithmetic(level + 1), ...reader.spanFrom(first) };
    }
  }

  #factor(): Expression {
    const reader = this.#reader;
    const first = reader.peek();
    if (reader.takeSign("-")) {
      const of = reader.nested(() => this.#factor());
      const span = reader.spanFrom(first);
      if (of.kind === "literal" && typeof of.value === "number") return { ...of, value: -of.value, ...span };
      return { kind: "unary", sign: "-", of, ...span };
    }
    if (reader.isSign("(")) {
      return this.#inParentheses(() => {
        const isQuery = reader.isWord("SELECT") || reader.isWord("WITH");
        return isQuery ? { kind: "query", query: this.#query(), ...reader.spanFrom(first) } : this.#expression();
      });
    }
    return this.#literal() ?? this.#form() ?? this.#columnOrCall();
  }

  #literal(): Expression | undefined {
    const reader = this.#reader;
    const { kind, text, start, end } = reader.peek();
    const known = kind === "word" ? CONSTANTS.get(text.toUpperCase()) : undefined;
    const value = kind === "text" ? text : kind === "number" ? Number(text) : known;
    if (kind !== "param" && (value === undefined || value === Number.POSITIVE_INFINITY)) return undefined;
    reader.next();
    if (kind === "param") return { kind, key: text, start, end };
    return value === undefined ? undefined : { kind: "literal", value, start, end };
  }

  /** CASE, CAST and EXISTS. */
  #form(): Expression | undefined {
    const reader = this.#reader;
    const first = reader.peek();
    if (reader.take("CASE")) return this.#case(first);
    if (reader.isSign("(", 1) && reader.take("CAST")) {
      return this.#inParentheses(() => {
        const of = this.#expression();
        reader.need("AS");
        return { kind: "cast", of, type: this.#newName(), ...reader.spanFrom(first) };
      });
    }
    if (!reader.isSign("(", 1) || !reader.take("EXISTS")) return undefined;
    return this.#inParentheses(() => ({ kind: "exists", query: this.#query(), ...reader.spanFrom(first) }));
  }

  #case(first: Span): Expression {
    const reader = this.#reader;
    const base = reader.isWord("WHEN") ? undefined : this.#expression();
    const branches: [Expression, Expression][] = [];
    while (branches.length === 0 || reader.isWord("WHEN")) {
      reader.need("WHEN");
      const when = this.#expression();
      reader.need("THEN");
      branches.push([when, this.#expression()]);
    }
    const otherwise = reader.take("ELSE") ? this.#expression() : undefined;
    reader.need("END");
    return {
      kind: "case",
      branches,
      ...(base !== undefined && { base }),
      ...(otherwise !== undefined && { otherwise }),
      ...reader.spanFrom(first),
    };
  }

  #columnOrCall(): Expression {
    const reader = this.#reader;
    const first = reader.peek();
    const name = reader.name();
    if (reader.isSign("(") && first.kind === "word") return this.#call(name, first);
    if (!reader.takeSign(".")) return { kind: "column", name, start: first.start, end: first.end };
    return { kind: "column", table: name, name: this.#newName(), ...reader.spanFrom(first) };
  }

  #call(name: string, first: Span): Expression {
    const reader = this.#reader;
    const call = this.#inParentheses(() => {
      const star = reader.takeSign("*");
      const distinct = !star && reader.take("DISTINCT");
      const args = star || reader.isSign(")") ? [] : reader.list(() => this.#expression());
      return { star, distinct, args };
    });
    const span = reader.spanFrom(first);
    if (reader.isWord("OVER")) throw refused("Window functions are not allowed", reader.peek());
    return { kind: "call", name: name.toLowerCase(), ...call, ...span };
  }
}
