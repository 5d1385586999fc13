import { ApiError } from "../../../lib/core/errors.ts";
import { ALL_ROWS_AMOUNT, MAX_LIST_AMOUNT } from "../../../lib/core/limits.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { notFoundError, stoppedError, usageError } from "../failures/command-error.ts";
import { nearest } from "../failures/nearest.ts";
import { atPath } from "../output/values.ts";
import { isNotFound } from "./not-found.ts";
import { expectTexts } from "./reply.ts";

/** A resource as far as it is needed to name it. */
export interface NamedResource {
  readonly id: string;
  readonly name: string;
}

/** What an id form asks for. */
export type IdQuery =
  | { readonly form: "name"; readonly name: string }
  | { readonly form: "tag"; readonly key: string; readonly value: string }
  | { readonly form: "serial"; readonly serial: string };

/** How resources of one kind are looked up. */
export interface Finder {
  /** `device`: also the first part of error codes. */
  readonly noun: string;
  readonly plural: string;
  /** What texts call one, where that is not the noun: `access rule`. */
  readonly title?: string;
  readonly forms: readonly IdQuery["form"][];
  /** Field that holds a resource's name; `name` by default. */
  readonly nameKey?: string;
  /** At most `amount` resources that match, from the first page on; without a query the newest ones. */
  find(
    ctx: CommandContext,
    query: IdQuery | undefined,
    amount: number,
    page?: number,
  ): Promise<readonly NamedResource[]>;
  /** Resolves a word besides ids and forms, such as `current`. */
  readonly known?: (ctx: CommandContext, text: string) => Promise<NamedResource | undefined>;
  /** Name of the resource with this id. */
  nameOf(ctx: CommandContext, id: string): Promise<string>;
}

/** What texts call one resource. */
export function titleOf(finder: Finder): string {
  return finder.title ?? finder.noun;
}

/** The name in a resource; its id where it has none. */
export function nameIn({ nameKey = "name" }: Finder, row: { readonly id: string }): string {
  return String(atPath(row, nameKey) ?? row.id);
}

/** A resource the user pointed at. */
export interface ResourceTarget {
  readonly id: string;
  /** Name of the resource; asks the platform when it is not known yet. */
  name(): Promise<string>;
}

const CANDIDATES = 20;
const fullId = /^[0-9a-f]{24}$/i;

/** Instead of an id: what is on stdin. */
const STDIN = "-";

/**
 * Finds the one resource that `text` names: a full id, `name:…`, `tag:key=value` or `serial:…`; `-` reads it from stdin.
 * On a terminal a bare name is asked about.
 */
export async function resolveId(ctx: CommandContext, finder: Finder, text: string): Promise<ResourceTarget> {
  if (text === STDIN) return resolveForm(ctx, finder, await idOnStdin(ctx, finder));
  const isBare = !fullId.test(text) && !text.includes(":") && finder.forms.includes("name");
  return (isBare && ctx.canPrompt ? await askAbout(ctx, finder, text) : undefined) ?? resolveForm(ctx, finder, text);
}

/** What a bare name may mean; nothing where no name holds it. */
async function askAbout(ctx: CommandContext, finder: Finder, text: string): Promise<ResourceTarget | undefined> {
  const known = await finder.known?.(ctx, text);
  if (known !== undefined) return targetOf(known);
  const found = await findNamed(ctx, finder, { form: "name", name: `*${text}*` }, ALL_ROWS_AMOUNT);
  const exact = sameName(found, text);
  const matches = exact.length > 0 ? exact : found;
  const [first, ...others] = matches;
  if (first === undefined) return undefined;
  if (others.length > 0) return pickOne(ctx, finder, matches);
  const prompts = await ctx.prompts(`name:${first.name}`);
  const answer = await prompts.text(`name:${first.name}? [Y/n]`);
  if (!/^(y(es)?)?$/i.test(answer.trim())) throw stoppedError();
  return targetOf(first);
}

const targetOf = ({ id, name }: NamedResource): ResourceTarget => ({ id, name: async () => name });

/** As `resolveId`, and never asks: for the rows of a file. */
export async function resolveForm(ctx: CommandContext, finder: Finder, text: string): Promise<ResourceTarget> {
  if (fullId.test(text)) {
    const id = text.toLowerCase();
    return { id, name: () => lookUp(ctx, finder, id, () => finder.nameOf(ctx, id)) };
  }
  const known = await finder.known?.(ctx, text);
  if (known !== undefined) return targetOf(known);
  const query = parseIdForm(finder, text);
  const found = await findNamed(ctx, finder, query, query.form === "name" ? mostOf(query.name) : CANDIDATES);
  const matches = query.form === "name" ? sameName(found, query.name) : found;
  const [only, ...others] = matches;
  if (only === undefined) throw notFound(finder, text, await nearestName(ctx, finder, query));
  if (others.length > 0) throw ambiguous(finder, text, matches);
  return targetOf(only);
}

