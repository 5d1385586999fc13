import { globalOptions } from "../../kit/command/shared-options.ts";
import { exitCodeTexts } from "../../kit/failures/exit-codes.ts";
import { nouns, popular } from "../../registry.ts";
import { optionName, optionText } from "../help/texts.ts";
import { otherNames } from "../help/top-help.ts";
import { type Chapter, cell, madeNote, prose, table } from "./markdown.ts";

/** Flags that most people need, of those every command takes. */
const usualFlags: readonly string[] = ["env", "output", "fields", "jq", "no-input", "quiet", "verbose", "debug"];

/** How a resource is named on the command line. */
const idForms: readonly (readonly [string, string])[] = [
  ["65a1000000000000000d0001", "its id"],
  ['"name:Freezer 1"', "the only one with this name"],
  ["tag:site=7", "the only one with this tag"],
  ["serial:0004A30B001C0531", "the device with this serial number"],
];

/** What lists and changes take, beside their own flags. */
const usualForms: readonly (readonly [string, string])[] = [
  ["--filter 'last_input<-7d' --sort name:desc", "which rows, in which order"],
  ["--tag site=plant", "devices with this tag; lists and changes of many"],
  ["--limit 50, --all", "number of rows; all pages"],
  ["--last 24h, --from -7d, --to 2027-01-31", "a range of time"],
  ["--dry-run", "print the requests, change nothing"],
  ["--yes, --confirm NAME", "answer the question; the name of a protected environment"],
  ["--resume", "continue interrupted bulk work"],
];

const rowsOf = (forms: readonly (readonly [string, string])[]) =>
  forms.map(([form, text]) => [cell(form), prose(text)] as const);

function nounTable(chapters: readonly Chapter[], section: string): string {
  const rows = chapters
    .filter(({ noun }) => noun.section === section)
    .map(({ noun, commands }) => {
      const verbs = commands.map(({ path }) => path.join(" ")).filter((verb) => verb !== "");
      const name = `[${cell(noun.name)}](commands/${noun.name}.md)`;
      return [name, verbs.length === 0 ? prose(noun.summary) : verbs.join(", ")] as const;
    });
  return `\n### ${section}\n${table(["iot ...", "verbs"], rows)}`;
}

/** One page with every noun and its verbs, to print. */
export function cheatSheetPage(chapters: readonly Chapter[]): string {
  const sections = [...new Set(nouns.map(({ section }) => section))];
  const flags = globalOptions.filter(({ name }) => usualFlags.includes(name));
  return [
    `${madeNote}\n# Cheat sheet\n\nAll commands on one page: \`iot <noun> <verb>\`. \`iot device data list --help\` shows the flags of one.\n`,
    `\n## Most used\n${table(["command", "purpose"], rowsOf(popular.map(([line, text]) => [`iot ${line}`, text])))}`,
    `\n## Naming a resource\n${table(["form", "meaning"], rowsOf(idForms))}`,
    `\n## Usual flags\n${table(
      ["flag", "meaning"],
      [...rowsOf(usualForms), ...flags.map((flag) => [cell(optionName(flag)), prose(optionText(flag))] as const)],
    )}`,
    "\n## Commands\n",
    ...sections.map((section) => nounTable(chapters, section)),
    `\n## Other names\n${table(
      ["people say", "here"],
      otherNames.map(([name, words]) => [prose(name), cell(words)]),
    )}`,
    `\n## Exit codes\n${table(["code", "meaning"], rowsOf(Object.entries(exitCodeTexts)))}`,
  ].join("");
}
