import type { Command, CommandInput } from "../../kit/command/define.ts";
import { exitCodesOf } from "../../kit/command/exit-codes.ts";
import type { ArgumentSpec, OptionSpec, Options } from "../../kit/command/options.ts";
import { either, one, rows } from "../../kit/command/result.ts";
import { ruleOf } from "../../kit/command/rules.ts";
import type { CommandContext } from "../../kit/context.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { jobOptions } from "../../kit/jobs/run-job.ts";
import { queuedColumns } from "../../kit/rows/spread.ts";
import { resumeOptions } from "../../kit/state/journal.ts";
import { type BulkAction, type BulkInput, type BulkKind, bulkColumns, runBulk } from "./bulk.ts";
import { isSelecting, selectionOptions } from "./selection.ts";

/** What a command for one device does to many. */
export interface BulkForm<Given = CommandInput> {
  /** Those of both forms, where they differ from the command's. */
  readonly args?: readonly ArgumentSpec[];
  /** Additional flags; one of the same name replaces the command's. */
  readonly options?: Options;
  /** Flags of the bulk form alone. */
  readonly bulkOptions?: Options;
  readonly summary?: string;
  readonly details: string;
  readonly examples: readonly string[];
  /** Whether flags that select devices are about one device after all. */
  isSingle?(input: Given): boolean;
  /** The command line of one device as the command reads it. */
  single?(input: Given): CommandInput;
  /** The words that name a device, where not every `<id>` does. */
  named?(input: Given): readonly string[];
  action(ctx: CommandContext, input: Given): Promise<BulkAction>;
  /** How workers do it, where they may. */
  readonly kind?: BulkKind;
}

const reportOption = {
  name: "report",
  value: "file",
  file: "out",
  summary: "bulk form: write the result of each device to a CSV or ndjson file",
} as const satisfies OptionSpec;

/** The command, with a form for all devices that `--tag`, `--where` or `--ids` selects. */
export function withBulk(noun: string, command: Command, form: BulkForm): Command {
  const options = [...(command.options ?? []), ...bulkOptionsOf(form)];
  const { isSingle = () => false, single = (input) => input, named = () => [], action, kind } = form;
  return {
    ...command,
    summary: form.summary ?? command.summary,
    ...(form.args !== undefined && { args: form.args }),
    // Of two flags with one name, that of the form counts.
    options: options.filter(({ name }, at) => !options.slice(at + 1).some((other) => other.name === name)),
    groups: ["confirm", "dryRun"],
    details: [command.details, form.details].filter((text) => text !== undefined).join("\n\n"),
    examples: [...command.examples, ...form.examples],
    ...(command.result !== undefined && {
      result: either(command.result, rows(bulkColumns), ...(kind === undefined ? [] : [one(queuedColumns)])),
    }),
    exitCodes: [...exitCodesOf(command), 3, 6, 7, 8, 9],
    run(ctx: CommandContext, input: BulkInput, program) {
      if (!isSelecting(input) || isSingle(input))
        return command.run(ctx, single(input), program) as Promise<number | undefined>;
      if (named(input).length > 0) {
        throw usageError("A device and --tag, --where or --ids cannot be used together.", { next: "Use one of them." });
      }
      return runBulk(ctx, input, [noun, ...command.path].join(" "), () => action(ctx, input), kind);
    },
  };
}

/** The flags a form adds. Those of the bulk form need a selection, which excludes an id that names a device. */
function bulkOptionsOf({ options = [], bulkOptions = [], named, kind }: BulkForm): Options {
  const own = new Set(options.map(({ name }) => name));
  const selection = selectionOptions.filter(({ name }) => !own.has(name));
  const queue: Options = kind === undefined ? [] : jobOptions;
  const needs = selectionOptions.map(({ name }) => name);
  const bulkOnly = [...bulkOptions, reportOption, ...resumeOptions, ...queue].map((option) => ({ needs, ...option }));
  return [
    ...(named === undefined ? selection.map(withoutId) : selection),
    ...options,
    // A form with a `--tag` of its own takes it beside an id, where it selects nothing.
    ...(own.has("tag") ? bulkOnly.map(withoutId) : bulkOnly),
  ];
}

function withoutId(option: OptionSpec): OptionSpec {
  const { flags, ...rule } = ruleOf(option.conflicts);
  return { ...option, conflicts: { ...rule, flags: [...flags, "<id>"] } };
}
