import { VERSION } from "../../../lib/core/version.ts";
import type { Command, Noun, OptionSpec } from "../../kit/command/define.ts";
import { allOptionsOf, ruleNotes } from "../../kit/command/rules.ts";
import { globalOptions, groupOptions, type SharedOption } from "../../kit/command/shared-options.ts";
import { exitCodeTexts } from "../../kit/failures/exit-codes.ts";
import { nouns } from "../../registry.ts";
import { argumentNote, argumentText, helpFlag, optionName, optionText, rareCodes } from "../help/texts.ts";
import type { Block, Topic } from "../topics/blocks.ts";
import type { Chapter } from "./markdown.ts";

const special: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "-": "\\-",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
  '"': "\\(dq",
};

/** Text as roff prints it: nothing in it is a request, and every sign is the one that was typed. */
function roff(text: string): string {
  const safe = text.replace(/[\\\-'`^~"]|[^\n -~]/gu, (sign) => {
    const found = special[sign];
    return found ?? `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
  });
  return safe.replace(/^\./gm, "\\&.");
}

const bold = (text: string): string => `\\fB${roff(text)}\\fP`;
const paragraph = (text: string): string => `.PP\n${roff(text)}\n`;
const heading = (text: string): string => `.SH ${roff(text.toUpperCase())}\n`;
const term = (name: string, text: string): string => `.TP\n${bold(name)}\n${roff(text)}\n`;
const indented = (lines: readonly string[]): string =>
  `.RS 4\n.nf\n${lines.map((line) => `${line === "" ? "\\&" : roff(line)}\n`).join("")}.fi\n.RE\n`;
const typed = (lines: readonly string[]): string => `.PP\n${indented(lines)}`;

function head(name: string, section: 1 | 7, summary: string): string {
  const title = `.TH ${roff(name.toUpperCase())} ${section} "" "iotdeck ${roff(VERSION)}" "iotdeck"\n`;
  return `${title}.SH NAME\n${roff(name)} \\- ${roff(summary)}\n`;
}

const flags = (options: readonly (OptionSpec & { readonly short?: string })[], notes = ruleNotes(options)): string =>
  options.map((option) => term(optionName(option), optionText(option, notes(option.name)))).join("");

function commandPart(noun: Noun, command: Command): string {
  const title = ["iot", noun.name, ...command.path].join(" ");
  const args = (command.args ?? []).map(argumentText);
  const rest = command.passThrough === true ? ["-- <command>"] : [];
  const codes = rareCodes(command);
  const groups = (command.groups ?? []).map((group) => groupNames[group]);
  const details = (command.details ?? "").split("\n\n").filter((part) => part !== "");
  return [
    `.SS ${roff([title, ...args, ...rest].join(" "))}\n${roff(command.summary)}.\n`,
    ...details.map(paragraph),
    (command.args ?? []).map((one) => term(argumentText(one), argumentNote(one))).join(""),
    flags(command.options ?? [], ruleNotes(allOptionsOf(command))),
    groups.length === 0 ? "" : paragraph(`It also takes ${groups.join(", ")} of iot(1).`),
    `.PP\nExamples:\n${indented(command.examples)}`,
    codes.length === 0 ? "" : paragraph(`Exit codes: ${codes.join(", ")}; see iot-exit-codes(7).`),
  ].join("");
}

const groupNames = {
  list: "the list flags",
  pages: "the flags of pages",
  limit: "--limit",
  confirm: "the flags that answer questions",
  dryRun: "--dry-run",
} as const;

/** iot-device(1). */
export function nounManual({ noun, commands }: Chapter): string {
  const related = [...new Set(commands.flatMap(({ related: lines }) => lines ?? []))]
    .map((line) => /^iot ([a-z-]+)/.exec(line)?.[1] ?? "")
    .filter((name) => name !== noun.name && nouns.some((one) => one.name === name));
  const also = ["iot(1)", ...new Set(related.map((name) => `iot-${name}(1)`)), "iot-exit-codes(7)"];
  return [
    head(`iot-${noun.name}`, 1, noun.summary),
    `${heading("Synopsis")}${bold(`iot ${noun.name}`)} \\fIcommand\\fP [\\fIflags\\fP]\n`,
    heading("Commands"),
    ...commands.map((command) => commandPart(noun, command)),
    `${heading("See also")}${also.map(roff).join(", ")}\n`,
  ].join("");
}

/** iot(1): the nouns, and the flags all commands share. */
export function mainManual(topics: Iterable<Topic>): string {
  const sections = [...new Set(nouns.map(({ section }) => section))];
  const flagSections: readonly SharedOption["section"][] = ["Output", "Connection", "Presentation", "General"];
  return [
    head("iot", 1, "work with the TagoIO IoT platform, or with a local one"),
    `${heading("Synopsis")}${bold("iot")} \\fInoun\\fP [\\fIsub-noun\\fP] \\fIverb\\fP [\\fIid\\fP...] [\\fIflags\\fP]\n`,
    heading("Description"),
    paragraph("Results go to stdout, everything else to stderr. Every command works without a terminal."),
    heading("Commands"),
    ...sections.flatMap((section) => [
      `.SS ${roff(section)}\n`,
      ...nouns.filter((noun) => noun.section === section).map((noun) => term(`iot-${noun.name}(1)`, noun.summary)),
    ]),
    heading("Flags every command takes"),
    ...flagSections.flatMap((section) => [
      `.SS ${section}\n`,
      flags([...globalOptions, helpFlag].filter((option) => option.section === section)),
    ]),
    heading("Flags of many commands"),
    `.SS List flags\n${flags(groupOptions.list)}`,
    `.SS Flags that answer questions\n${flags(groupOptions.confirm)}`,
    `.SS Dry run\n${flags(groupOptions.dryRun)}`,
    heading("Exit status"),
    ...Object.entries(exitCodeTexts).map(([code, text]) => term(code, text)),
    heading("Topics"),
    ...[...topics].map(({ name, summary }) => term(`iot-${name}(7)`, summary)),
  ].join("");
}

function blockText(block: Block): string {
  if (typeof block === "string") return paragraph(block);
  if ("terms" in block) return block.terms.map(([name, text]) => term(name, text)).join("");
  if ("lines" in block) return typed(block.lines);
  return heading(block.title);
}

/** iot-filters(7). */
export function topicManual(topic: Topic): string {
  const [first] = topic.blocks();
  const isTitled = typeof first === "object" && "title" in first;
  const start = isTitled ? "" : heading("Description");
  return `${head(`iot-${topic.name}`, 7, topic.summary)}${start}${topic.blocks().map(blockText).join("")}${heading("See also")}iot(1)\n`;
}
