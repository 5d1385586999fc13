import type { Resources } from "../../index.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { dashboardFinder } from "../kit/finders/dashboard.ts";
import { lookUp, resolveOrPick } from "../kit/resource/resolve-id.ts";
import { dashboardArgument } from "./duplicate.ts";

interface Related {
  readonly id: string;
  readonly name: string;
}

const columns: readonly Column<Related>[] = [{ key: "id", kind: "id" }, { key: "name" }];

export function related(
  word: "devices" | "analyses",
  about: {
    readonly summary: string;
    readonly related: readonly string[];
    read(client: Resources, id: string): Promise<readonly Related[]>;
  },
): Command {
  return defineCommand({
    path: [word],
    effect: "reads",
    summary: about.summary,
    args: [dashboardArgument],
    examples: [`iot dashboard ${word} "name:Plant overview"`, `iot dashboard ${word} "name:Plant overview" -o id`],
    related: about.related,
    result: rows(columns),
    async run(ctx, input) {
      const { id } = await resolveOrPick(ctx, dashboardFinder, input.args.id);
      const client = await ctx.client();
      const found = await lookUp(ctx, dashboardFinder, id, () => about.read(client, id));
      await ctx.out.list(found, { columns, empty: `The dashboard uses no ${word}.` });
    },
  });
}
