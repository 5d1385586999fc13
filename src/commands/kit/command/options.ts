import type { FileForm } from "./file-form.ts";
import type { Pair, TagFilter } from "./values.ts";

/** What the value of a flag is read as. */
interface KindTypes {
  readonly text: string;
  /** Text that may be empty; `@file` reads it from a file. */
  readonly content: string;
  /** Digits: a whole number from `least` to `most`. */
  readonly integer: number;
  /** Any number: `-0.5`. */
  readonly number: number;
  /** Milliseconds: `1h30m`. */
  readonly duration: number;
  /** Milliseconds from one to the next: `6/m`. */
  readonly rate: number;
  /** `2026-01-31T08:00:00Z`, `today`, `-24h`. */
  readonly instant: Date;
  /** When a token expires, as the platform takes it: ISO 8601 or `never`; given as `30d`, a date or `never`. */
  readonly expiry: string;
  /** A time zone: `Europe/Lisbon`. */
  readonly zone: string;
  /** An email address. */
  readonly email: string;
  /** A phone number with its country code: `+15550100`. */
  readonly phone: string;
  /** Five fields of a cron schedule: `0 6 * * *`. */
  readonly cron: string;
  /** How often something recurs, in the platform's words: `5 minutes`; given as `5m` or `5 minutes`. */
  readonly interval: string;
  /** `key=value`. */
  readonly pair: Pair;
  /** `key` or `key=value`. */
  readonly tag: TagFilter;
  /** A JSON value; `@file` reads it from a file. */
  readonly json: unknown;
}

export type FlagKind = keyof KindTypes;

/** Other flags (`queue`) or arguments (`<id>`) of the command, any one of which counts. */
export interface FlagRule {
  readonly flags: readonly string[];
  /** What help calls many of them: `other triggers`. */
  readonly called?: string;
  /** Of the error. */
  readonly why?: string;
  /** What to do about a conflict, where it is more than to leave one out. */
  readonly next?: string;
}

/** A positional argument. */
export interface ArgumentSpec {
  /** Name shown in help, without brackets: `id`, `file`. */
  readonly name: string;
  readonly summary: string;
  readonly required?: boolean;
  /** Takes all that is left. Only the last argument may. */
  readonly variadic?: boolean;
  /** Accepts an empty string. Elsewhere it is rejected: it comes from a shell variable that is not set. */
  readonly allowEmpty?: boolean;
  /** Allowed values, for help and completion; the command itself rejects others. */
  readonly values?: readonly string[];
  /** Leads to another profile than the one in use. */
  readonly leadsAway?: boolean;
  /** How it names a file of this machine; `iot mcp` checks such values, and lets no other be a path. */
  readonly file?: FileForm;
}

/** A flag. It is a switch unless it has a `kind` or a `value`. No flag has an optional value. */
export interface OptionSpec {
  /** Long name without dashes: `expire`, `dry-run`. */
  readonly name: string;
  readonly summary: string;
  /** Names it had before: scripts may use them, and help does not show them. */
  readonly formerly?: readonly string[];
  /** `text` unless given. */
  readonly kind?: FlagKind;
  /** Placeholder of the value in help; that of the kind unless given. */
  readonly value?: string;
  /** Limits of an `integer`. @default 1 */
  readonly least?: number;
  readonly most?: number;
  /** May be given several times; the values form a list. */
  readonly repeat?: boolean;
  /** The command cannot run without it; the text is an example for the error: `--out report.csv`. */
  readonly required?: string;
  readonly default?: string | boolean | readonly string[];
  /** A closed set of values. */
  readonly choices?: readonly string[];
  /** As for an argument. */
  readonly allowEmpty?: boolean;
  /** A switch that is on unless `--no-name` is given. */
  readonly negatable?: boolean;
  /** A negatable switch that is undefined unless given: the command decides. */
  readonly undecided?: boolean;
  /**
   * Leads out of what an assistant may reach, so `iot mcp` never offers it: to another environment or profile, to a queue, to
   * a program of this machine, or to a run that has no end.
   */
  readonly leadsAway?: boolean;
  /** As for an argument. */
  readonly file?: FileForm;
  /** The switch that says the opposite; that they exclude each other goes without saying. */
  readonly opposite?: string;
  /** It means nothing without one of these. */
  readonly needs?: readonly string[] | FlagRule;
  /** It cannot be given with any of these. One of the two flags says so. */
  readonly conflicts?: readonly string[] | FlagRule;
}

export type Arguments = readonly ArgumentSpec[];
export type Options = readonly OptionSpec[];

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The property of a name; none where the compiler does not know the name. */
type PropertyOf<Spec extends { readonly name: string }> = string extends Spec["name"] ? never : CamelCase<Spec["name"]>;

type ArgumentValue<Spec extends ArgumentSpec> = Spec extends { readonly variadic: true }
  ? readonly string[]
  : Spec extends { readonly required: true }
    ? string
    : string | undefined;

type Single<Spec extends OptionSpec> = Spec extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Spec extends { readonly kind: infer K extends FlagKind }
    ? KindTypes[K]
    : string;

type OptionValue<Spec extends OptionSpec> = Spec extends { readonly kind: FlagKind } | { readonly value: string }
  ? Spec extends { readonly repeat: true }
    ? readonly Single<Spec>[]
    : Single<Spec> | (Spec extends { readonly default: string } | { readonly required: string } ? never : undefined)
  : boolean | (Spec extends { readonly undecided: true } ? undefined : never);

/** The values of arguments, by name. */
export type ArgumentsOf<Specs extends Arguments> = {
  readonly [Spec in Specs[number] as PropertyOf<Spec>]: ArgumentValue<Spec>;
};

/** The values of flags, by camel-case name: what is not declared does not compile. */
export type OptionsOf<Specs extends Options> = {
  readonly [Spec in Specs[number] as PropertyOf<Spec>]: OptionValue<Spec>;
};

/** Flags as they were typed, with the defaults of those that were not. */
export type TypedTexts = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Parsed input of a command with these arguments and flags. */
export interface Input<Args extends Arguments, Flags extends Options> {
  readonly args: ArgumentsOf<Args>;
  readonly options: OptionsOf<Flags>;
  readonly texts?: TypedTexts;
}
