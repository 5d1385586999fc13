import { nouns, popular } from "../../registry.ts";

function rows(list: readonly (readonly [string, string])[]): string {
  const width = Math.max(...list.map(([name]) => name.length));
  return list.map(([name, text]) => `  ${name.padEnd(width)}  ${text}\n`).join("");
}

/** What people call things, and the words they have here. */
export const otherNames: readonly (readonly [name: string, words: string])[] = [
  ["portal users", "run user"],
  ["TagoCore", "core"],
  ["own tables", "entity"],
  ["permissions", "access"],
  ["API tokens", "profile token"],
  ["invoices", "billing"],
];

function names(): string {
  const list = otherNames.map(([name, words]) => `${name}: ${words}`);
  const half = Math.ceil(list.length / 2);
  return `\nOther names:\n  ${list.slice(0, half).join(", ")},\n  ${list.slice(half).join(", ")}\n`;
}

const globalNote = `
Flags every command takes (all of them: iot help flags):
  -e, --env <name>       environment to use
  -o, --output <format>  table, json, ndjson, csv, tsv, yaml, md or id
      --fields <a,b.c>   columns or paths, in order
      --no-input         never prompt
  -h, --help             help of the command

"iot <command> --help" shows a command and its flags, "iot --version" the version.
`;

function short(): string {
  const lines = popular.map(([line, summary]) => [`iot ${line}`, summary] as const);
  return `Work with the TagoIO IoT platform, or with a local one.\n\nMost used commands:\n${rows(lines)}\nNew here? "iot sandbox start --use" needs no account.\n"iot --help" lists all commands, "iot help <topic>" explains how things work.\n`;
}

function full(topics: readonly (readonly [string, string])[]): string {
  const sections = [...new Set(nouns.map((noun) => noun.section))];
  const lists = sections.map((title) => {
    const inside = nouns.filter((noun) => noun.section === title);
    return `\n${title}:\n${rows(inside.map((noun) => [noun.name, noun.summary]))}`;
  });
  const usage = "Usage:\n  iot <noun> [<sub-noun>] <verb> [<id>...] [flags]\n";
  return `Work with the TagoIO IoT platform, or with a local one.\n\n${usage}${lists.join("")}${names()}\nHelp topics (iot help <topic>):\n${rows(topics)}${globalNote}`;
}

/** The topics, by name and in one line; the texts are loaded when asked for. */
export const topicSummaries: readonly (readonly [string, string])[] = [
  ["output", "formats, fields, jq"],
  ["flags", "global flags"],
  ["filters", "filtering and sorting lists, selecting a resource"],
  ["auth", "logging in, tokens, where they are stored"],
  ["errors", "format of errors, and error codes"],
  ["exit-codes", "meaning of the exit codes"],
  ["environment", "settings, files, variables"],
  ["scripting", "using iot in scripts"],
  ["accessibility", "screen readers, colour, plain terminals"],
  ["data-costs", "what reading and writing device data costs"],
  ["resume", "resuming interrupted commands"],
  ["aliases", "alternative command names, your own aliases and plugins"],
  ["sandbox", "a local platform for trying things out and testing"],
];

/** Text of `iot` and `iot --help`. */
export function topHelp(line?: readonly string[]): string {
  return line?.length === 0 ? short() : full(topicSummaries);
}
