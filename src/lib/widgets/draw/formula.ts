const MAX_LENGTH = 1_000;
const MAX_DEPTH = 60;
const TOKEN = /\s*(?:(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+)|(\$VALUE\$)|([a-z]\w*)|([-+*/%^(),]))/iy;

const functions: Readonly<Record<string, (...values: number[]) => number>> = Object.assign(Object.create(null), {
  abs: Math.abs,
  ceil: Math.ceil,
  cos: Math.cos,
  exp: Math.exp,
  floor: Math.floor,
  log: Math.log,
  log10: Math.log10,
  max: Math.max,
  min: Math.min,
  pow: (base: number, exponent: number): number => base ** exponent,
  round: Math.round,
  sin: Math.sin,
  sqrt: Math.sqrt,
  tan: Math.tan,
});

const constants: Readonly<Record<string, number>> = Object.assign(Object.create(null), { pi: Math.PI, e: Math.E });

/**
 * The result of a formula such as `$VALUE$ * 1.8 + 32`: numbers, `$VALUE$`, `+ - * / % ^`, parentheses and functions
 * of `Math`. Undefined for anything else, and when the result is no finite number.
 */
export function calculate(formula: string, value: number): number | undefined {
  const tokens = tokensOf(formula);
  if (tokens === undefined) return undefined;
  try {
    const result = new Reader(tokens, value).whole();
    return Number.isFinite(result) ? result : undefined;
  } catch {
    return undefined;
  }
}

function tokensOf(formula: string): readonly string[] | undefined {
  const text = formula.trim();
  if (text === "" || text.length > MAX_LENGTH) return undefined;
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (found === null) return undefined;
    tokens.push(found[0].trim());
  }
  return tokens;
}

class Reader {
  private next = 0;
  private depth = 0;
  private readonly tokens: readonly string[];
  private readonly value: number;

  constructor(tokens: readonly string[], value: number) {
    this.tokens = tokens;
    this.value = value;
  }

  whole(): number {
    const result = this.sum();
    if (this.next < this.tokens.length) throw new Error("unexpected token");
    return result;
  }

  private take(...wanted: readonly string[]): string | undefined {
    const token = this.tokens[this.next];
    if (token === undefined || !wanted.includes(token)) return undefined;
    this.next += 1;
    return token;
  }

  private expect(token: string): void {
    if (this.take(token) === undefined) throw new Error(`${token} is missing`);
  }

  private sum(): number {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new Error("nested too deeply");
    let left = this.product();
    for (let sign = this.take("+", "-"); sign !== undefined; sign = this.take("+", "-")) {
      left = sign === "+" ? left + this.product() : left - this.product();
    }
    this.depth -= 1;
    return left;
  }

  private product(): number {
    let left = this.signed();
    for (let sign = this.take("*", "/", "%"); sign !== undefined; sign = this.take("*", "/", "%")) {
      const right = this.signed();
      if (sign === "*") left *= right;
      else left = sign === "/" ? left / right : left % right;
    }
    return left;
  }

  private signed(): number {
    let sign = 1;
    for (let found = this.take("+", "-"); found !== undefined; found = this.take("+", "-"))
      if (found === "-") sign = -sign;
    return sign * this.power();
  }

  private power(): number {
    const base = this.atom();
    if (this.take("^") === undefined) return base;
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new Error("nested too deeply");
    const exponent = this.signed();
    this.depth -= 1;
    return base ** exponent;
  }

  private atom(): number {
    const token = this.tokens[this.next];
    this.next += 1;
    if (token === undefined) throw new Error("unexpected end");
    if (token === "(") {
      const inner = this.sum();
      this.expect(")");
      return inner;
    }
    if (token.toUpperCase() === "$VALUE$") return this.value;
    const name = token.toLowerCase();
    const call = functions[name];
    if (call !== undefined) return call(...this.values());
    const number = constants[name] ?? Number(token);
    if (Number.isNaN(number)) throw new Error("unknown word");
    return number;
  }

  private values(): number[] {
    this.expect("(");
    const values = [this.sum()];
    while (this.take(",") !== undefined) values.push(this.sum());
    this.expect(")");
    return values;
  }
}
