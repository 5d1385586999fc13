import type { Help, HelpConfiguration } from "commander";
import type { Command } from "../../kit/command/define.ts";
import { exitCodeTexts } from "../../kit/failures/exit-codes.ts";
import type { Word } from "../word.ts";
import { columns, paragraph } from "./columns.ts";
import { aligned, argumentNote, argumentText, flagsHeading, rareCodes, usageLine } from "./texts.ts";
import { topHelp, topicSummaries } from "./top-help.ts";

const section = (title: string, body: string): string => (body === "" ? "" : `\n${title}:\n${body}`);

/**
 * Help as commander is to write it.
 *
 * @param all with the flags that every command takes
 */
export const helpOf = (all: boolean): HelpConfiguration => ({
  optionTerm: ({ flags }) => aligned(flags),
  formatHelp(word: Word, helper) {
    if (word.spec !== undefined) return commandHelp(word, word.spec, helper, all);
    return word.noun === undefined ? topHelp() : nounHelp(word);
  },
});

const own = [undefined, "List", "Changes"] as const;
const everywhere = ["Output", "Connection", "Presentation", "General"] as const;

function flagSections(word: Word, helper: Help, all: boolean): string {
  const flags = helper.visibleOptions(word);
  const sections = [...own, ...(all ? everywhere : [])].map(flagsHeading).map((title) => {
    const inside = flags.filter(({ helpGroupHeading }) => helpGroupHeading === title);
    return section(title, columns(inside.map((flag) => [helper.optionTerm(flag), flag.description])));
  });
  return sections.join("") + (all ? "" : "\nFlags of every command: iot help flags\n");
}

function commandHelp(word: Word, command: Command, helper: Help, all: boolean): string {
  const args = command.args ?? [];
  const aliases = command.aliases === undefined ? "" : `\nAlso: ${command.aliases.join(", ")}\n`;
  const details = command.details === undefined ? "" : `\n${command.details.split("\n\n").map(paragraph).join("\n")}`;
  const codes = rareCodes(command).map((code) => [String(code), exitCodeTexts[code] ?? ""] as const);
  return [
    paragraph(`${command.summary}.`),
    details,
    section("Usage", `  ${usageLine(word.noun?.name ?? "", command)}\n`),
    aliases,
    section("Arguments", columns(args.map((argument) => [argumentText(argument), argumentNote(argument)]))),
    flagSections(word, helper, all),
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

/** Help of a noun or sub-noun: its commands. */
function nounHelp({ noun, path, inside, title }: Word): string {
  const { name = "", summary = "", aliases = [] } = noun ?? {};
  const also = path.length > 0 || aliases.length === 0 ? "" : `\nAlso: ${aliases.join(", ")}\n`;
  const topic = topicSummaries.some(([one]) => one === name) ? `iot help ${name}` : "iot help";
  return [
    `${summary}.\n`,
    section("Usage", `  ${title} <command> [flags]\n`),
    also,
    commandSections(inside, path.length),
    section("Examples", someExamples(inside)),
    section("See also", `  ${path.length === 0 ? topic : `iot ${name} --help`}\n`),
    `\n"${title} <command> --help" shows the flags of one command.\n`,
  ].join("");
}
