import ts from "typescript";

/** The least that a guard against what hangs may be, milliseconds: anything shorter may fail on a busy machine. */
const LEAST_GUARD_MS = 20_000;

const CLOCKS =
  /^(Date\.now|performance\.now|process\.(hrtime|hrtime\.bigint|uptime|cpuUsage|threadCpuUsage|resourceUsage))$/;
/** Functions and methods whose result is a time when they are called with one, or on one. */
const PASSES_ON =
  /^(Number|BigInt|Number\.parseFloat|Math\.\w+)$|\.(getTime|valueOf|at|toFixed|max|min|sort|toSorted)$/;
/** Names that say how long something took. */
const TOOK = /^(elapsed|took|lasted|lingered|waited)|(Elapsed|Took|Lasted|Lingered|Waited)/;
/** Names of some time, which counts where the file does not show that it comes from no clock. */
const DURATION = /(Ms|Millis|Seconds|[dD]uration|[lL]atency)$/;
const UPPER = /^toBeLessThan(OrEqual)?$/;
const LOWER = /^toBeGreaterThan(OrEqual)?$/;
const AROUND = /^(toBeCloseTo|closeTo)$/;
const COMPARISONS = new Set([
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);
/** Calls that end a test, a wait or a program after a time. */
const GUARDED =
  /^(it|test|describe|beforeAll|beforeEach|afterAll|afterEach)(\.|$)|^(waitFor|until|runCli|startCli|shell|startTerminal)$|(^|\.)(exec|spawn)\w*$|\.(poll|waitFor\w*|waitUntil)$/;
const LASTING = /^AbortSignal\.timeout$|\.setDefault(Navigation)?Timeout$/;
/** Parameters with a default. */
const LIMIT = /^(timeout|limit|patience|deadline)(Ms)?$/i;
const ENDS = /\b(reject|throw|fail)\b|\.kill\(/;
const TIMERS = /\b(setTimeout|pause|sleep|delay)\(|AbortSignal\.timeout/;

const CLOCK_TEXT = /Date\.now|performance\.now|hrtime|cpuUsage|uptime|resourceUsage|new Date\(\)/;
const JUDGING_TEXT = /toBe(Less|Greater|Close)|closeTo|^(?!\s*for \().*[\w)\]] [<>]=? [\w(]/m;
const NAMED_TEXT =
  /(Ms|Millis|Seconds|[dD]uration|[lL]atency|[eE]lapsed\w*|[tT]ook\w*|[lL]asted\w*|[lL]ingered\w*|[wW]aited\w*)\)\s*\.(not\.)?toBe(Less|Greater)/;
/** Less than 20,000, or a constant, which may be. */
const SHORT = "(\\d{1,5}|1?\\d_\\d{3}|[A-Z_]{3,})\\b";
const GUARD_TEXT = new RegExp(
  [
    "vi\\.wait|Promise\\.race|AbortSignal\\.timeout|\\.setDefault",
    "setTimeout\\([^;]*(reject|throw|fail|kill)",
    `\\btimeout: ${SHORT}|(timeout|limit|patience|deadline)(Ms)? = ${SHORT}`,
    `\\b(waitFor|until|runCli|shell|poll)\\(.*, ${SHORT}\\)`,
    `\\},\\s*${SHORT},?\\s*\\);`,
    `,\\n\\s+${SHORT},?\\n\\s*\\)`,
  ].join("|"),
);

/** Whether a file can have anything to report: to parse those that cannot would take most of the time. */
const mayJudge = (text: string): boolean =>
  (CLOCK_TEXT.test(text) && JUDGING_TEXT.test(text)) || NAMED_TEXT.test(text) || GUARD_TEXT.test(text);

/** A place where the time of the machine decides a test. */
export interface TimeLimit {
  readonly line: number;
  readonly what: string;
}

/** Values that a name is given, by the block it is declared in. */
type Scopes = Map<ts.Node, Map<string, ts.Expression[]>>;

function scopeOf(node: ts.Node): ts.Node {
  let at = node.parent;
  while (!ts.isBlock(at) && !ts.isSourceFile(at) && !ts.isFunctionLike(at) && !ts.isIterationStatement(at, false))
    at = at.parent;
  return at;
}

/** The values of a name where it is used; undefined for parameters, imports and globals. */
function valuesOf(scopes: Scopes, { text }: ts.Identifier, place: ts.Node): ts.Expression[] | undefined {
  for (let at: ts.Node | undefined = place; at !== undefined; at = at.parent) {
    const found = scopes.get(at)?.get(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

function namesIn(name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)));
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** `Date.now`, `it.each` of `it.each(cases)`; `.at` for a method of anything that has no name. */
function nameOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isCallExpression(node)) return nameOf(node.expression);
  if (ts.isTaggedTemplateExpression(node)) return nameOf(node.tag);
  return ts.isPropertyAccessExpression(node) ? `${nameOf(node.expression)}.${node.name.text}` : "";
}

function returnedBy(node: ts.Expression): ts.Expression[] {
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return [];
  if (!ts.isBlock(node.body)) return [node.body];
  const found: ts.Expression[] = [];
  walk(node.body, (inner) => {
    if (ts.isReturnStatement(inner) && inner.expression !== undefined) found.push(inner.expression);
  });
  return found;
}

function declare(scopes: Scopes, node: ts.VariableDeclaration): void {
  const scope = scopeOf(node);
  const names = scopes.get(scope) ?? new Map<string, ts.Expression[]>();
  scopes.set(scope, names);
  for (const { text } of namesIn(node.name)) names.set(text, node.initializer === undefined ? [] : [node.initializer]);
}

/**
 * The places of a test file where the time of the machine decides: an upper limit of something read from a clock, a
 * comparison with one, a guard of less than 20 s. Follows times through names, arithmetic and functions of the file.
 */
export function timeLimitsIn(name: string, text: string): TimeLimit[] {
  if (!mayJudge(text)) return [];
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const scopes: Scopes = new Map();
  const found: TimeLimit[] = [];
  const report = (node: ts.Node, what: string): void => {
    found.push({ line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, what });
  };

  const calls: ts.CallExpression[] = [];
  const operations: ts.BinaryExpression[] = [];
  const properties: ts.PropertyAssignment[] = [];
  const parameters: ts.ParameterDeclaration[] = [];
  walk(file, (node) => {
    if (ts.isVariableDeclaration(node)) declare(scopes, node);
    else if (ts.isCallExpression(node)) calls.push(node);
    else if (ts.isBinaryExpression(node)) operations.push(node);
    else if (ts.isPropertyAssignment(node)) properties.push(node);
    else if (ts.isParameter(node)) parameters.push(node);
  });
  for (const { operatorToken, left, right } of operations)
    if (operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isIdentifier(left))
      valuesOf(scopes, left, left)?.push(right);
  for (const { expression, arguments: added } of calls) {
    if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== "push") continue;
    if (ts.isIdentifier(expression.expression)) valuesOf(scopes, expression.expression, expression)?.push(...added);
  }

  /** Properties that are given a time in this file. */
  const timed = new Set<string>();

  function isTime(node: ts.Node | undefined, seen: readonly ts.Node[] = []): boolean {
    if (node === undefined || seen.includes(node)) return false;
    const is = (inner: ts.Node | undefined): boolean => isTime(inner, [...seen, node]);
    if (ts.isIdentifier(node)) return valuesOf(scopes, node, node)?.some(is) ?? false;
    if (ts.isNewExpression(node)) return nameOf(node.expression) === "Date" && (node.arguments ?? []).every(is);
    if (ts.isCallExpression(node)) {
      const callee = nameOf(node.expression);
      if (CLOCKS.test(callee)) return true;
      if (ts.isIdentifier(node.expression) && valuesOf(scopes, node.expression, node)?.flatMap(returnedBy).some(is))
        return true;
      if (!PASSES_ON.test(callee)) return false;
      return (
        node.arguments.some(is) || (ts.isPropertyAccessExpression(node.expression) && is(node.expression.expression))
      );
    }
    if (ts.isPropertyAccessExpression(node)) return timed.has(node.name.text) || is(node.expression);
    if (ts.isElementAccessExpression(node)) return is(node.expression);
    if (ts.isBinaryExpression(node))
      return !COMPARISONS.has(node.operatorToken.kind) && (is(node.left) || is(node.right));
    if (ts.isConditionalExpression(node)) return is(node.whenTrue) || is(node.whenFalse);
    if (ts.isArrayLiteralExpression(node)) return node.elements.some(is);
    if (ts.isPrefixUnaryExpression(node)) return is(node.operand);
    const isWrapped =
      ts.isParenthesizedExpression(node) ||
      ts.isAwaitExpression(node) ||
      ts.isSpreadElement(node) ||
      ts.isAsExpression(node) ||
      ts.isNonNullExpression(node);
    return isWrapped && is(node.expression);
  }
  for (const { name: property, initializer } of properties) if (isTime(initializer)) timed.add(property.getText(file));

  /** A duration by its name alone. */
  function isNamed(node: ts.Expression): boolean {
    if (ts.isPropertyAccessExpression(node)) return TOOK.test(node.name.text) || DURATION.test(node.name.text);
    if (!ts.isIdentifier(node)) return false;
    return TOOK.test(node.text) || (DURATION.test(node.text) && !valuesOf(scopes, node, node)?.length);
  }

  /** A time and something added to it. */
  function isDeadline(node: ts.Expression): boolean {
    if (ts.isParenthesizedExpression(node)) return isDeadline(node.expression);
    if (ts.isIdentifier(node)) return valuesOf(scopes, node, node)?.some(isDeadline) ?? false;
    if (!ts.isBinaryExpression(node)) return false;
    const isSum = node.operatorToken.kind === ts.SyntaxKind.PlusToken && isTime(node);
    return isSum || isDeadline(node.left) || isDeadline(node.right);
  }

  /** The number an expression stands for; undefined when this file does not say. */
  function numberOf(node: ts.Node | undefined): number | undefined {
    if (node === undefined) return undefined;
    if (ts.isNumericLiteral(node)) return Number(node.text);
    if (ts.isParenthesizedExpression(node)) return numberOf(node.expression);
    if (ts.isIdentifier(node)) {
      const [value, other] = valuesOf(scopes, node, node) ?? [];
      return other === undefined ? numberOf(value) : undefined;
    }
    if (!ts.isBinaryExpression(node)) return undefined;
    const [left, right] = [numberOf(node.left), numberOf(node.right)];
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.QuestionQuestionToken) return right;
    if (left === undefined || right === undefined) return undefined;
    if (kind === ts.SyntaxKind.AsteriskToken) return left * right;
    return kind === ts.SyntaxKind.PlusToken ? left + right : undefined;
  }
  const isShort = (node: ts.Node | undefined): boolean => (numberOf(node) ?? LEAST_GUARD_MS) < LEAST_GUARD_MS;

  function checkExpectation(node: ts.CallExpression): void {
    const { expression: matcher } = node;
    if (!ts.isPropertyAccessExpression(matcher)) return;
    const method = matcher.name.text;
    if (!UPPER.test(method) && !LOWER.test(method) && !AROUND.test(method)) return;
    let target: ts.Expression = matcher.expression;
    let isNot = false;
    while (ts.isPropertyAccessExpression(target)) {
      isNot ||= target.name.text === "not";
      target = target.expression;
    }
    const [limit] = node.arguments;
    const subject = ts.isCallExpression(target) ? target.arguments[0] : undefined;
    if (AROUND.test(method) && (isTime(subject) || isTime(limit))) report(node, "a time is compared with another");
    if (subject === undefined || limit === undefined) return;
    const isUpper = (isNot ? LOWER : UPPER).test(method);
    const isLower = (isNot ? UPPER : LOWER).test(method);
    const isLimited = isUpper
      ? isTime(subject) || isNamed(subject) || isDeadline(limit)
      : isLower && numberOf(subject) !== undefined && (isTime(limit) || isNamed(limit));
    if (isLimited) report(matcher.name, "a time has an upper limit");
  }

  function checkGuard(node: ts.CallExpression): void {
    const callee = nameOf(node.expression);
    const [first, second] = node.arguments;
    if (callee === "Promise.race" && TIMERS.test(node.getText(file))) report(node, "a timer takes part in a race");
    if (LASTING.test(callee) && isShort(first)) report(node, "a guard is shorter than 20 s");
    if (/(^|\.)setTimeout$/.test(callee) && isShort(second) && first !== undefined && ENDS.test(first.getText(file)))
      report(node, "a guard is shorter than 20 s");
    if (!GUARDED.test(callee)) return;
    const options = node.arguments.filter(ts.isObjectLiteralExpression).flatMap((object) => [...object.properties]);
    const limits = options.flatMap((one) =>
      ts.isPropertyAssignment(one) && one.name.getText(file) === "timeout" ? [one.initializer] : [],
    );
    const last = node.arguments.slice(1).at(-1);
    for (const limit of [...limits, last]) if (limit && isShort(limit)) report(limit, "a guard is shorter than 20 s");
    if (/^vi\.wait(For|Until)$/.test(callee) && limits.length === 0 && numberOf(last) === undefined)
      report(node, "a guard is shorter than 20 s: the default is 1 s");
  }

  for (const node of operations)
    if (COMPARISONS.has(node.operatorToken.kind) && (isTime(node.left) || isTime(node.right)))
      report(node, "a time is compared with another");
  for (const { name: parameter, initializer } of parameters)
    if (ts.isIdentifier(parameter) && LIMIT.test(parameter.text) && isShort(initializer))
      report(parameter, "a guard is shorter than 20 s");
  for (const node of calls) {
    checkExpectation(node);
    checkGuard(node);
  }
  return found.sort((a, b) => a.line - b.line);
}
