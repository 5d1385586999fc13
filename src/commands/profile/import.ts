import { realpathSync } from "node:fs";
import { countOf } from "../../text/count.ts";
import { argument, optionFlag } from "../kit/command/arguments.ts";
import { type Command, type CommandInput, defineCommand, type Effect, type OptionSpec } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { createColumns, createMissing, planCreation, requestsOf, sumUp } from "../kit/profiles/create.ts";
import { readFolder } from "../kit/profiles/folder.ts";
import type { Entry } from "../kit/profiles/kind.ts";
import { kinds } from "../kit/profiles/kinds.ts";
import { presentOf } from "../kit/profiles/match.ts";
import { openNotes } from "../kit/profiles/notes.ts";
import { chosenKinds, kindOptions } from "../kit/profiles/select.ts";

/** What a command with `--plan` does. */
export const planned = (input: CommandInput): Effect => (optionFlag(input, "plan") ? "reads" : "changes");

export const planOption: OptionSpec = {
  name: "plan",
  summary: "show what would be created, exists or is skipped; send nothing",
};

/** Where entries come from and who must agree. */
export interface Creation {
  readonly entries: readonly Entry[];
  /** What makes two runs the same import: a folder, the id of a backup. */
  readonly source: string;
  /** Asked once the plan is known and before anything is sent. */
  confirm(missing: readonly string[], profile: string): Promise<void>;
}

/** Makes what a profile does not have yet; nothing is changed or deleted. */
export async function importEntries(ctx: CommandContext, input: CommandInput, creation: Creation): Promise<void> {
  const client = await ctx.client();
  const { info } = await client.profiles.info("current");
  const { api, label } = await ctx.connection();
  const wanted = new Set(creation.entries.map(({ kind }) => kind));
  const present = await presentOf(
    client,
    kinds.filter(({ name }) => wanted.has(name)),
  );
  const notes = openNotes(ctx.env, [api, info.id, creation.source]);
  const plan = planCreation(creation.entries, present, notes);
  if (ctx.flags.dryRun) {
    for (const request of requestsOf(plan)) await ctx.dryRun(request);
    if (plan.todo.length === 0) ctx.say.info("Nothing to create; no requests would be sent.");
    return;
  }
  const empty = "The files contain no resources.";
  if (optionFlag(input, "plan")) {
    await ctx.out.list(plan.rows, { columns: createColumns, empty });
    ctx.say.info(`${plan.todo.length} of ${countOf(plan.rows.length, "resource")} would be created in ${label}.`);
    return;
  }
  const missing = plan.todo.map(({ entry }) => `${entry.kind} ${entry.name}`);
  if (missing.length > 0) await creation.confirm(missing, info.name);
  const done = await createMissing(ctx, plan, notes);
  await ctx.out.list(done, { columns: createColumns, empty });
  if (done.every(({ result }) => result !== "failed" && result !== "create")) notes.finish();
  sumUp(ctx, done, `profile "${info.name}" (${label})`);
  const made = new Set(done.filter(({ result }) => result === "created").map(({ id }) => id));
  sayWhatIsLeft(
    ctx,
    creation.entries.filter(({ id }) => made.has(id)),
  );
}

/** What files cannot hold, and somebody has to add. */
function sayWhatIsLeft(ctx: CommandContext, created: readonly Entry[]): void {
  const withVariables = created.filter(({ document }) => {
    const variables = document["variables"];
    return Array.isArray(variables) && variables.length > 0;
  });
  if (withVariables.length > 0) {
    const names = withVariables.map(({ name }) => name).join(", ");
    ctx.say.hint(`The files contain no variable values. Set them with "iot analysis env set": ${names}.`);
  }
  if (created.some(({ kind }) => kind === "run-user")) {
    ctx.say.hint("New portal users have a random password; they can reset it in the portal.");
  }
}

const importProfile = defineCommand({
  path: ["import"],
  result: rows(createColumns),
  effect: { most: "changes", of: planned },
  summary: "Create missing resources from an exported folder",
  details:
    "Creates resources in dependency order and replaces the old ids with the new ones. Resources that already exist, by id " +
    "or name, are skipped: nothing is updated or deleted. An interrupted import continues where it stopped when you run it " +
    "again. See docs/profiles.md.",
  args: [{ name: "folder", file: "in", summary: "folder written by iot profile export", required: true }],
  options: [planOption, ...kindOptions],
  groups: ["confirm", "dryRun"],
  examples: [
    "iot profile import examples/profile",
    "iot profile import examples/profile --plan --exclude run-user",
    "iot profile export --out plant-two --yes > /dev/null && iot profile import plant-two --dry-run",
  ],
  exitCodes: [1, 3, 8],
  related: ["iot profile export", "iot profile diff", "iot backup restore"],
  async run(ctx, input) {
    const folder = ctx.path(argument(input, "folder") ?? "");
    const { entries } = readFolder(folder, chosenKinds(input));
    await importEntries(ctx, input, {
      entries,
      source: realpathSync(folder),
      // Nothing is lost by it.
      confirm: async () => undefined,
    });
  },
});

export const commands: readonly Command[] = [importProfile];
