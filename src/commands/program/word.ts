import { Option, Command as Parser } from "commander";
import { VERSION } from "../../lib/core/version.ts";
import type { Command, Noun, OptionSpec } from "../kit/command/define.ts";
import { allOptionsOf, type FlagNotes, ruleNotes } from "../kit/command/rules.ts";
import { globalOptions, groupOptions, type SharedOption, sharedOptionsOf } from "../kit/command/shared-options.ts";
import { camelCase } from "../kit/command/values.ts";
import { argumentText, flagsHeading, helpFlag, optionName, optionText } from "./help/texts.ts";

/** A flag, of a command or of all. */
export type Flag = OptionSpec & Partial<Pick<SharedOption, "short" | "section">>;

/** Verbs everyone guesses, and the word used here. */
const verbAliases: Readonly<Record<string, string>> = { info: "get", edit: "update", rm: "delete", ls: "list" };

/** One line, while it is read. */
export interface Reading {
  /** Does what the line says. It leads to this word: a command, or one that is none. */
  readonly act: (word: Word) => Promise<void>;
  /** The word whose flags were read last. */
  at?: Word;
  /** What commander prints: help or the version. */
  text: string;
}

/** A word of the program's tree: `iot` itself, a noun, a sub-noun, or the last one of a command. */
export class Word extends Parser {
  readonly reading: Reading;
  /** The noun it belongs to, and all commands of that noun. */
  noun: Noun | undefined;
  all: readonly Command[] = [];
  /** The words after the noun, up to this one. */
  path: readonly string[] = [];
  /** The commands that start with these words. */
  inside: readonly Command[] = [];
  /** The command these words name. */
  spec: Command | undefined;
  /** What follows on the line, where it is neither a word of the tree nor an argument. */
  unknown: string | undefined;

  constructor(name: string, reading: Reading) {
    super(name);
    this.reading = reading;
    // Flags are known when it is clear whose they are.
    this.helpOption(false).allowUnknownOption().allowExcessArguments().enablePositionalOptions();
    this.hook("preSubcommand", async (_, next) => {
      if (next instanceof Word) await next.enter();
    });
    this.action(() => this.stop());
  }

  override createCommand(name = ""): Word {
    return new Word(name, this.reading);
  }

  /** `iot device list` */
  get title(): string {
    return this.parent instanceof Word ? `${this.parent.title} ${this.name()}` : this.name();
  }

  private knows(word: string): boolean {
    return this.commands.some((one) => one.name() === word || one.aliases().includes(word));
  }

  /** Before the rest of the line is read: adds the words that may follow, or what the command takes. */
  private async enter(): Promise<void> {
    if (this.noun !== undefined && this.path.length === 0) {
      this.all = (await this.noun.load()).commands;
      this.inside = this.all;
    }
    const depth = this.path.length;
    this.spec = this.inside.find(({ path }) => path.length === depth);
    const below = [...new Set(this.inside.flatMap(({ path }) => path.slice(depth, depth + 1)))].map((step) => {
      const inside = this.inside.filter(({ path }) => path[depth] === step);
      return Object.assign(this.command(step), { noun: this.noun, all: this.all, path: [...this.path, step], inside });
    });
    for (const next of below) {
      const leaf = next.inside.find(({ path }) => path.length === depth + 1);
      next.summary(leaf?.summary ?? "");
      const guessed = Object.keys(verbAliases).filter(
        (verb) => leaf !== undefined && verbAliases[verb] === next.name(),
      );
      const plural = next.inside.every((command) => command === leaf) ? [] : [`${next.name()}s`];
      for (const word of [...guessed, ...(leaf?.aliases ?? []), ...plural]) if (!this.knows(word)) next.alias(word);
    }
    if (this.spec !== undefined && below.length === 0) this.take();
  }

  /** The next token is no word of the tree: flags stand before one, or these are all the words there are. */
  private async stop(): Promise<void> {
    const { args } = this;
    const at = this.nextWord(args);
    const word = args[at];
    if (word !== undefined && this.knows(word)) {
      await this.parseAsync([word, ...args.slice(0, at), ...args.slice(at + 1)], { from: "user" });
      return;
    }
    if (this.spec === undefined) this.unknown = word;
    await this.take().parseAsync(args, { from: "user" });
  }

  /** Where the first token is that is neither a flag nor its value; a flag takes one if a command below says so. */
  private nextWord(args: readonly string[]): number {
    const known: readonly Flag[] = [
      ...globalOptions,
      ...Object.values(groupOptions).flat(),
      ...this.inside.flatMap(allOptionsOf),
    ];
    for (let i = 0; i < args.length; i += 1) {
      const token = args[i] ?? "";
      if (token === "--") return i + 1;
      if (!token.startsWith("-") || token === "-") return i;
      const isLong = token.startsWith("--");
      const name = isLong ? token.slice(2) : token.at(-1);
      if (known.some((flag) => flag.value !== undefined && (isLong ? isNamed(flag, name) : flag.short === name)))
        i += 1;
    }
    return -1;
  }

  /** Takes the flags and arguments of its command; without one the flags of every command, which say so. */
  take(command = this.spec): this {
    this.spec = command;
    this.reading.at = this;
    const { options = [], args = [] } = command ?? {};
    const own = new Map(options.map((option) => [option.name, option]));
    const shared = command === undefined ? globalOptions : sharedOptionsOf(command);
    const flags = [...shared, ...options];
    const notes = ruleNotes(flags);
    for (const flag of flags) this.addFlag(flag, notes(flag.name));
    // `--no-input` of a command whose own `--input` names a file: a flag of its own, as the two say different things.
    for (const { name, negatable } of globalOptions) {
      if (negatable !== true || own.get(name)?.value === undefined) continue;
      const option = new Option(`--no-${name}`);
      option.attributeName = () => camelCase(`no-${name}`);
      this.addOption(option);
    }
    for (const argument of args) this.argument(argumentText(argument));
    this.allowUnknownOption(command === undefined).allowExcessArguments(command === undefined);
    if (this.unknown === undefined) {
      const help = new Option(optionName(helpFlag), helpFlag.summary).helpGroup(flagsHeading(helpFlag.section));
      this.addHelpOption(help).version(VERSION, own.has("version") ? "-V" : "-V, --version");
    }
    return this.action(() => this.reading.act(this));
  }

  private addFlag(flag: Flag, notes: FlagNotes): void {
    const shown = parserOf(flag, optionText(flag, notes)).helpGroup(flagsHeading(flag.section));
    const other = new Option(shown.negate ? `--${flag.name}` : `--no-${flag.name}`).hideHelp();
    // A flag that turns off has no default where the one that turns on is known already.
    const both = shown.negate ? [other, shown] : [shown, other];
    for (const option of flag.negatable === true ? both : [shown]) this.addOption(option);
    for (const name of flag.formerly ?? []) this.addOption(parserOf({ ...flag, name }, "").hideHelp());
  }
}

/** A flag as commander reads it. */
function parserOf(flag: Flag, text: string): Option {
  const option = new Option(optionName(flag), text);
  if (flag.repeat !== true) return option;
  return option.argParser((value, before: unknown) => [...(Array.isArray(before) ? before : []), value]);
}

const isNamed = ({ name, formerly = [] }: Flag, word: string | undefined): boolean =>
  [name, ...formerly].some((known) => known === word);
