import type { Noun } from "../registry.ts";
import type { ArgumentSpec, Command, OptionSpec } from "./define.ts";
import { exitCodeTexts } from "./exit-codes.ts";
import { type SharedOption, sharedOptionsOf } from "./options.ts";

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
  ];
  return notes.length === 0 ? option.summary : `${option.summary} (${notes.join("; ")})`;
}

const section = (title: string, body: string): string => (body === "" ? "" : `\n${title}:\n${body}`);

/** The one flag that no command sees. */
export const helpFlag: SharedOption = { section: "General", name: "help", short: "h", summary: "this help" };

function flagSections(command: Command): string {
  const rows = (options: readonly (OptionSpec & { readonly short?: string })[]) =>
    columns(options.map((option) => [optionName(option), optionText(option)]));
  const shared = [...sharedOptionsOf(command), helpFlag];
  const titles: readonly SharedOption["section"][] = [
    "List",
    "Changes",
    "Output",
    "Connection",
    "Presentation",
    "General",
  ];
  const groups = titles.map((title) =>
    section(`${title} flags`, rows(shared.filter((option) => option.section === title))),
  );
  return section("Flags", rows(command.options ?? [])) + groups.join("");
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

/** Help of one command, in the order of the contract (section 12). */
export function commandHelp(noun: string, command: Command): string {
  const args = command.args ?? [];
  const aliases = command.aliases === undefined ? "" : `\nAlso: ${command.aliases.join(", ")}\n`;
  const details =
    command.details === undefined
      ? ""
      : `\n${command.details
          .split("\n\n")
          .map((part) => `${wrap(part, 0).join("\n")}\n`)
          .join("\n")}`;
  const codes = (command.exitCodes ?? []).map((code) => [String(code), exitCodeTexts[code] ?? ""] as const);
  return [
    `${command.summary}.\n`,
    details,
    section("Usage", `  ${usageLine(noun, command)}\n`),
    aliases,
    section("Arguments", columns(args.map((argument) => [argumentText(argument), argumentNote(argument)]))),
    flagSections(command),
    section("Examples", command.examples.map((example) => `  ${example}\n`).join("")),
    section("Exit codes beyond 0, 1 and 2", columns(codes)),
    section("See also", (command.related ?? []).map((line) => `  ${line}\n`).join("")),
  ].join("");
}

/** Help of a noun or sub-noun: its commands. */
export function nounHelp(noun: Noun, commands: readonly Command[], words: readonly string[] = []): string {
  const title = ["iot", noun.name, ...words].join(" ");
  const inside = commands.filter((command) => words.every((word, i) => command.path[i] === word));
  const rows = inside.map((command) => {
    const line = [...command.path.slice(words.length), ...(command.args ?? []).map(argumentText)].join(" ");
    return [line, command.summary] as const;
  });
  return [
    `${noun.summary}.\n`,
    section("Usage", `  ${title} <command> [flags]\n`),
    section("Commands", columns(rows)),
    section(
      "Examples",
      inside
        .flatMap((command) => command.examples.slice(0, 1))
        .slice(0, 4)
        .map((line) => `  ${line}\n`)
        .join(""),
    ),
    `\n"${title} <command> --help" shows the flags of one command.\n`,
  ].join("");
}
