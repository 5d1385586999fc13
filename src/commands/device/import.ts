import { resolve } from "node:path";
import type { Resources } from "../../index.ts";
import { ApiError } from "../../lib/core/errors.ts";
import { countOf, countText } from "../../text/count.ts";
import { argument, keyValue, option, optionFlag, optionList } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type CommandInput, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, conflictError, inputError, stoppedError, usageError } from "../kit/failures/command-error.ts";
import { messageOf } from "../kit/resource/batch.ts";
import { openReport } from "../kit/rows/row-report.ts";
import { createProgress } from "../kit/say/progress.ts";
import { digest } from "../kit/state/digest.ts";
import { contentOf, type Journal, type JournalRun, resumeOptions, withJournal } from "../kit/state/journal.ts";
import { steadyClient } from "../kit/steady-client.ts";
import { openRows, type RowFile } from "./bulk/rows-in.ts";
import { type FleetRow, fleetMap, fleetRow, type Tag } from "./fleet/fleet-row.ts";
import { type Conflict, FleetWriter } from "./fleet/fleet-writer.ts";

/** What became of a row. */
export interface RowResult {
  readonly row: number;
  readonly name: string;
  readonly device: string;
  readonly result: "created" | "updated" | "unchanged" | "skipped" | "done before" | "failed" | "invalid";
  readonly reason: string;
}

const resultColumns: readonly Column<RowResult>[] = [
  { key: "row", kind: "number" },
  { key: "name", rank: 1 },
  { key: "device", kind: "id", rank: 3 },
  { key: "result", rank: 1 },
  { key: "reason" },
];

export const importDevices = defineCommand({
  path: ["import"],
  result: rows(resultColumns),
  effect: "changes",
  summary: "Create or update the devices of a fleet file",
  details:
    "Columns: name (needed), serial, type, network, connector, active, visible, description, chunk_period, chunk_retention, " +
    "tags, tag.KEY and param.KEY; --map names others. A device of the profile with the same serial number, or the same " +
    "name where the row has no serial number, is a conflict: by default the command ends with 7 before anything is " +
    "changed. Updates change what the file names and leave everything else, tags included, as it is. Nothing is deleted.",
  args: [{ name: "file", summary: "CSV, JSON or ndjson file; - is stdin" }],
  options: [
    { name: "input", value: "file", summary: "the same file, as a flag" },
    {
      name: "format",
      value: "format",
      summary: "format, when its name and content do not tell",
      choices: ["csv", "json", "ndjson"],
    },
    { name: "map", value: "col=field", summary: "what a column stands for: eui=serial, site=tag.site", repeat: true },
    { name: "tag", value: "k=v", summary: "tag for every device of the file", repeat: true },
    {
      name: "on-conflict",
      value: "way",
      summary: "what to do with a device that exists",
      choices: ["skip", "update", "fail"],
      default: "fail",
    },
    ...resumeOptions,
    { name: "report", value: "file", summary: "write what became of each row, as CSV or ndjson; go on after bad rows" },
  ],
  groups: ["confirm", "dryRun"],
  examples: [
    "iot device import examples/data/fleet.csv --on-conflict update",
    `printf 'name,eui\\nPump 5,0004A30B001C0531\\n' | iot device import - --map eui=serial --on-conflict update --dry-run`,
  ],
  exitCodes: [3, 7, 8, 9],
  related: ["iot device export", "iot device data import"],
  async run(ctx, input) {
    const given = argument(input, "file") ?? option(input, "input");
    if (given === undefined)
      throw usageError("No file was named.", { next: "Name it: iot device import fleet.csv; - is stdin." });
    if (given === "-" && optionFlag(input, "resume"))
      throw usageError("--resume needs a file.", {
        why: "stdin cannot be read from the beginning again.",
        next: "Name a file.",
      });
    const file = await openRows(ctx, given === "-" ? given : resolve(ctx.cwd, given), option(input, "format"));
    try {
      return await importFleet(ctx, input, file);
    } finally {
      file.close();
    }
  },
});

async function importFleet(ctx: CommandContext, input: CommandInput, file: RowFile): Promise<number> {
  const isTolerant = option(input, "report") !== undefined;
  const rows = await readFleetFile(input, file, isTolerant);
  return withJournal(ctx, input, await runOf(ctx, input, file), (journal) =>
    writeFleet(ctx, input, rows, journal, isTolerant),
  );
}

