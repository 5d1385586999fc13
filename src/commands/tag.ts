import type { Column } from "./kit/command/columns.ts";
import { type Command, defineCommand } from "./kit/command/define.ts";
import { rows } from "./kit/command/result.ts";
import { nearest } from "./kit/failures/nearest.ts";
import { unexpectedReply } from "./kit/resource/reply.ts";

/** Kinds of resource that are known to have tags; the platform returns nothing for others. */
const types = [
  "device",
  "dashboard",
  "analysis",
  "action",
  "am",
  "run_user",
  "entity",
  "secret",
  "sql",
  "tcore",
] as const;

const names: Readonly<Record<string, string>> = {
  access: "am",
  "run-user": "run_user",
  user: "run_user",
  core: "tcore",
};

const columns: readonly Column<{ readonly key: string }>[] = [{ key: "key" }];

const keys = defineCommand({
  path: ["keys"],
  result: rows(columns),
  effect: "reads",
  summary: "List the tag keys in use",
  details: `Types: ${types.join(", ")}. The command names access, core and run-user also work.`,
  args: [{ name: "type", summary: "type of resource", required: true, values: types }],
  groups: ["limit"],
  examples: ["iot tag keys device", "iot tag keys run_user --json"],
  related: ["iot device list"],
  async run(ctx, input) {
    const given = input.args.type;
    const type = names[given] ?? given;
    const { tags } = await ctx.client();
    const found = await tags.getTagKeys(type);
    if (!Array.isArray(found)) throw unexpectedReply("with the keys", "It is not a list.");
    const guess = found.length === 0 && !types.some((name) => name === type) ? nearest(type, types) : undefined;
    if (guess !== undefined) ctx.say.hint(`Did you mean "${guess}"?`);
    const keyRows = found.map((key) => ({ key }));
    await ctx.out.list(keyRows, { columns, empty: `No tags are in use on ${given}.`, idKey: "key" });
  },
});

export const commands: readonly Command[] = [keys];
