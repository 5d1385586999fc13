import type { ArgumentSpec, Command, Noun, OptionSpec } from "../../kit/command/define.ts";
import { exitCodesOf } from "../../kit/command/exit-codes.ts";
import { type SharedOption, sharedOptionsOf } from "../../kit/command/shared-options.ts";
import { exitCodeTexts } from "../../kit/failures/exit-codes.ts";
import { topicSummaries } from "./top-help.ts";

const width = 78;

/** Lines of at most 78 cells, beside what stands left of them. */
export function wrap(text: string, indent: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Two columns: a name, and text wrapped beside it. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const left = Math.min(30, Math.max(0, ...rows.map(([name]) => name.length)));
  const indent = left + 4;
  return rows
    .map(([name, text]) => {
      const [first = "", ...rest] = wrap(text, indent);
      const head = name.length > left ? `  ${name}\n${" ".repeat(indent)}${first}` : `  ${name.padEnd(left)}  ${first}`;
      return [head, ...rest.map((line) => " ".repeat(indent) + line)].map((line) => `${line.trimEnd()}\n`).join("");
    })
    .join("");
}

/** `<id>`, `[files...]`. */
export function argumentText(argument: ArgumentSpec): string {
  const name = argument.variadic === true ? `${argument.name}...` : argument.name;
  return argument.required === true ? `<${name}>` : `[${name}]`;
}

/** What an argument means, and its values. */
export function argumentNote({ summary, values = [] }: ArgumentSpec): string {
  const isSaid = values.every((value) => summary.includes(value));
  return isSaid ? summary : `${summary} (one of ${values.join(", ")})`;
}

/** `-e, --env <name>`; long names stand below each other. */
export function optionName(option: OptionSpec & { readonly short?: string }): string {
  // A switch that is on is only ever turned off; a flag with a value is shown with it.
  const isOff = option.negatable === true && option.value === undefined;
  const name = `--${isOff ? "no-" : ""}${option.name}`;
  const short = option.short === undefined ? "    " : `-${option.short}, `;
  return `${short}${name}${option.value === undefined ? "" : ` <${option.value}>`}`;
}

/** What a flag means, and its values and default. */
export function optionText(option: OptionSpec): string {
  const notes = [
    ...(option.choices === undefined ? [] : [`one of ${option.choices.join(", ")}`]),
    ...(option.repeat === true ? ["may be repeated"] : []),
    ...(typeof option.default === "string" ? [`default ${option.default}`] : []),
    ...(Array.isArray(option.default) && option.default.length > 0 ? [`default ${option.default.join(", ")}`] : []),
  ];
  return notes.length === 0 ? option.summary : `${option.summary} (${notes.join("; ")})`;
}

const paragraph = (text: string): string => `${wrap(text, 0).join("\n")}\n`;
const section = (title: string, body: string): string => (body === "" ? "" : `\n${title}:\n${body}`);

/** The one flag that no command sees. */
export const helpFlag: SharedOption = { section: "General", name: "help", short: "h", summary: "this help" };

const groupTitles: readonly (readonly [SharedOption["section"], string])[] = [
  ["List", "List flags"],
  ["Changes", "Flags for changes"],
];
const globalTitles: typeof groupTitles = [
  ["Output", "Output flags"],
  ["Connection", "Connection flags"],
  ["Presentation", "Presentation flags"],
  ["General", "General flags"],
];
const globalNote = "\nFlags of every command: iot help flags\n";

function flagSections(command: Command, all: boolean): string {
  const rows = (options: readonly (OptionSpec & { readonly short?: string })[]) =>
    columns(options.map((option) => [optionName(option), optionText(option)]));
  const shared = [...sharedOptionsOf(command), helpFlag];
  const groups = [...groupTitles, ...(all ? globalTitles : [])].map(([name, title]) =>
    section(title, rows(shared.filter((option) => option.section === name))),
  );
  return section("Flags", rows(command.options ?? [])) + groups.join("") + (all ? "" : globalNote);
}

