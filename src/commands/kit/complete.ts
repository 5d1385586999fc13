import { findNoun, nouns } from "../registry.ts";
import { readUserConfig } from "./config.ts";
import type { Command, OptionSpec } from "./define.ts";
import { locate } from "./locate.ts";
import { sharedOptionsOf } from "./options.ts";
import { topicSummaries } from "./top-help.ts";

type Candidate = readonly [text: string, summary: string];
type Environment = Readonly<Record<string, string | undefined>>;

/** Completion gives up after this; a shell that waits is worse than one that offers nothing. */
const patienceMs = 300;

function environments(env: Environment): readonly Candidate[] {
  try {
    const { environments: known } = readUserConfig(env);
    return Object.keys(known).map((name) => [name, "environment"]);
  } catch {
    return [];
  }
}

function optionsOf(command: Command): readonly (OptionSpec & { readonly short?: string })[] {
  return [...(command.options ?? []), ...sharedOptionsOf(command)];
}

function flagNames(command: Command): readonly Candidate[] {
  return optionsOf(command).map((option) => [
    `--${option.negatable === true ? "no-" : ""}${option.name}`,
    option.summary,
  ]);
}

function valuesOf(command: Command, flag: string, env: Environment): readonly Candidate[] | undefined {
  const option = optionsOf(command).find((one) => `--${one.name}` === flag || `-${one.short}` === flag);
  if (option?.value === undefined) return undefined;
  if (option.name === "env") return environments(env);
  return (option.choices ?? []).map((choice) => [choice, option.summary]);
}

/** What may stand where the cursor is. */
async function candidates(words: readonly string[], env: Environment): Promise<readonly Candidate[]> {
  const current = words.at(-1) ?? "";
  const [first, ...before] = words.slice(0, -1);
  if (first === undefined)
    return [...nouns.map((noun): Candidate => [noun.name, noun.summary]), ["help", "Explain a topic"]];
  if (first === "help") return [...topicSummaries, ...nouns.map((noun): Candidate => [noun.name, noun.summary])];
  const noun = findNoun(first);
  if (noun === undefined) return [];
  const { commands } = await noun.load();
  const found = locate(noun.name, commands, before);
  if (found.command !== undefined) {
    const values = valuesOf(found.command, before.at(-1) ?? "", env);
    if (values !== undefined) return values;
    if (current.startsWith("-")) return flagNames(found.command);
    if (noun.name === "env") return environments(env);
    if (noun.name === "completion")
      return [
        ["bash", ""],
        ["zsh", ""],
        ["fish", ""],
        ["powershell", ""],
      ];
  }
  const inside = commands.filter((command) => found.words.every((word, i) => command.path[i] === word));
  const steps = new Map<string, string>();
  for (const command of inside) {
    const step = command.path[found.words.length];
    if (step !== undefined && !steps.has(step))
      steps.set(step, command.path.length === found.words.length + 1 ? command.summary : "");
  }
  return [...steps];
}

/** Lines `candidate<TAB>summary` for the last word. Never asks, never fails. */
export async function complete(words: readonly string[], env: Environment): Promise<string> {
  const line = words[0] === "--" ? words.slice(1) : words;
  const current = line.at(-1) ?? "";
  const patience = new Promise<readonly Candidate[]>((resolve) => {
    setTimeout(() => resolve([]), patienceMs).unref();
  });
  try {
    const found = await Promise.race([candidates(line, env), patience]);
    return found
      .filter(([text]) => text.startsWith(current))
      .map(([text, summary]) => `${text}\t${summary}\n`)
      .join("");
  } catch {
    return "";
  }
}
