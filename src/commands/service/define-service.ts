import type { Services } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import { countOf } from "../../text/count.ts";
import { analysisOption, asAnalysis, tokenDetails } from "../kit/analyses/service-client.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import type { BodyField } from "../kit/resource/body.ts";
import { bodyOptions, readBody } from "../kit/resource/body.ts";

type Body = Record<string, unknown>;

/** What one service needs to become a command. */
export interface ServiceSpec<Fields extends readonly BodyField[], Flags extends Options> {
  readonly verb: string;
  readonly summary: string;
  readonly details?: string;
  /** Path of its route, shown by `--dry-run`. */
  readonly path: string;
  readonly fields: Fields;
  readonly options?: Flags;
  /** Required fields, each with the flag that sets it. */
  readonly needs: Readonly<Record<string, string>>;
  readonly examples: readonly string[];
  readonly related?: readonly string[];
  /** Completes the body from flags and `--input`. */
  complete?(ctx: CommandContext, input: Input<[], readonly [...Fields, ...Flags]>, body: Body): Promise<void> | void;
  send(services: Services, body: Body): Promise<string>;
  /** The message as it goes over the wire, where that is not the body. */
  wire?(body: Body): Body;
}

const columns: readonly Column<{ readonly service: string; readonly result: string }>[] = [
  { key: "service" },
  { key: "result" },
];

/** A command that sends one message by a service. */
export function defineService<
  const Fields extends readonly BodyField[] = readonly BodyField[],
  const Flags extends Options = Options,
>(spec: ServiceSpec<Fields, Flags>): Command {
  return commandOf(spec);
}

function commandOf(spec: ServiceSpec<readonly BodyField[], Options>): Command {
  return defineCommand({
    path: [spec.verb],
    result: one(columns),
    effect: "changes",
    summary: spec.summary,
    details: [spec.details, tokenDetails].filter((text) => text !== undefined).join(" "),
    options: [...bodyOptions(spec.fields), ...(spec.options ?? []), analysisOption],
    examples: spec.examples,
    exitCodes: [3, 6, 9],
    ...defined({ related: spec.related }),
    async run(ctx, input) {
      const body = await readBody(ctx, input, spec.fields);
      await spec.complete?.(ctx, input, body);
      need(body, spec.needs);
      const shown = shownMessage(spec.wire?.(body) ?? body);
      if (await ctx.dryRun({ method: "POST", path: spec.path, body: shown })) return;
      const answer = await asAnalysis(ctx, input, (services) => spec.send(services, body));
      await ctx.out.item({ service: spec.verb, result: String(answer) }, { columns, idKey: "service" });
      await ctx.done(`Passed the message to ${spec.verb}`);
    },
  });
}

const LONGEST_CONTENT = 200;

/** A message as `--dry-run` shows it: long contents by their length. */
function shownMessage(body: Readonly<Body>): Body {
  const shown = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => shown("", item));
    if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(key, item)]));
    const isLong = name === "archive" && typeof value === "string" && value.length > LONGEST_CONTENT;
    return isLong ? `(${countOf(value.length, "character")} of base64)` : value;
  };
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, shown(name, value)]));
}

function need(body: Readonly<Body>, needs: Readonly<Record<string, string>>): void {
  for (const [member, example] of Object.entries(needs)) {
    const value = body[member];
    const isThere =
      value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
    if (isThere) continue;
    throw usageError(`The message needs ${member.replaceAll("_", " ")}.`, {
      code: "usage.missing_value",
      next: `Give it with ${example}, or in the --input file.`,
    });
  }
}