/** The words of a command, its arguments and `[flags]`. */
export function usageLine(noun: string, command: Command): string {
  return [
    ...["iot", noun, ...command.path],
    ...(command.args ?? []).map(argumentText),
    "[flags]",
    ...(command.passThrough === true ? ["-- <command>"] : []),
  ].join(" ");
}

/** Exit codes worth naming: every command can end with 0, 1 or 2. */
export function rareCodes(command: Command): readonly number[] {
  return exitCodesOf(command).filter((code) => code > 2);
}

/**
 * Help of one command.
 *
 * @param all with the flags that every command takes
 */
export function commandHelp(noun: string, command: Command, all = false): string {
  const args = command.args ?? [];
  const aliases = command.aliases === undefined ? "" : `\nAlso: ${command.aliases.join(", ")}\n`;
  const details = command.details === undefined ? "" : `\n${command.details.split("\n\n").map(paragraph).join("\n")}`;
  const codes = rareCodes(command).map((code) => [String(code), exitCodeTexts[code] ?? ""] as const);
  return [
    paragraph(`${command.summary}.`),
    details,
    section("Usage", `  ${usageLine(noun, command)}\n`),
    aliases,
    section("Arguments", columns(args.map((argument) => [argumentText(argument), argumentNote(argument)]))),
    flagSections(command, all),
    section("Examples", command.examples.map((example) => `  ${example}\n`).join("")),
    section("Exit codes beyond 0, 1 and 2", columns(codes)),
    section("See also", (command.related ?? []).map((line) => `  ${line}\n`).join("")),
  ].join("");
}

/** The commands directly below the words, then those of each sub-noun. */
function commandSections(commands: readonly Command[], depth: number): string {
  const groups = new Map<string, Command[]>();
  for (const command of commands) {
    const under = command.path.length > depth + 1 ? (command.path[depth] ?? "") : "";
    groups.set(under, [...(groups.get(under) ?? []), command]);
  }
  const direct = groups.get("") ?? [];
  groups.delete("");
  const rows = (list: readonly Command[]) =>
    columns(
      list.map((command) => {
        const line = [...command.path.slice(depth), ...(command.args ?? []).map(argumentText)].join(" ");
        return [line, command.summary] as const;
      }),
    );
  const below = [...groups].map(([word, list]) => section(`Commands of ${word}`, rows(list)));
  return section("Commands", rows(direct)) + below.join("");
}

/** One example each of the first commands, those of sub-nouns included. */
function someExamples(commands: readonly Command[]): string {
  const [first, ...rest] = commands;
  const others = rest.filter((_, i) => i % Math.max(1, Math.floor(rest.length / 4)) === 0).slice(0, 4);
  const lines = [first, ...others].flatMap((command) => command?.examples.slice(0, 1) ?? []);
  return [...new Set(lines)].map((line) => `  ${line}\n`).join("");
}

/**
 * Help of a noun or sub-noun: its commands.
 *
 * @param inside those that start with the words
 */
export function nounHelp(noun: Noun, inside: readonly Command[], words: readonly string[]): string {
  const title = ["iot", noun.name, ...words].join(" ");
  const aliases = words.length > 0 || noun.aliases.length === 0 ? "" : `\nAlso: ${noun.aliases.join(", ")}\n`;
  const topic = topicSummaries.some(([name]) => name === noun.name) ? `iot help ${noun.name}` : "iot help";
  const also = words.length === 0 ? topic : `iot ${noun.name} --help`;
  return [
    `${noun.summary}.\n`,
    section("Usage", `  ${title} <command> [flags]\n`),
    aliases,
    commandSections(inside, words.length),
    section("Examples", someExamples(inside)),
    section("See also", `  ${also}\n`),
    `\n"${title} <command> --help" shows the flags of one command.\n`,
  ].join("");
}
