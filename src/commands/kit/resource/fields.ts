import type { CommandInput } from "../command/define.ts";
import { isOn } from "../command/dynamic.ts";
import type { Input, OptionSpec, Options } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { rememberSecret } from "../say/redact.ts";
import {
  type BodyField,
  bodyOptions,
  changedTags,
  checkOneStdin,
  lackedMember,
  memberOf,
  needChange,
  needMembers,
  optionsOf,
  readBody,
  secretValue,
  type Tag,
  tagOptions,
  tagsOf,
} from "./body.ts";
import { type Finder, type NamedResource, type ResourceTarget, titleOf } from "./resolve-id.ts";
import type { Twins } from "./twins.ts";

export type Body = Record<string, unknown>;
type Verb = "create" | "update";

/** A field in the body of a resource, and the flag that sets it. */
export interface Field extends BodyField {
  /** Required in a new one; the flag that sets it: `--name "Pump 3"`. */
  readonly needed?: string;
  readonly only?: Verb;
  /** What a new one has unless given. */
  readonly initial?: string;
  /** Its flag comes after those of the tags. */
  readonly late?: boolean;
  /** The question for a secret. */
  readonly question?: string;
  /** An update that changes nothing else asks for this secret. */
  readonly askedLast?: boolean;
}

export interface VerbTexts<Flags extends Options = Options> {
  /** Flags besides those of filters, fields and tags. */
  readonly options?: Flags;
  readonly details?: string;
  readonly examples: readonly string[];
}

export interface Creation<Flags extends Options = Options> extends VerbTexts<Flags> {
  /** How an existing one is found. By its name unless given; false where equal names are usual. */
  readonly twins?: Twins | false;
  /** Asks a terminal for what a body lacks that it needs, and for what else a new one has. */
  ask?(ctx: CommandContext, body: Body): Promise<Body>;
  /** Called with a body that has all it needs. */
  complete?(ctx: CommandContext, input: Input<[], Flags>, body: Body): Promise<Body> | Body;
}

interface Change<Flags extends Options> extends VerbTexts<Flags> {
  /** Flags to name to somebody who changed nothing: `--name "Hall"`. */
  readonly change: string;
  /** Called with a body that changes something. */
  complete?(ctx: CommandContext, input: Input<[], Flags>, body: Body, target: ResourceTarget): Promise<Body> | Body;
}

/** What can be written of a resource. */
export interface WritingSpec<
  Fields extends readonly Field[] = readonly Field[],
  Flags extends Options = Options,
  CreateFlags extends Options = Options,
  UpdateFlags extends Options = Options,
> {
  readonly finder: Finder;
  readonly fields?: Fields;
  /** Flags of `create` and `update` besides those of fields and tags. */
  readonly options?: Flags;
  /** It has tags: `--tag` of a new one, `--tag` and `--remove-tag` of an update. */
  readonly tags?: boolean;
  /** Required body fields of a new one without a `Field`, each with the flag that sets it. */
  readonly needed?: Readonly<Record<string, string>>;
  /** Body fields set by flags other than `fields`. */
  body?(ctx: CommandContext, input: Input<[], readonly [...Fields, ...Flags]>): Promise<object>;
  readonly create?: Creation<CreateFlags>;
  readonly update?: Change<UpdateFlags>;
}

const fieldsOf = ({ fields = [] }: WritingSpec, verb: Verb): readonly Field[] =>
  fields.filter(({ only = verb }) => only === verb);

/** The flags of `create` or `update`. */
export function fieldOptions(spec: WritingSpec, verb: Verb): readonly OptionSpec[] {
  const fields = fieldsOf(spec, verb);
  const options = [...(spec.options ?? []), ...(spec[verb]?.options ?? [])];
  const late = fields.filter((field) => field.late === true);
  const input = bodyOptions(fields.filter((field) => field.late !== true));
  return [...input, ...options, ...tagFlags(spec, verb), ...late.flatMap(optionsOf)];
}

function tagFlags(spec: WritingSpec, verb: Verb): readonly OptionSpec[] {
  if (spec.tags !== true || fieldsOf(spec, verb).some(({ name }) => name === "tag")) return [];
  if (verb === "update") return tagOptions;
  const title = titleOf(spec.finder).split(" ").at(-1);
  return [{ name: "tag", value: "k=v", summary: `tag of the ${title}`, repeat: true }];
}

async function givenBody(ctx: CommandContext, input: CommandInput, spec: WritingSpec, verb: Verb): Promise<Body> {
  const fields = fieldsOf(spec, verb);
  for (const { isSecret, name } of fields) if (isSecret === true) checkOneStdin(input, name);
  return { ...(await readBody(ctx, input, fields)), ...(await spec.body?.(ctx, input)) };
}

/**
 * The body of a new resource, or the one that is there already.
 *
 * @param look called with what names it, before a secret is asked for
 */
export async function newBody(
  ctx: CommandContext,
  input: CommandInput,
  spec: WritingSpec,
  look: (body: Body) => Promise<NamedResource | undefined>,
): Promise<{ readonly body: Body; readonly twin?: undefined } | { readonly twin: NamedResource }> {
  const fields = fieldsOf(spec, "create");
  const body: Body = { ...textsOf(fields, "initial"), ...(await givenBody(ctx, input, spec, "create")) };
  const tags = spec.tags === true ? tagsOf(input) : [];
  if (tags.length > 0) body["tags"] = tags;
  const needed = { ...textsOf(fields, "needed"), ...spec.needed };
  const isAsked = ctx.canPrompt && lackedMember(body, needed) !== undefined;
  if (isAsked) Object.assign(body, await spec.create?.ask?.(ctx, body));
  needMembers(body, titleOf(spec.finder), needed);
  const twin = await look(body);
  if (twin !== undefined) return { twin };
  for (const field of fields) if (field.isSecret === true) await addSecret(ctx, input, field, body);
  return { body: (await spec.create?.complete?.(ctx, input, body)) ?? body };
}

/** The fields an update changes. */
export async function changedBody(
  ctx: CommandContext,
  input: CommandInput,
  spec: WritingSpec,
  current: () => Promise<readonly Tag[] | undefined>,
): Promise<Body> {
  const body = await givenBody(ctx, input, spec, "update");
  if (spec.tags === true) Object.assign(body, await changedTags(input, current));
  for (const field of fieldsOf(spec, "update")) {
    if (field.isSecret !== true) continue;
    const isNamed = isOn(input, `${field.name}-stdin`) || body[memberOf(field)] !== undefined;
    const isAsked = field.askedLast === true && Object.keys(body).length === 0;
    if (isNamed || isAsked) await addSecret(ctx, input, field, body);
  }
  needChange(body, spec.update?.change ?? "");
  return body;
}

/** Adds the secret of `--input` or stdin, or asks for it; a dry run does not show it at all. */
async function addSecret(ctx: CommandContext, input: CommandInput, field: Field, body: Body): Promise<void> {
  const inFile = isOn(input, `${field.name}-stdin`) ? undefined : body[memberOf(field)];
  const value =
    typeof inFile === "string" ? inFile : await secretValue(ctx, input, field.name, field.question ?? field.summary);
  rememberSecret(value);
  body[memberOf(field)] = ctx.flags.dryRun ? "…" : value;
}

/** That property of each field that has it, by body field. */
function textsOf(fields: readonly Field[], key: "needed" | "initial"): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => (field[key] === undefined ? [] : [[memberOf(field), field[key]] as const])),
  );
}