async function writeFleet(
  ctx: CommandContext,
  input: CommandInput,
  { fleet, invalid }: FleetFile,
  journal: Journal,
  isTolerant: boolean,
): Promise<number> {
  if (journal.isDone) {
    await ctx.out.list([], { columns: resultColumns, empty: "Nothing was changed.", idKey: "device" });
    return 0;
  }
  // A device whose creation was not answered is looked for by the next run, never made again blindly.
  const client = await steadyClient(ctx);
  const onConflict = (option(input, "on-conflict") ?? "fail") as Conflict;
  const writer = await FleetWriter.over(ctx, client, onConflict);
  const isDone = (row: FleetRow): boolean => journal.mark(`row ${row.row}`)?.startsWith("+") === true;
  const isBegun = (row: FleetRow): boolean => journal.mark(`row ${row.row}`)?.startsWith("?") === true;
  if (onConflict === "fail" && !isTolerant)
    await refuseConflicts(
      writer,
      fleet.filter((row) => !isDone(row) && !isBegun(row)),
    );
  if (ctx.flags.dryRun) return planOnly(ctx, writer, fleet);
  const results = [...invalid];
  // Opened first: a place that cannot be written to must not be found out when everything has been sent.
  const report = openReport<RowResult>(ctx, option(input, "report"), ["row", "name", "device", "result", "reason"]);
  const inOrder = (): readonly RowResult[] => [...results].sort((a, b) => a.row - b.row);
  const stop = await writeAll(ctx, { client, journal, writer, fleet, isTolerant }, results).finally(() => {
    for (const result of inOrder()) report.add(result);
    report.close();
  });
  await ctx.out.list(inOrder(), { columns: resultColumns, empty: "The file holds no devices.", idKey: "device" });
  return settle(ctx, journal, inOrder(), stop, fleet.length + invalid.length);
}

interface FleetFile {
  readonly fleet: readonly FleetRow[];
  readonly invalid: readonly RowResult[];
}

async function readFleetFile(input: CommandInput, file: RowFile, isTolerant: boolean): Promise<FleetFile> {
  const map = fleetMap(optionList(input, "map").map((text) => keyValue(text, "--map")));
  const more = optionList(input, "tag").map((text) => keyValue(text, "--tag"));
  const fleet: FleetRow[] = [];
  const invalid: RowResult[] = [];
  for await (const { row, value, problem } of file.rows()) {
    try {
      if (problem !== undefined) throw problem;
      const found = fleetRow(value, row, file.place, map);
      fleet.push({ ...found, tags: withTags(found.tags, more) });
    } catch (error) {
      if (!isTolerant || !(error instanceof CommandError)) throw error;
      invalid.push({ row, name: "", device: "", result: "invalid", reason: error.why ?? error.message });
    }
  }
  refuseDoubles(fleet, file.place);
  if (fleet.length + invalid.length > 0) return { fleet, invalid };
  throw inputError(`${file.place} holds no devices.`, { next: "Write a header and a row per device." });
}

const withTags = (tags: readonly Tag[], more: readonly Tag[]): readonly Tag[] => [
  ...tags.filter(({ key }) => !more.some((tag) => tag.key === key)),
  ...more,
];

/** Two rows about the same device would depend on their order. */
function refuseDoubles(fleet: readonly FleetRow[], place: string): void {
  const seen = new Map<string, number>();
  for (const { row, name, serial } of fleet) {
    const key = serial === undefined ? `name ${name.toLowerCase()}` : `serial ${serial}`;
    const first = seen.get(key);
    if (first !== undefined) {
      throw inputError(`Rows ${first} and ${row} of ${place} are about the same device.`, {
        row,
        why: `Both have the ${key.replace(" ", ' "')}".`,
        next: "Leave one of them out; nothing was changed.",
      });
    }
    seen.set(key, row);
  }
}

async function refuseConflicts(writer: FleetWriter, fleet: readonly FleetRow[]): Promise<void> {
  for (const row of fleet) {
    const found = await writer.find(row);
    if (found === undefined) continue;
    throw conflictError(`Row ${row.row} is about a device that exists: ${found.id} "${found.name}".`, {
      code: "device.exists",
      why: `The profile has a device with the ${row.serial === undefined ? "name" : "serial number"} of that row.`,
      next: "Choose --on-conflict skip or update; nothing was changed.",
    });
  }
}

