import { batchClient } from "../kit/client/batch-client.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { runBatch } from "../kit/resource/batch.ts";
import { resolveSeveral } from "../kit/resource/resolve-id.ts";
import { actionFinder } from "./finder.ts";

const switched: readonly Column<{ id: string; name: string; active: boolean }>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "active", kind: "flag" },
];

/** `enable` and `disable`. */
export function switchCommand(verb: "enable" | "disable"): Command {
  const active = verb === "enable";
  return defineCommand({
    path: [verb],
    result: rows(switched),
    effect: "changes",
    summary: active ? "Enable actions" : "Disable actions",
    args: [{ name: "id", summary: "Full id, or a unique name:…, tag:key=value", variadic: true }],
    examples: [
      `iot action ${verb} "name:Freezer too warm"`,
      `iot action ${verb} "name:New device" "name:Report every morning" --dry-run`,
    ],
    exitCodes: [8, 130],
    related: [`iot action ${active ? "disable" : "enable"}`, "iot action list"],
    async run(ctx, input) {
      const targets = await resolveSeveral(ctx, actionFinder, input.args.id);
      const body = { active };
      if (await ctx.dryRun(targets.map(({ id }) => ({ method: "PUT", path: `/action/${id}`, body })))) return;
      const items = await Promise.all(targets.map(async ({ id, name }) => ({ id, name: await name(), active })));
      const client = await batchClient(ctx);
      return runBatch(ctx, {
        items,
        title: ({ name }) => `action "${name}"`,
        done: active ? "Enabled" : "Disabled",
        unit: ["action", "actions"],
        run: ({ id }) => client.actions.edit(id, body),
        print: (done) => ctx.out.list(done, { columns: switched, empty: "No changes." }),
      });
    },
  });
}
