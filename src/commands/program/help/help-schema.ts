import type { Command } from "../../kit/command/define.ts";
import type { JsonSchema } from "../../kit/command/json-schema.ts";
import { quote } from "../../kit/command/values.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { nouns } from "../../registry.ts";
import { noCommand } from "../errors.ts";
import { find } from "../program.ts";
import { resultSchema } from "./result-schema.ts";

const titleOf = (noun: string, command: Command): string => ["iot", noun, ...command.path].join(" ");

/** The schemas of all commands that print JSON, by command. */
async function everySchema(): Promise<Readonly<Record<string, JsonSchema>>> {
  const all: Record<string, JsonSchema> = {};
  for (const noun of nouns) {
    const { commands } = await noun.load();
    for (const command of commands) {
      const title = titleOf(noun.name, command);
      const schema = resultSchema(title, command);
      if (schema !== undefined) all[title] = schema;
    }
  }
  return all;
}

/** `iot help schema device list`: the JSON Schema of a command's output; without words, those of all commands. */
export async function helpSchemaText(words: readonly string[]): Promise<string> {
  if (words.length === 0) return `${JSON.stringify(await everySchema(), null, 2)}\n`;
  const found = await find(words);
  const { noun, spec, title, unknown } = found;
  if (noun !== undefined && unknown !== undefined) throw noCommand(found);
  if (spec === undefined) {
    throw usageError(`There is no command ${quote(words.join(" "))}.`, {
      code: "usage.unknown_command",
      next: 'Write it like "iot help schema device list".',
    });
  }
  const schema = resultSchema(title, spec);
  if (schema !== undefined) return `${JSON.stringify(schema, null, 2)}\n`;
  throw usageError(`"${title}" prints no JSON.`, { next: `Run "${title} --help" to see what it does.` });
}
