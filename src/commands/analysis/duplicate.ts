import { runtimeOf } from "../kit/analyses/runtimes.ts";
import { readScript } from "../kit/analyses/script-text.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { mergeTags } from "../kit/resource/body.ts";
import { lookUp, resolveOrPick } from "../kit/resource/resolve-id.ts";
import { resourceRoutes } from "../kit/resource/routes.ts";
import { columns } from "./analysis.ts";

/** Copies an analysis: its settings, then its script. The copy has a token of its own. */
export const duplicateCommand = defineCommand({
  path: ["duplicate"],
  effect: "changes",
  summary: "Copy an analysis and its script",
  details:
    "Copies description, mode, runtime, variables, tags and script. The copy is inactive unless you add --active.",
  args: [{ name: "id", summary: "Full id, or a unique name:…, tag:key=value" }],
  options: [
    { name: "name", value: "text", summary: 'name of the copy (default: "… (copy)")' },
    { name: "active", summary: "activate the copy" },
    {
      name: "run-on",
      value: "place",
      summary: "where the copy runs, if different from the original",
      choices: ["tago", "external"],
    },
    {
      name: "tag",
      kind: "pair",
      summary: "tag to add or change on the copy",
      repeat: true,
    },
  ],
  result: one(columns),
  examples: [
    'iot analysis duplicate "name:report" --name "report for June"',
    'iot analysis duplicate "name:report" --name "report, next" --active --dry-run',
  ],
  related: ["iot analysis create", "iot analysis deploy"],
  async run(ctx, input) {
    const target = await resolveOrPick(ctx, analysisFinder, input.args.id);
    const client = await ctx.client();
    const info = await lookUp(ctx, analysisFinder, target.id, () => client.analysis.info(target.id));
    const { description, runtime, variables, file_name } = info;
    const run_on = input.options.runOn ?? info.run_on;
    const tags = mergeTags(info.tags ?? [], input.options.tag, []);
    const settings = { description, run_on, runtime, variables, tags };
    const body = {
      name: input.options.name ?? `${info.name.slice(0, 92)} (copy)`,
      active: input.options.active,
      ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
    };
    const language = runtime ?? runtimeOf(file_name ?? "");
    if (await ctx.dryRun({ method: "POST", path: resourceRoutes.analysis, body })) {
      const file = "(base64 of the script)";
      if (file_name)
        await ctx.dryRun({ method: "POST", path: "/analysis/{id}/upload", body: { file, file_name, language } });
      return;
    }
    // Read before anything is made: a script that cannot be read must not leave half a copy.
    const script = file_name ? await readScript(ctx, target.id) : undefined;
    const { id } = await client.analysis.create(body);
    if (script !== undefined && file_name)
      await client.analysis.uploadScript(id, { name: file_name, content: script.toString("base64"), language });
    const { token: _, ...row } = await client.analysis.info(id);
    await ctx.out.item(row, { columns });
    await ctx.done(`Copied analysis "${info.name}" to "${body.name}"`);
  },
});
