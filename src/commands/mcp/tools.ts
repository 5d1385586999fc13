import type { ArgumentSpec, Command, Noun, OptionSpec } from "../kit/command/define.ts";
import { greatestEffect, needsConfirmation } from "../kit/command/effect.ts";
import type { JsonSchema } from "../kit/command/json-schema.ts";
import { type FlagNotes, ruleNotes } from "../kit/command/rules.ts";
import { groupOptions } from "../kit/command/shared-options.ts";

/** A command as a tool. */
export interface CommandTool {
  /** `device_data_list`. */
  readonly name: string;
  readonly noun: string;
  readonly command: Command;
  readonly isChange: boolean;
  /** May ask before it does its work: then the call has to carry a `confirm`. */
  readonly isConfirmed: boolean;
  /** Arguments a call may use. */
  readonly args: readonly ArgumentSpec[];
  /** Flags a call may use, by property name. */
  readonly options: ReadonlyMap<string, OptionSpec>;
  readonly inputSchema: { readonly type: "object" } & JsonSchema;
}

/**
 * Nouns that are about this program, its login and its settings, and those of the queue. A raw request could reach any
 * profile.
 */
const hiddenNouns = new Set([
  "mcp",
  "completion",
  "alias",
  "plugin",
  "sandbox",
  "console",
  "doctor",
  "init",
  "auth",
  "env",
  "config",
  "api",
  "job",
  "worker",
]);
/**
 * Commands about another profile than the one in use, those that run until they are stopped or serve a browser, one that writes the project file,
 * and those that print a token.
 */
const hiddenCommands = new Set([
  "profile get",
  "profile update",
  "profile delete",
  "profile switch",
  "analysis dev",
  "dashboard dev",
  "widget dev",
  "analysis init",
  "analysis token",
  "dashboard view",
  "network resolve",
]);

/** Shared flags of a list, besides those of the command. */
/** Groups of flags that choose rows. */
const rowGroups = ["list", "pages"] as const;
const fieldsOption = {
  name: "fields",
  value: "a,b.c",
  summary: "fields of the result, in order",
  repeat: true,
} as const satisfies OptionSpec;

/** What a server serves. */
export interface Serving {
  readonly allowWrite: boolean;
  /** Whether calls may name files of a folder. */
  readonly hasFiles: boolean;
}

/** A name of the command line as a call writes it. */
export const memberOf = (name: string): string => name.replaceAll("-", "_");

/** What the descriptions of flags say about others: only those that a call can set. */
function notesIn({ args, options }: Pick<CommandTool, "args" | "options">): (name: string) => FlagNotes {
  const members = new Map([
    ...[...options].map(([member, { name }]) => [name, member] as const),
    ...args.map(({ name }) => [`<${name}>`, memberOf(name)] as const),
  ]);
  const inCall = (names: readonly string[]): string[] => names.flatMap((name) => members.get(name) ?? []);
  const notes = ruleNotes([...options.values()]);
  return (name) => {
    const { needs, conflicts, called } = notes(name);
    return { needs: inCall(needs), conflicts: inCall(conflicts), called };
  };
}

function optionSchema(option: OptionSpec, { needs, conflicts, called }: FlagNotes): JsonSchema {
  const notes = [
    ...(option.default === undefined ? [] : [`default ${JSON.stringify(option.default)}`]),
    ...(needs.length === 0 ? [] : [`needs ${needs.join(" or ")}`]),
    ...(conflicts.length === 0 ? [] : [`not with ${called ?? conflicts.join(" or ")}`]),
  ];
  const description = notes.length === 0 ? option.summary : `${option.summary} (${notes.join("; ")})`;
  if (option.value === undefined) return { type: "boolean", description };
  const one = option.choices === undefined ? { type: ["string", "number"] } : { type: "string", enum: option.choices };
  return option.repeat === true ? { type: "array", items: one, description } : { ...one, description };
}

function optionsOf(command: Command, { allowWrite, hasFiles }: Serving): OptionSpec[] {
  const own = (command.options ?? []).filter(({ leadsAway }) => leadsAway !== true);
  const names = new Set(own.map(({ name }) => name));
  const shared = rowGroups.flatMap((group) => (command.groups?.includes(group) === true ? groupOptions[group] : []));
  const hasRows = command.result?.shape === "list" || command.result?.shape === "item";
  const all: OptionSpec[] = [
    ...own,
    ...shared.filter(({ name }) => !names.has(name)),
    ...(hasRows ? [fieldsOption] : []),
  ];
  return all.filter(({ file }) => file !== "out" || (allowWrite && hasFiles));
}

const confirmSchema: JsonSchema = {
  type: ["string", "boolean"],
  description:
    'Confirms that the user wants this. "yes" or true, or the name requested by the error of a call with "yes". ' +
    "Always ask the user; never guess.",
};

function inputSchema(tool: Omit<CommandTool, "inputSchema">): CommandTool["inputSchema"] {
  const { command, args, options, isConfirmed } = tool;
  const properties: Record<string, JsonSchema> = {};
  for (const { name, summary, variadic } of args) {
    properties[memberOf(name)] =
      variadic === true
        ? { type: "array", items: { type: "string" }, description: summary }
        : { type: "string", description: summary };
  }
  const notes = notesIn(tool);
  for (const [member, option] of options) properties[member] = optionSchema(option, notes(option.name));
  if (command.groups?.includes("dryRun") === true)
    properties["dry_run"] = {
      type: "boolean",
      description: "return the requests that would be sent without sending them",
    };
  if (isConfirmed) properties["confirm"] = confirmSchema;
  properties["stdin"] = { type: "string", description: 'input for an argument or flag given as "-"' };
  const required = [
    ...args.filter((argument) => argument.required === true).map(({ name }) => memberOf(name)),
    ...[...options].flatMap(([member, option]) => (option.required === undefined ? [] : [member])),
  ];
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false };
}

function toolOf(noun: string, command: Command, serving: Serving): CommandTool | undefined {
  const words = [noun, ...command.path];
  const isChange = greatestEffect(command) !== "reads";
  const args = command.args ?? [];
  const isElsewhere = args.some(({ leadsAway, required }) => leadsAway === true && required === true);
  if (
    hiddenCommands.has(words.join(" ")) ||
    isElsewhere ||
    command.passThrough === true ||
    (isChange && !serving.allowWrite)
  )
    return undefined;
  const argumentNames = new Set(args.map(({ name }) => name));
  // `device data list <id> --id <record>`: one name in a call, two on a command line.
  const memberOfFlag = (name: string): string => memberOf(argumentNames.has(name) ? `flag-${name}` : name);
  const tool = {
    name: memberOf(words.join("_")),
    noun,
    command,
    isChange,
    isConfirmed: needsConfirmation(command),
    args: args.filter(({ leadsAway }) => leadsAway !== true),
    options: new Map(optionsOf(command, serving).map((option) => [memberOfFlag(option.name), option])),
  };
  return { ...tool, inputSchema: inputSchema(tool) };
}

/** The commands of these nouns as tools. Those that change something only when that is allowed. */
export async function commandTools(nouns: readonly Noun[], serving: Serving): Promise<readonly CommandTool[]> {
  const tools: CommandTool[] = [];
  for (const noun of toolNouns(nouns)) {
    const { commands } = await noun.load();
    for (const command of commands) {
      const tool = toolOf(noun.name, command, serving);
      if (tool !== undefined) tools.push(tool);
    }
  }
  return tools;
}

/** Nouns that have tools. */
export const toolNouns = (nouns: readonly Noun[]): readonly Noun[] =>
  nouns.filter(({ name }) => !hiddenNouns.has(name));
