import { option, optionFlag } from "../../kit/command/arguments.ts";
import type { ArgumentSpec, Command, CommandInput, OptionSpec } from "../../kit/command/define.ts";
import { exitCodesOf } from "../../kit/command/exit-codes.ts";
import { either, one, rows } from "../../kit/command/result.ts";
import type { CommandContext } from "../../kit/context.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { jobOptions } from "../../kit/jobs/run-job.ts";
import { queuedColumns } from "../../kit/rows/spread.ts";
import { resumeOptions } from "../../kit/state/journal.ts";
import { type BulkAction, type BulkKind, bulkColumns, runBulk } from "./bulk.ts";
import { isSelecting, selectionOptions } from "./selection.ts";

/** What a command for one device does to many. */
export interface BulkForm {
  /** Those of both forms, where they differ from the command's. */
  readonly args?: readonly ArgumentSpec[];
  /** Flags besides; one of the same name takes the place of the command's. */
  readonly options?: readonly OptionSpec[];
  /** Flags of the bulk form alone. */
  readonly bulkOptions?: readonly OptionSpec[];
  readonly summary?: string;
  readonly details: string;
  readonly examples: readonly string[];
  /** Whether flags that select devices are about one device after all. */
  isSingle?(input: CommandInput): boolean;
  /** The command line of one device as the command reads it. */
  single?(input: CommandInput): CommandInput;
  /** The arguments that name a device. */
  named(input: CommandInput): readonly string[];
  action(ctx: CommandContext, input: CommandInput): Promise<BulkAction>;
  /** How workers do it, where they may. */
  readonly kind?: BulkKind;
}

const reportOption: OptionSpec = {
  name: "report",
  value: "file",
  file: "out",
  summary: "bulk form: write the result of each device to a CSV or ndjson file",
};

/** The command, with a form for all devices that `--tag`, `--where` or `--ids` selects. */
export function withBulk(noun: string, command: Command, form: BulkForm): Command {
  const queue = form.kind === undefined ? [] : jobOptions;
  const bulkOnly = [...(form.bulkOptions ?? []), reportOption, ...resumeOptions, ...queue];
  const added = [...(form.options ?? []), ...bulkOnly];
  const own = new Set([...added, ...selectionOptions].map(({ name }) => name));
  const tag = form.options?.find(({ name }) => name === "tag");
  const selection = selectionOptions.filter(({ name }) => tag === undefined || name !== "tag");
  const { isSingle = () => false, single = (input) => input, named, action, kind } = form;
  return {
    ...command,
    summary: form.summary ?? command.summary,
    ...(form.args !== undefined && { args: form.args }),
    options: [...(command.options ?? []).filter(({ name }) => !own.has(name)), ...selection, ...added],
    groups: ["confirm", "dryRun"],
    details: [command.details, form.details].filter((text) => text !== undefined).join("\n\n"),
    examples: [...command.examples, ...form.examples],
    ...(command.result !== undefined && {
      result: either(command.result, rows(bulkColumns), ...(kind === undefined ? [] : [one(queuedColumns)])),
    }),
    exitCodes: [...exitCodesOf(command), 3, 6, 7, 8, 9],
    run(ctx: CommandContext, input: CommandInput, program) {
      if (!isSelecting(input) || isSingle(input)) {
        refuseAlone(input, bulkOnly);
        return command.run(ctx, single(input), program) as Promise<number | undefined>;
      }
      if (named(input).length > 0) {
        throw usageError("A device and --tag, --where or --ids cannot be used together.", { next: "Use one of them." });
      }
      return runBulk(ctx, input, [noun, ...command.path].join(" "), action, kind);
    },
  };
}

/** Flags that would be ignored without a selection. */
function refuseAlone(input: CommandInput, bulkOnly: readonly OptionSpec[]): void {
  const given = bulkOnly.find(({ name }) => option(input, name) !== undefined || optionFlag(input, name));
  if (given === undefined) return;
  throw usageError(`--${given.name} needs --tag, --where or --ids.`, { next: "Select the devices with one of them." });
}
