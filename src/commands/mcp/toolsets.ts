import type { Noun } from "../kit/command/define.ts";
import { unknownWord } from "../kit/failures/unknown-word.ts";
import { type CommandTool, commandTools, type Serving, toolNouns } from "./tools.ts";

/**
 * Commands for most questions about a profile. Every tool takes up some of an assistant's context, in every
 * conversation, so these few are served unless others are named.
 */
const defaultReads = [
  "status",
  "profile summary",
  "profile limits",
  "profile audit",
  "device list",
  "device get",
  "device data list",
  "device param list",
  "device watch",
  "device inspect",
  "dashboard list",
  "dashboard get",
  "dashboard devices",
  "widget list",
  "widget get",
  "widget data",
  "analysis list",
  "analysis get",
  "analysis console",
  "action list",
  "action get",
  "entity list",
  "entity schema",
  "entity data list",
  "tag keys",
];
/** Added by `--allow-write`: everyday changes that can be undone. */
const defaultWrites = [
  "device create",
  "device update",
  "device data send",
  "device param set",
  "analysis run",
  "action enable",
  "action disable",
];
const defaultLines: ReadonlySet<string> = new Set([...defaultReads, ...defaultWrites]);

const lineOf = ({ noun, command }: CommandTool): string => [noun, ...command.path].join(" ");

/** The tools that `--toolset` names: of nouns, `default`, `all`. Plurals and short forms of nouns are taken. */
export async function chosenTools(
  toolsets: readonly string[],
  nouns: readonly Noun[],
  serving: Serving,
): Promise<readonly CommandTool[]> {
  const known = toolNouns(nouns);
  const given = toolsets
    .flatMap((part) => part.split(","))
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const words = given.length === 0 ? ["default"] : given;
  const names = new Set(
    words.filter((word) => word !== "default" && word !== "all").map((word) => nameOf(known, word)),
  );
  if (words.includes("all")) return commandTools(known, serving);
  const isDefault = words.includes("default");
  const needed = known.filter(
    ({ name }) => names.has(name) || (isDefault && [...defaultLines].some((line) => line.split(" ")[0] === name)),
  );
  const tools = await commandTools(needed, serving);
  return tools.filter((tool) => names.has(tool.noun) || defaultLines.has(lineOf(tool)));
}

function nameOf(known: readonly Noun[], word: string): string {
  const noun = known.find(({ name, aliases }) => name === word || aliases.includes(word));
  if (noun !== undefined) return noun.name;
  throw unknownWord("toolset", word, ["default", "all", ...known.map(({ name }) => name)]);
}
