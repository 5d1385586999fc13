import type { Command, Noun, OptionSpec } from "../../kit/command/define.ts";
import { allOptionsOf, ruleNotes } from "../../kit/command/rules.ts";
import { globalOptions, groupOptions, type SharedOption, sharedOptionsOf } from "../../kit/command/shared-options.ts";
import { exitCodeTexts } from "../../kit/failures/exit-codes.ts";
import { nouns } from "../../registry.ts";
import { argumentNote, argumentText, helpFlag, optionName, optionText, rareCodes, usageLine } from "../help/texts.ts";
import type { Block, Topic } from "../topics/blocks.ts";
import { resultText } from "./result-text.ts";

/** A noun with its commands. */
export interface Chapter {
  readonly noun: Noun;
  readonly commands: readonly Command[];
}

/** The first line of a page made from the command table. */
export const madeNote = "<!-- Made by `npm run docs` from the command table. Changes here are lost. -->\n";

/** Plain text as Markdown: commands between double quotes and flags become code, signs of Markdown stay signs. */
export function prose(text: string): string {
  return text
    .split(/("iot[^"]*"|`[^`]*`|(?<![\w-])--[a-z][a-z-]*)/)
    .map((part, i) => {
      if (i % 2 === 0) return part.replace(/[\\*|<]|\b_|_\b/g, (sign) => `\\${sign}`);
      return `\`${part.replace(/^["`]|["`]$/g, "").replaceAll("|", "\\|")}\``;
    })
    .join("");
}

export const cell = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

export function table(head: readonly [string, string], rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return "";
  const lines = rows.map(([name, text]) => `| ${name} | ${text} |\n`).join("");
  return `\n| ${head[0]} | ${head[1]} |\n| --- | --- |\n${lines}`;
}

const fenced = (language: string, lines: readonly string[]): string =>
  `\n\`\`\`${language}\n${lines.join("\n")}\n\`\`\`\n`;
const shell = (lines: readonly string[]): string => fenced("sh", lines);

function flagTable(options: readonly (OptionSpec & { readonly short?: string })[], notes = ruleNotes(options)): string {
  return table(
    ["flag", "meaning"],
    options.map((option) => [cell(optionName(option)), prose(optionText(option, notes(option.name)))]),
  );
}

const anchor = (title: string): string => title.toLowerCase().replaceAll(" ", "-");

/** Titles of the commands there are: `iot device list`. */
export type Titles = ReadonlySet<string>;

/** A line of "See also": a link where it names a command or topic. */
function reference(line: string, own: string, titles: Titles): string {
  const words = line.split(" ");
  const [, first = "", topic] = words;
  if (first === "help" && words.length === 3) return `[${cell(line)}](topics/${topic}.md)`;
  const page = first === own ? "" : `${first}.md`;
  const title = titleIn(line, titles);
  if (title !== undefined) return `[${cell(line)}](${page}#${anchor(title)})`;
  return words.length === 2 && nouns.some((noun) => noun.name === first) ? `[${cell(line)}](${first}.md)` : cell(line);
}

/** The command a line starts with: the longest title there is. */
export function titleIn(line: string, titles: Titles): string | undefined {
  const words = line.split(" ");
  const starts = words.map((_, i) => words.slice(0, words.length - i).join(" "));
  return starts.find((start) => titles.has(start));
}

const groupTitles = {
  list: "List flags",
  pages: "Flags of pages",
  limit: "Limit of short lists",
  confirm: "Flags that answer questions",
  dryRun: "Dry run",
} as const;

function sharedNote(command: Command): string {
  const own = new Set((command.options ?? []).map(({ name }) => name));
  const groups = (command.groups ?? []).filter((group) => groupOptions[group].some(({ name }) => !own.has(name)));
  const isNamed = !groups.includes("confirm") && sharedOptionsOf(command).some(({ name }) => name === "confirm");
  const links = [
    ...(isNamed ? [`[--confirm](README.md#${anchor(groupTitles.confirm)})`] : []),
    ...groups.map((group) => `the [${groupTitles[group].toLowerCase()}](README.md#${anchor(groupTitles[group])})`),
    "the [flags every command takes](README.md#flags-every-command-takes)",
  ];
  return `\nIt also takes ${links.join(", ")}.\n`;
}

function commandSection(noun: string, command: Command, titles: Titles): string {
  const title = ["iot", noun, ...command.path].join(" ");
  const codes = rareCodes(command).map((code) => [String(code), prose(exitCodeTexts[code] ?? "")] as const);
  const result = resultText(command);
  const related = (command.related ?? []).map((line) => reference(line, noun, titles));
  const details = (command.details ?? "").split("\n\n").filter((part) => part !== "");
  return [
    `\n## ${title}\n\n${prose(command.summary)}.\n`,
    shell([usageLine(noun, command)]),
    ...details.map((part) => `\n${prose(part)}\n`),
    command.aliases === undefined ? "" : `\nAlso: ${command.aliases.map((name) => cell(name)).join(", ")}.\n`,
    table(
      ["argument", "meaning"],
      (command.args ?? []).map((one) => [cell(argumentText(one)), prose(argumentNote(one))]),
    ),
    flagTable(command.options ?? [], ruleNotes(allOptionsOf(command))),
    sharedNote(command),
    "\nExamples:\n",
    shell(command.examples),
    result === "" ? "" : `\nWith \`-o json\`: ${result} Schema: \`iot help schema ${title.slice(4)}\`.\n`,
    table(["exit code", "meaning"], codes),
    related.length === 0 ? "" : `\nSee also: ${related.join(", ")}.\n`,
  ].join("");
}

/** Page of one noun. */
export function nounPage({ noun, commands }: Chapter, titles: Titles): string {
  const rows = commands.map((command) => {
    const title = ["iot", noun.name, ...command.path].join(" ");
    return [`[${cell(title)}](#${anchor(title)})`, prose(command.summary)] as const;
  });
  const aliases =
    noun.aliases.length === 0 ? "" : `\nAlso: ${noun.aliases.map((name) => cell(`iot ${name}`)).join(", ")}.\n`;
  return [
    `${madeNote}\n# iot ${noun.name}\n\n${prose(noun.summary)}.\n`,
    aliases,
    table(["command", "purpose"], rows),
    ...commands.map((command) => commandSection(noun.name, command, titles)),
  ].join("");
}

/** The page that leads to all others. */
export function indexPage(chapters: readonly Chapter[], topics: Iterable<Topic>): string {
  const sections = [...new Set(nouns.map(({ section }) => section))];
  const ofSection = (section: Noun["section"]) =>
    chapters
      .filter(({ noun }) => noun.section === section)
      .map(({ noun }) => [`[${cell(`iot ${noun.name}`)}](${noun.name}.md)`, prose(noun.summary)] as const);
  const ofFlags = (section: SharedOption["section"]) =>
    [...globalOptions, helpFlag].filter((option) => option.section === section);
  const flagSections = ["Output", "Connection", "Presentation", "General"] as const;
  return [
    `${madeNote}\n# Commands\n\nOne page per noun, made from the same table as \`--help\` and the manual pages.\n`,
    ...sections.map((section) => `\n## ${section}\n${table(["noun", "purpose"], ofSection(section))}`),
    "\n## Help topics\n",
    table(
      ["topic", "what it is about"],
      [...topics].map(({ name, summary }) => [`[${cell(`iot help ${name}`)}](topics/${name}.md)`, prose(summary)]),
    ),
    "\n## Flags every command takes\n",
    ...flagSections.map((section) => `\n### ${section}\n${flagTable(ofFlags(section))}`),
    ...(["list", "pages", "limit", "confirm", "dryRun"] as const).map(
      (group) => `\n## ${groupTitles[group]}\n${flagTable(groupOptions[group])}`,
    ),
  ].join("");
}

function blockText(block: Block): string {
  if (typeof block === "string") return `\n${prose(block)}\n`;
  if ("terms" in block)
    return table(
      ["", ""],
      block.terms.map(([name, text]) => [cell(name), prose(text)]),
    );
  if ("lines" in block) return fenced(block.isOutput === true ? "text" : "sh", block.lines);
  return `\n## ${block.title}\n`;
}

/** Page of a help topic. */
export function topicPage(topic: Topic): string {
  return `${madeNote}\n# ${topic.name}: ${prose(topic.summary)}\n${topic.blocks().map(blockText).join("")}`;
}
