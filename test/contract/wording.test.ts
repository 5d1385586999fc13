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
];

/** Where such a word is the usual one: in the files, the phrases. */
const usual: readonly (readonly [file: RegExp, phrase: RegExp])[] = [
  // What TCP calls it.
  [/./, /refuses connections|connection is refused/gi],
  // The wizard asks questions.
  [/^tui\/migration-wizard\//, /answer(s|ed)?/gi],
];

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
  const prose = comment.replaceAll(/\s*\n\s*(\*(?!\/)|\/\/)?\s*/g, " ").replaceAll(/```.*?```|`[^`]*`/g, "");
  const phrases = usual.filter(([file]) => file.test(name)).map(([, phrase]) => phrase);
  const checked = phrases.reduce((rest, phrase) => rest.replaceAll(phrase, ""), prose);
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

it("uses the terms of CONTRIBUTING.md in the comments of all sources", () => {
  expect(sources.flatMap(({ name, text }) => misworded(name, text))).toEqual([]);
});

it.each([
  ["/** Refuses an id. */\nconst a = 1;"],
  ["/**\n * Waits for the second\n * factor.\n */\nconst a = 1;"],
  ["const a = 1; // as many answers"],
  ["function f() {\n  // Nothing follows this moment.\n}"],
])("finds the word in %j", (text) => {
  expect(misworded("lib/a.ts", text)).toHaveLength(1);
});

it.each([
  ["const answer = 'member';"],
  ["/** Calls `refuse` for the error. */\nconst a = 1;"],
  ["/**\n * @example\n * ```ts\n * const [member] = [1];\n * ```\n */\nconst a = 1;"],
  ["/** Attempts where the connection is refused. */\nconst a = 1;"],
])("accepts %j", (text) => {
  expect(misworded("lib/a.ts", text)).toEqual([]);
});
