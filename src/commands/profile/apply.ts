import { realpathSync } from "node:fs";
import { type Command, defineCommand, type Effect } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { either, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { checkNewFile } from "../kit/files/out-file.ts";
import { type ApplyRow, planApply, planColumns } from "../kit/profiles/apply/plan.ts";
import { requestsOf } from "../kit/profiles/apply/requests.ts";
import { type ReadFolder, readFolder } from "../kit/profiles/folder.ts";
import type { ResourceKind } from "../kit/profiles/kind.ts";
import { kinds } from "../kit/profiles/kinds.ts";
import { appliedKinds, chosenKinds, isApplied, kindOptionsOf } from "../kit/profiles/select.ts";
import { expectTexts } from "../kit/resource/reply.ts";
import { lockOrRefuse } from "../kit/state/lock.ts";
import { statePath } from "../kit/state/notes.ts";
import { loadPlanFile, savePlanFile } from "../kit/state/plan-file.ts";
import { planTarget, requireSameTarget } from "../kit/state/same-target.ts";
import { askToApply, changeCounts, isWritten } from "./apply/ask.ts";
import { resultColumns, runPlan } from "./apply/conclude.ts";
import { sayWhatIsMissing } from "./apply/missing.ts";
import { filesDigest, type PlanFile, planFileOf, profilePlans, requireUnchanged } from "./apply/plan-file.ts";
import { applyNotes, interruptedRun, type ProfileSnapshot, type RunPlace } from "./apply/store.ts";

const args = [
  { name: "folder", file: "in", summary: "folder written by iot profile export", required: true },
] as const satisfies Arguments;

const options = [
  ...kindOptionsOf(appliedKinds),
  { name: "prune", summary: "delete resources that the folder does not have" },
  { name: "check", summary: "show what would change without writing; exit 11 if anything would" },
  {
    name: "save-plan",
    formerly: ["plan"],
    file: "out",
    value: "file",
    summary: "save a plan to a file and change nothing",
    conflicts: ["check"],
  },
  {
    name: "apply",
    file: "in",
    value: "file",
    summary: "apply a saved plan; exit 7 if the profile changed since",
    conflicts: {
      flags: ["include", "exclude", "prune", "save-plan", "check"],
      next: "The plan says what is done: leave the other one out.",
    },
  },
  { name: "resume", summary: "resume an interrupted run without asking again" },
  {
    name: "report",
    file: "out",
    value: "file",
    summary: "write the result of each resource to a file (CSV or NDJSON)",
  },
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

const effectOf = ({ options: { check, savePlan } }: Given): Effect =>
  check ? "reads" : savePlan === undefined ? "deletes" : "local";

const applyProfile = defineCommand({
  path: ["apply"],
  result: either(rows(resultColumns), rows(planColumns)),
  effect: { most: "deletes", of: effectOf },
  summary: "Apply an exported folder to a profile",
  details:
    "Creates and updates resources in dependency order; with --prune it also deletes those that the folder does not have. " +
    "Resources are matched by a stable key in their tags, by id, else by name. A snapshot is taken before the first " +
    "write; iot profile rollback restores it. An interrupted run continues when you run the command again. " +
    "Secrets, values of variables, core instances and the portal are not written; portal users only with --include " +
    "run-user. See docs/promotion.md.",
  args,
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    "iot profile apply examples/profile --yes",
    "iot profile apply examples/profile --check --include dictionary",
    "iot profile apply examples/profile --save-plan promotion.json --exclude device --json",
    "iot profile apply examples/profile --dry-run",
  ],
  exitCodes: [1, 3, 7, 8, 11],
  related: ["iot profile export", "iot profile diff", "iot profile rollback", "iot profile import"],
  run: apply,
});

async function apply(ctx: CommandContext, { args: given, options: flags }: Given): Promise<number | undefined> {
  const { apply: planFile, savePlan: planPath } = flags;
  const saved = planFile === undefined ? undefined : await loadPlanFile<PlanFile>(ctx, planFile, profilePlans);
  if (planPath !== undefined) checkNewFile(ctx, ctx.path(planPath));
  const chosen =
    saved === undefined
      ? chosenKinds(flags, appliedKinds, isApplied)
      : appliedKinds.filter(({ name }) => saved.kinds.includes(name));
  const path = ctx.path(given.folder);
  const folder = readFolder(path, kinds);
  const client = await ctx.client();
  const { info } = await client.profiles.info("current");
  expectTexts([info], ["id", "name"], "with the profile");
  const profile = { id: info.id, name: info.name };
  const target = await ctx.target();
  if (saved !== undefined) {
    const { env, api, profile: other } = saved;
    requireSameTarget(planTarget, { label: env, api, profile: other }, { ...target, profile });
  }
  const place: RunPlace = { api: target.api, profile, source: realpathSync(path) };
  const prune = saved?.prune ?? flags.prune;
  const isWriting = !flags.check && planPath === undefined && !ctx.flags.dryRun;
  const work = (open: ProfileSnapshot | undefined): Promise<number | undefined> =>
    planAndRun(ctx, flags, { folder, chosen, prune, place, saved, open, label: target.label });
  const open = interruptedRun(ctx, place);
  if (!isWriting) return work(open);
  const lock = lockOrRefuse(
    statePath(ctx.env, "profile-applies", [place.api, profile.id]),
    `profile "${profile.name}"`,
  );
  try {
    if (open === undefined && flags.resume) throw nothingToResume();
    return await work(open);
  } finally {
    lock.release();
  }
}

interface Applying {
  readonly folder: ReadFolder;
  readonly chosen: readonly ResourceKind[];
  readonly prune: boolean;
  readonly place: RunPlace;
  readonly saved: PlanFile | undefined;
  readonly open: ProfileSnapshot | undefined;
  /** Name of the target. */
  readonly label: string;
}

async function planAndRun(
  ctx: CommandContext,
  { check, savePlan: planPath, resume, report }: Given["options"],
  applying: Applying,
): Promise<number | undefined> {
  const { folder, chosen, prune, place, saved, open, label } = applying;
  const { entries } = folder;
  const held = new Set(entries.map(({ kind }) => kind));
  const plan = await planApply(ctx, {
    entries,
    chosen,
    prune,
    // A kind without a single file was left out by the export. The value of a secret could not be restored.
    isRemoved: ({ name }) => prune && held.has(name) && name !== "secret",
    profiles: [folder.profile.id, place.profile.id],
    ...(open === undefined ? {} : { notes: applyNotes(ctx, open) }),
  });
  sayWhatIsMissing(ctx, plan, folder.entries, chosen);
  const { api, profile } = place;
  const about = { api, env: label, profile, kinds: chosen.map(({ name }) => name), files: filesDigest(entries) };
  const file = planFileOf(plan, about);
  const changes = plan.items.map(({ row }) => row).filter((row) => isWritten(row) || row.action === "conflict");
  const todo = changes.filter(isWritten);
  const isRest = open !== undefined && wasConfirmed(todo, open);
  if (saved !== undefined) requireUnchanged(saved, file, isRest);
  if (check) {
    await ctx.out.list(changes, { columns: planColumns, empty: "No differences." });
    return changes.length === 0 ? undefined : 11;
  }
  if (planPath !== undefined) {
    const shown = plan.items.map(({ row }) => row).filter(({ action }) => action !== "leave");
    // Printed first: a format that cannot show it is an error, and no plan is left behind then.
    await ctx.out.list(shown, { columns: planColumns, empty: "No differences." });
    savePlanFile(ctx.path(planPath), profilePlans, file);
    ctx.say.info(`Plan saved; nothing changed: ${changeCounts(changes)}. Apply it with --apply ${planPath}.`);
    return undefined;
  }
  if (ctx.flags.dryRun) {
    for (const request of requestsOf(plan)) await ctx.dryRun(request);
    if (changes.length === 0) ctx.say.info("Nothing to change; no requests would be sent.");
    return undefined;
  }
  if (todo.length > 0) {
    if (open !== undefined) ctx.say.info(`Continuing the apply of ${open.created_at.slice(0, 19).replace("T", " ")}.`);
    if (!(resume && isRest)) await askToApply(ctx, "the files", place, todo);
  }
  await runPlan(ctx, { plan, reason: "profile apply", place, env: label, open, report, again: "the command" });
  return undefined;
}

function nothingToResume(): Error {
  return usageError("There is no interrupted apply to resume.", {
    code: "resume.nothing",
    why: "This machine has no record of an earlier run of this folder on this profile.",
    next: "Leave --resume out to start a new run.",
  });
}

/** Whether all that is left was agreed to when the interrupted run began. */
function wasConfirmed(todo: readonly ApplyRow[], { entries, created }: ProfileSnapshot): boolean {
  const ids = new Set(entries.map(({ id }) => id));
  const files = new Set(created.map(({ file_id }) => file_id));
  return todo.every(({ id, file_id, action }) =>
    action === "delete" ? id !== null && ids.has(id) : files.has(file_id ?? "") || ids.has(id ?? ""),
  );
}

export const commands: readonly Command[] = [applyProfile];