/** All that have exactly this name. */
export async function exactlyNamed(
  ctx: CommandContext,
  finder: Finder,
  name: string,
): Promise<readonly NamedResource[]> {
  const found = await findNamed(ctx, finder, { form: "name", name }, mostOf(name));
  return found.filter((row) => row.name === name);
}

/** A name with a star in it is a pattern to the platform, so the right one may come after many others. */
const mostOf = (name: string): number => (name.includes("*") ? MAX_LIST_AMOUNT : CANDIDATES);

async function findNamed(
  ctx: CommandContext,
  finder: Finder,
  query: IdQuery | undefined,
  most: number,
  page = 1,
): Promise<readonly NamedResource[]> {
  const rows = await finder.find(ctx, query, most, page);
  expectTexts(rows, ["id", "name"], `with the ${finder.plural}`);
  return rows;
}

/** Runs a look-up by id; where the platform does not know the id, the failure says so in our own words. */
export async function lookUp<T>(ctx: CommandContext, finder: Finder, id: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError && isNotFound(error))) throw error;
    throw notFoundError(`${capital(titleOf(finder))} ${id} not found in ${await ctx.label()}.`, {
      code: `${finder.noun.replaceAll(" ", "_")}.not_found`,
      why: `${error.method} ${new URL(error.url).pathname} returned ${error.status}: "${error.message}".`,
      next: `Run "iot ${finder.noun} list", or check "iot env current".`,
    });
  }
}

/** Resolves several, each once, in the order given; after them those on stdin, if one is `-`. */
export async function resolveIds(
  ctx: CommandContext,
  finder: Finder,
  texts: readonly string[],
): Promise<ResourceTarget[]> {
  const targets = new Map<string, ResourceTarget>();
  const add = (target: ResourceTarget): unknown => targets.set(target.id, target);
  for (const text of texts) if (text !== STDIN) add(await resolveId(ctx, finder, text));
  if (texts.includes(STDIN))
    for (const text of await idsOnStdin(ctx, finder)) add(await resolveForm(ctx, finder, text));
  return [...targets.values()];
}

/** The ids on stdin, one per line, as `-o id` prints them. */
async function idsOnStdin(ctx: CommandContext, finder: Finder): Promise<readonly string[]> {
  const text = await ctx.readInput(STDIN, "The id");
  const ids = text.split("\n").map((line) => line.trim());
  const given = ids.filter((id) => id !== "");
  if (given.length > 0) return given;
  throw usageError(`stdin contains no ${titleOf(finder)} ids.`, { next: "Pipe them in, one per line." });
}

async function idOnStdin(ctx: CommandContext, finder: Finder): Promise<string> {
  const [only = "", ...others] = await idsOnStdin(ctx, finder);
  if (others.length === 0) return only;
  throw usageError(`stdin contains ${others.length + 1} ${titleOf(finder)} ids; this takes one.`, {
    next: "Run the command for each of them: xargs -n 1.",
  });
}

/** The resource of an argument that may be missing: a terminal gets a list to choose from. */
export async function resolveOrPick(
  ctx: CommandContext,
  finder: Finder,
  text: string | undefined,
): Promise<ResourceTarget> {
  if (text !== undefined) return resolveId(ctx, finder, text);
  return pickOne(ctx, finder, await everyNamed(ctx, finder));
}

/** As `resolveOrPick`, for an argument that takes several. */
export async function resolveSeveral(
  ctx: CommandContext,
  finder: Finder,
  texts: readonly string[],
): Promise<readonly ResourceTarget[]> {
  if (texts.length > 0) return resolveIds(ctx, finder, texts);
  return (await pick(ctx, finder, await everyNamed(ctx, finder), true)).map(targetOf);
}

async function pickOne(ctx: CommandContext, finder: Finder, rows: readonly NamedResource[]): Promise<ResourceTarget> {
  const [chosen] = await pick(ctx, finder, rows, false);
  if (chosen === undefined) throw stoppedError();
  return targetOf(chosen);
}

