import ts from "typescript";
import { expect, it } from "vitest";
import { readSources } from "./imports.ts";

const sources = readSources();

/** Words of the table in CONTRIBUTING.md that comments must not use, with the term to use instead. */
const terms: readonly (readonly [word: RegExp, term: string])[] = [
  [/\banswer(s|ed|ing)?\b/i, "response, return"],
  [/\brefus(e|es|ed|al|als|ing)\b/i, "reject, error"],
  [/\bmembers?\b/i, "property, field"],
  [/\bmoments?\b/i, "date, time"],
  [/\b(anew|mend(s|ed|ing)?)\b/i, "again, fix"],
  [/\bput(s|ting)? aside\b/i, "save"],
  [/\b(tak(e|es|en|ing)|took) (back|away)\b/i, "undo, remove"],
  [/\b(e-mails?|mails?|mailed)\b/i, "email"],
  [/\bsecond factors?\b/i, "two-factor authentication"],
  [/\bso many\b/i, "this many, or the number"],
  [/\bplaces?\b/i, "path, position, location"],
  [/\b(tells?|told)\b/i, "notify, report, distinguish; called with"],
  [/\b(gives|giv(e|en) (back|out))\b/i, "return, set, send"],
];

/** The same for the strings a person reads: help, messages, errors. A field or a word of the platform may be any of these. */
const termsOfTexts: readonly (readonly [word: RegExp, term: string])[] = [
  [/\banswers? (with )?(\d{3}|the same|no rows)\b/i, "return, respond"],
  [/\bthe answer\b/i, "the response, the result"],
  [/\brefus(es|ed|al)\b/i, "reject, error"],
  [/\b(a|the) moments?\b/i, "date, time"],
  [/\bone member\b/i, "property, field"],
  [/\bin (the|its|their) places? of\b/i, "instead of"],
  [/\b(tells|told)\b/i, "show, report"],
  [/\bgives\b/i, "return, set, contain"],
];

/** Where such a word is the usual one: in the files, the phrases. */
const usual: readonly (readonly [file: RegExp, phrase: RegExp])[] = [
  // What TCP calls it.
  [/./, /refuses connections|connection (is )?refused|refused connections/gi],
  // Changed where it is.
  [/./, /in[- ]place(?! of)/gi],
  // The console has other words still.
  // A value of a result, and an event of the wizard.
  [/^commands\/sql\/check/, /ok, refused, or unknown/g],
  [/^tui\/migration-wizard\//, /refused again/g],
  // The wizard asks questions.
  [/^tui\/migration-wizard\//, /answer(s|ed)?/gi],
];

const withoutUsual = (name: string, text: string): string =>
  usual.filter(([file]) => file.test(name)).reduce((rest, [, phrase]) => rest.replaceAll(phrase, ""), text);

/** The comments of a source file. */
function commentsOf(name: string, text: string): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const ends = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) ends.set(pos, end);
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return [...ends].map(([start, end]) => text.slice(start, end));
}

/** The terms a comment should use, without regard to code in it. */
function betterTerms(name: string, comment: string): string[] {
  const prose = comment.replaceAll(/\s*\n\s*(\*(?!\/)|\/\/)?\s*/g, " ").replaceAll(/```.*?```|`[^`]*`|@param \w+/g, "");
  const checked = withoutUsual(name, prose);
  return terms.filter(([word]) => word.test(checked)).map(([, term]) => term);
}

/** What the comments of a file should say otherwise. */
function misworded(name: string, text: string): string[] {
  // Parsing all files takes long: only those are parsed where a word is in something that looks like a comment.
  const candidates = text.match(/\/\*[\s\S]*?\*\/|\/\/.*/g) ?? [];
  if (!candidates.some((candidate) => betterTerms(name, candidate).length > 0)) return [];
  return commentsOf(name, text).flatMap((comment) =>
    betterTerms(name, comment).map((term) => `${name}: ${term}: ${comment}`),
  );
}

/** The string literals of a source file that are sentences or parts of them. */
function stringsOf(name: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  return found.filter((string) => string.trim().includes(" "));
}

/** The strings of a file that should say something else. */
function misspoken(name: string, text: string): string[] {
  const betterIn = (string: string) => termsOfTexts.filter(([word]) => word.test(withoutUsual(name, string)));
  if (betterIn(text).length === 0) return [];
  return stringsOf(name, text).flatMap((string) => betterIn(string).map(([, term]) => `${name}: ${term}: ${string}`));
}

it("uses the terms of CONTRIBUTING.md in the texts of help, messages and errors", () => {
  expect(sources.flatMap(({ name, text }) => misspoken(name, text))).toEqual([]);
});

it.each([
  ['const a = "The server answers 401.";'],
  ["const a = `Devices in the place of it are left out`;"],
  ['const a = { next: "This gives another name." };'],
])("finds the word in the text of %j", (text) => {
  expect(misspoken("lib/a.ts", text)).toHaveLength(1);
});

it.each([
  ['const a = "refuses";'],
  ["// The server answers 401.\nconst gives = 1;"],
  ['const a = "Type yes to answer the questions";'],
])("accepts the text of %j", (text) => {
  expect(misspoken("lib/a.ts", text)).toEqual([]);
});

it("uses the terms of CONTRIBUTING.md in the comments of all sources", () => {
  expect(sources.flatMap(({ name, text }) => misworded(name, text))).toEqual([]);
});

it.each([
  ["/** Refuses an id. */\nconst a = 1;"],
  ["/**\n * Waits for the second\n * factor.\n */\nconst a = 1;"],
  ["const a = 1; // as many answers"],
  ["function f() {\n  // Nothing follows this moment.\n}"],
  ["/** Tells listeners of it. */\nconst a = 1;"],
  ["/** In the place of an id. */\nconst a = 1;"],
  ["/** Gives the rows back. */\nconst a = 1;"],
])("finds the word in %j", (text) => {
  expect(misworded("lib/a.ts", text)).toHaveLength(1);
});

it.each([
  ["const answer = 'member';"],
  ["/** Calls `refuse` for the error. */\nconst a = 1;"],
  ["/**\n * @example\n * ```ts\n * const [member] = [1];\n * ```\n */\nconst a = 1;"],
  ["/** Attempts where the connection is refused. */\nconst a = 1;"],
  ["/** Sorts in place.\n * @param place a path */\nconst a = 1;"],
])("accepts %j", (text) => {
  expect(misworded("lib/a.ts", text)).toEqual([]);
});
