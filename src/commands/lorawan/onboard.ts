import { extname, resolve } from "node:path";
import { integrationFinder, listIntegrations } from "../device/finder.ts";
import { option } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import type { CommandInput } from "../kit/command/define.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, inputError, stoppedError, usageError } from "../kit/failures/command-error.ts";
import { writeWhole } from "../kit/files/files.ts";
import { messageOf } from "../kit/resource/batch.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { createProgress } from "../kit/say/progress.ts";
import { contentOf, type Journal, withJournal } from "../kit/state/journal.ts";
import { steadyClient } from "../kit/steady-client.ts";
import type { Candidate } from "./fleet.ts";

/** What became of one row. */
export interface OnboardRow {
  readonly row: number;
  readonly dev_eui: string;
  readonly name: string;
  readonly id?: string;
  readonly result: "created" | "exists" | "done before" | "failed";
  readonly reason?: string;
}

export const onboardColumns: readonly Column<OnboardRow>[] = [
  { key: "id", kind: "id" },
  { key: "dev_eui" },
  { key: "name", rank: 1 },
  { key: "result", rank: 1 },
  { key: "reason" },
  { key: "row", kind: "number", hidden: true },
];

/** Network and connector of the new devices. */
async function placeOf(ctx: CommandContext, input: CommandInput): Promise<{ network: string; connector: string }> {
  const asked = option(input, "connector");
  if (asked === undefined) {
    throw usageError("--create-device needs the connector of the devices.", {
      code: "usage.missing_value",
      next: 'Add --connector "name:…"; "iot connector list" shows them.',
    });
  }
  const connector = (await resolveId(ctx, integrationFinder("connector"), asked)).id;
  const named = option(input, "network");
  if (named !== undefined)
    return { connector, network: (await resolveId(ctx, integrationFinder("network"), named)).id };
  const known = await listIntegrations(ctx, "connector", undefined, 10_000);
  const network = known.find(({ id }) => id === connector)?.networks?.[0];
  if (network !== undefined) return { connector, network };
  throw usageError("The connector has no network.", { next: 'Name one: --network "name:…".' });
}

function bodyOf({ name, dev_eui, description, tags }: Candidate, place: { network: string; connector: string }) {
  return {
    name,
    type: "mutable" as const,
    serie_number: dev_eui,
    ...place,
    ...(description === undefined ? {} : { description }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
  };
}

async function writeReport(path: string, rows: readonly OnboardRow[]): Promise<void> {
  const isJson = extname(path).toLowerCase() === ".json";
  const columns = ["row", "dev_eui", "name", "id", "result", "reason"] as const;
  const { stringify } = await import("csv-stringify/sync");
  const cells = rows.map((row) => columns.map((key) => row[key] ?? ""));
  const text = isJson ? `${JSON.stringify(rows, null, 2)}\n` : stringify([[...columns], ...cells]);
  writeWhole(path, text, { file: 0o644, folder: 0o755 });
}

/**
 * Makes a device for each row, one after the other. A device with the same serial number is left as it is, so a run that
 * was killed may be run again; with `--resume` rows that were done are not even looked at.
 *
 * @param source what makes two runs the same: the file
 */
export async function onboard(
  ctx: CommandContext,
  input: CommandInput,
  candidates: readonly Candidate[],
  source: string,
): Promise<number> {
  const place = await placeOf(ctx, input);
  for (const one of ctx.flags.dryRun ? candidates : []) {
    if (one.problem === undefined) await ctx.dryRun({ method: "POST", path: "/device", body: bodyOf(one, place) });
    else ctx.say.warning(`Row ${one.row}: ${one.problem}`);
  }
  const broken = candidates.find(({ problem }) => problem !== undefined);
  if (broken?.problem !== undefined && candidates.every(({ problem }) => problem !== undefined))
    throw inputError("None of the rows can be used.", { why: broken.problem, row: broken.row });
  if (ctx.flags.dryRun) return 0;

  const { api } = await ctx.connection();
  const run = {
    key: ["lorawan", api, source],
    content: await contentOf(undefined, [candidates, place]),
    what: `creation of the devices of ${quote(source)}`,
  };
  return withJournal(ctx, input, run, (journal) => createAll(ctx, input, candidates, place, journal));
}

async function createAll(
  ctx: CommandContext,
  input: CommandInput,
  candidates: readonly Candidate[],
  place: { readonly network: string; readonly connector: string },
  journal: Journal,
): Promise<number> {
  if (journal.isDone) {
    await ctx.out.list([], { columns: onboardColumns, empty: "No devices were created." });
    return 0;
  }
  const { label } = await ctx.connection();
  const client = await steadyClient(ctx);
  const progress = createProgress(ctx, ["Creating", "devices"]);
  const rows: OnboardRow[] = [];

  async function make(one: Candidate): Promise<Pick<OnboardRow, "id" | "result" | "reason">> {
    if (one.problem !== undefined) return { result: "failed", reason: one.problem };
    const mark = JSON.stringify(bodyOf(one, place));
    if (journal.has(one.dev_eui, mark)) return { result: "done before" };
    const [known] = await client.devices.list({ serial: one.dev_eui, amount: 1, fields: ["id", "name"] });
    if (known !== undefined) {
      journal.add(one.dev_eui, mark);
      return { id: known.id, result: "exists", reason: `device "${known.name}" has this serial number` };
    }
    const { device_id } = await client.devices.create(bodyOf(one, place));
    journal.add(one.dev_eui, mark);
    return { id: device_id, result: "created" };
  }

  try {
    for (const one of candidates) {
      if (ctx.signal.aborted) break;
      const { row, dev_eui, name } = one;
      const outcome = await make(one).catch((error: unknown) => {
        return { result: "failed" as const, reason: messageOf(error) };
      });
      rows.push({ row, dev_eui, name, ...outcome });
      if (outcome.result === "failed") ctx.say.warning(`Row ${row}, ${dev_eui || "without EUI"}: ${outcome.reason}`);
      progress.at(rows.length, candidates.length);
    }
  } finally {
    progress.end();
    const report = option(input, "report");
    if (report !== undefined) await writeReport(resolve(ctx.cwd, report), rows);
  }
  await ctx.out.list(rows, { columns: onboardColumns, empty: "No devices were created." });
  const countOf = (result: OnboardRow["result"]): number => rows.filter((row) => row.result === result).length;
  const failed = countOf("failed");
  ctx.say.info(
    `Created ${countOf("created")} of ${candidates.length} devices in ${label}; ${countOf("exists") + countOf("done before")} were there, ${failed} failed.`,
  );
  if (rows.length < candidates.length) throw stoppedError(`Stopped after ${rows.length} of ${candidates.length} rows.`);
  if (failed === 0) {
    journal.finish();
    return 0;
  }
  throw new CommandError(`${failed} of ${candidates.length} rows failed.`, {
    code: "batch.partial",
    exit: 8,
    why: rows.find(({ reason, result }) => result === "failed" && reason !== undefined)?.reason ?? "",
    next: "Correct them and run the command again with --resume.",
  });
}