async function pick(
  ctx: CommandContext,
  finder: Finder,
  rows: readonly NamedResource[],
  many: boolean,
): Promise<readonly NamedResource[]> {
  const prompts = await ctx.prompts("id");
  const choices = rows.map((row) => ({ label: row.name, value: row, hint: row.id }));
  return prompts.pick(`Which ${many ? finder.plural : titleOf(finder)}? Type to search.`, choices, many);
}

/** All there are, page by page. */
async function everyNamed(ctx: CommandContext, finder: Finder): Promise<readonly NamedResource[]> {
  if (!ctx.canPrompt) {
    throw usageError(`No ${titleOf(finder)} given.`, {
      code: "usage.missing_argument",
      next: `Use its id or a unique name: ${example(finder)}.`,
    });
  }
  const all = new Map<string, NamedResource>();
  for (let page = 1; ; page += 1) {
    const rows = await findNamed(ctx, finder, undefined, ALL_ROWS_AMOUNT, page);
    const before = all.size;
    for (const row of rows) all.set(row.id, row);
    if (rows.length < ALL_ROWS_AMOUNT || all.size === before) break;
  }
  if (all.size > 0) return [...all.values()];
  throw notFoundError(`There are no ${finder.plural} in ${await ctx.label()}.`, {
    code: `${finder.noun.replaceAll(" ", "_")}.not_found`,
  });
}

/** Reads the text before the colon; a bare name is rejected, as it could become an id of something else tomorrow. */
function parseIdForm(finder: Finder, text: string): IdQuery {
  const at = text.indexOf(":");
  const form = finder.forms.find((name) => name === text.slice(0, Math.max(at, 0)));
  const rest = text.slice(at + 1);
  if (form === undefined || rest === "") throw malformed(finder, text);
  if (form === "name") return { form, name: rest };
  if (form === "serial") return { form, serial: rest };
  const equals = rest.indexOf("=");
  if (equals < 1 || equals === rest.length - 1) throw malformed(finder, text);
  return { form, key: rest.slice(0, equals), value: rest.slice(equals + 1) };
}

/** A name may contain the wildcard of list filters, so the response is compared once more. */
function sameName(found: readonly NamedResource[], name: string): readonly NamedResource[] {
  const exact = found.filter((row) => row.name === name);
  if (exact.length > 0) return exact;
  return found.filter((row) => row.name.toLowerCase() === name.toLowerCase());
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The forms of an id, with the user's own words where they may be a name. */
function example(finder: Finder, text = ""): string {
  const isName = text !== "" && !text.includes(":");
  const name = isName ? text : finder.noun === "device" ? "Pump 3" : "<name>";
  const forms = { name: quote(`name:${name}`), tag: "tag:site=7", serial: "serial:0012" };
  return finder.forms.map((form) => forms[form]).join(", ");
}

/** The name that was probably meant. Looking for it must not replace the failure it is for. */
async function nearestName(ctx: CommandContext, finder: Finder, query: IdQuery): Promise<string | undefined> {
  if (query.form !== "name") return undefined;
  const rows = await findNamed(ctx, finder, undefined, ALL_ROWS_AMOUNT).catch(() => []);
  return nearest(
    query.name,
    rows.map(({ name }) => name),
  );
}

function malformed(finder: Finder, text: string): Error {
  return usageError(`${quote(text)} is not ${/^[aeiou]/i.test(titleOf(finder)) ? "an" : "a"} ${titleOf(finder)} id.`, {
    code: "usage.invalid_id",
    why: "An id has 24 hexadecimal characters.",
    next: `Use the full id or a unique name: ${example(finder, text)}. "iot ${finder.noun} list" shows both.`,
  });
}

function notFound(finder: Finder, text: string, meant: string | undefined): Error {
  return notFoundError(`No ${titleOf(finder)} matches ${quote(text)}.`, {
    code: `${finder.noun.replaceAll(" ", "_")}.not_found`,
    why: "Nothing in the profile has exactly this value.",
    next:
      meant === undefined
        ? `Run "iot ${finder.noun} list" to see all ${finder.plural}, or check "iot env current".`
        : `Did you mean ${quote(`name:${meant}`)}?`,
  });
}

function ambiguous(finder: Finder, text: string, matches: readonly NamedResource[]): Error {
  const shown = matches.slice(0, 10).map((row) => `${row.id} ${row.name}`);
  const hidden = matches.length - shown.length;
  if (hidden > 0) shown.push(matches.length < CANDIDATES ? `and ${hidden} more` : "and more");
  return usageError(`${quote(text)} matches several ${finder.plural}.`, {
    code: "usage.ambiguous_id",
    why: `Candidates: ${shown.join("; ")}.`,
    next: "Use the full id of the one you mean.",
  });
}