async function planOnly(ctx: CommandContext, writer: FleetWriter, fleet: readonly FleetRow[]): Promise<number> {
  for (const row of fleet) {
    const plan = await writer.plan(row);
    for (const { method, path, body } of plan.steps) await ctx.dryRun({ method, path, body });
  }
  return 0;
}

async function runOf(ctx: CommandContext, input: CommandInput, file: RowFile): Promise<JournalRun> {
  const { api } = await ctx.connection();
  const flags = [option(input, "format"), optionList(input, "map"), optionList(input, "tag")];
  return {
    key: ["device import", api, ctx.flags.profile ?? "", file.path],
    content: file.isCopy ? undefined : await contentOf(file.path, flags),
    what: `import of ${quote(file.place)}`,
  };
}

interface Work {
  readonly client: Resources;
  readonly journal: Journal;
  readonly writer: FleetWriter;
  readonly fleet: readonly FleetRow[];
  readonly isTolerant: boolean;
}

/** Writes row after row. Resolves to what ended it early, if anything did. */
async function writeAll(ctx: CommandContext, work: Work, results: RowResult[]): Promise<unknown> {
  const { journal, writer, fleet, isTolerant } = work;
  const progress = createProgress(ctx, ["Importing", "devices"]);
  try {
    for (const [i, row] of fleet.entries()) {
      if (ctx.signal.aborted) return stoppedError("Stopped.");
      progress.at(i, fleet.length);
      const base = { row: row.row, name: row.name };
      try {
        results.push({ ...base, ...(await writeRow(journal, writer, row)) });
      } catch (error) {
        results.push({ ...base, device: "", result: "failed", reason: messageOf(error) });
        const isOwn =
          error instanceof CommandError || (error instanceof ApiError && [400, 404, 409, 422].includes(error.status));
        if (!isOwn || !isTolerant) return error;
      }
    }
    return undefined;
  } finally {
    progress.end();
  }
}

type Written = Pick<RowResult, "device" | "result" | "reason">;

/** One row. The journal has a line before and after: a device that is there after the first line was made by it. */
async function writeRow(journal: Journal, writer: FleetWriter, row: FleetRow): Promise<Written> {
  const item = `row ${row.row}`;
  const mark = digest(row);
  const noted = journal.mark(item);
  if (noted !== undefined && noted.slice(1, 25) !== mark) {
    throw conflictError(`Row ${row.row} is another one now than when the import began.`, {
      code: "input.changed",
      next: "Bring the old file back, or start again without --resume.",
    });
  }
  if (noted?.startsWith("+") === true) return { device: noted.slice(26), result: "done before", reason: "" };
  const plan = await writer.plan(row, noted !== undefined);
  journal.add(item, `?${mark}`);
  const device = await writer.carryOut(row, plan);
  journal.add(item, `+${mark} ${device}`);
  return { device, result: plan.result, reason: plan.reason };
}

async function settle(
  ctx: CommandContext,
  journal: Journal,
  results: readonly RowResult[],
  stop: unknown,
  total: number,
): Promise<number> {
  const count = (...kinds: readonly RowResult["result"][]): number =>
    results.filter(({ result }) => kinds.includes(result)).length;
  const [created, updated, bad] = [count("created"), count("updated"), count("failed", "invalid")];
  const rest = count("unchanged", "skipped", "done before");
  const { label } = await ctx.connection();
  ctx.say.info(`Created ${created} and updated ${countOf(updated, "device")}, left ${rest} as they are, in ${label}.`);
  if (stop !== undefined) {
    ctx.say.warning(
      `Stopped after ${countText(created + updated + rest)} of ${countOf(total, "row")}; --resume goes on from there.`,
    );
    throw stop;
  }
  if (bad === 0) {
    journal.finish();
    return 0;
  }
  throw new CommandError(`${countText(bad)} of ${countText(total)} rows were not carried out.`, {
    code: "batch.partial",
    exit: 8,
    why: results.find(({ result }) => result === "failed" || result === "invalid")?.reason ?? "",
    next: "The report names each; mend them and import those.",
  });
}
