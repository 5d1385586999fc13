import { z } from "zod";
import { VARIABLE_MAX_CHARS } from "../../lib/core/limits.ts";
import { duration, offset } from "./durations.ts";

const whole = () => z.number().int().nonnegative();
const plain = () => z.union([z.string(), z.number(), z.boolean()]);
const place = () => z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);

/** What a sample of a series is computed from. */
function variableSchemas() {
  const span = duration();

  /** `count` samples of each `of`, from the one numbered `from`; with `every` spans of time are counted, not samples. */
  const phase = { every: span.optional(), of: whole().min(1), from: whole().default(0), count: whole().default(1) };

  /** What is added up to a number, in the order written; `noise` and `random` draw from the stream of the device. */
  const term = z.union(
    [
      z.number(),
      z.strictObject({ daily: z.number(), peak: z.number() }),
      z.strictObject({ season: z.number(), days: z.number().positive() }),
      z.strictObject({ noise: z.number() }),
      z.strictObject({ random: z.number() }),
      z.strictObject({ cycle: z.array(z.number()).min(1), every: span.optional() }),
      z.strictObject({ pulse: z.number(), ...phase }),
      z.strictObject({ step: z.number(), modulo: z.number().positive().optional(), factor: z.number().default(1) }),
    ],
    "Must be a number, or one of daily, season, noise, random, cycle, pulse and step with its settings",
  );

  const variable = z.strictObject({
    variable: z.string().min(1).max(VARIABLE_MAX_CHARS),
    value: z.union(
      [plain(), z.array(term).min(1), z.strictObject({ cycle: z.array(plain()).min(1), every: span.optional() })],
      "Must be a value, a list of terms or a cycle",
    ),
    /** Digits behind the point of a sum. */
    digits: whole().max(10).default(1),
    min: z.number().optional(),
    max: z.number().optional(),
    unit: z.string().optional(),
    /** A text, or the numbers of a sum: `{"value": [...terms], "digits": 0}`. */
    metadata: z
      .record(
        z.string(),
        z.union([z.strictObject({ value: z.array(term).min(1), digits: whole().default(0) }), z.unknown()]),
      )
      .optional(),
    location: z
      .union([
        place(),
        z.strictObject({ center: place(), radius: z.tuple([z.number(), z.number()]), turns: z.number().positive() }),
      ])
      .optional(),
    /** Another value at times, which draws nothing. */
    instead: z.strictObject({ value: plain(), unit: z.string().optional(), ...phase }).optional(),
  });

  return { term, variable };
}

/** Made on use: most starts read no seed. */
export function historySchemas() {
  const moment = offset();
  const { term, variable } = variableSchemas();

  /** A row written out. */
  const reading = z.strictObject({
    variable: z.string().min(1).max(VARIABLE_MAX_CHARS),
    value: plain().optional(),
    unit: z.string().optional(),
    location: place().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  });

  const stream = z.string().max(100).optional();

  const series = z.strictObject({
    /** Chooses the random numbers. Default: the id of the device. */
    stream,
    every: duration(),
    /** Most samples of a series. */
    samples: whole().min(1).max(100_000),
    /** When the last one was. Default: the start. */
    until: moment.default(0),
    /** Spans without samples: from, to. */
    gaps: z.array(z.tuple([moment, moment])).default([]),
    /** Rows one step before the first. */
    before: z.array(reading).default([]),
    variables: z.array(variable).min(1).max(50),
  });

  const list = z.strictObject({ stream, rows: z.array(reading).max(10_000) });

  /** What a device holds: series that follow from a formula, and rows that are written out. */
  const history = z.union(
    [z.array(z.union([series, list])), series.transform((one) => [one]), list.transform((one) => [one])],
    {
      error: ({ input }) =>
        `Must be a series with "every", "samples" and "variables", or "rows": ${problemOf(input, series, list) ?? "it is neither"}`,
    },
  );

  return { history, term, variable, series, reading };
}

/** The first problem of what was most likely meant: a union alone says only that nothing fits. */
function problemOf(input: unknown, series: z.ZodType, list: z.ZodType): string | undefined {
  const [first] = Array.isArray(input) ? input : [input];
  const isList = typeof first === "object" && first !== null && "rows" in first;
  const parts: readonly unknown[] = Array.isArray(input) ? input : [input];
  for (const part of parts) {
    const issue = (isList ? list : series).safeParse(part).error?.issues[0];
    if (issue !== undefined) return `${issue.path.join(".")} ${issue.message}`.trim();
  }
  return undefined;
}

type Schemas = ReturnType<typeof historySchemas>;
export type Term = z.infer<Schemas["term"]>;
export type Variable = z.infer<Schemas["variable"]>;
export type Series = z.infer<Schemas["series"]>;
export type Reading = z.infer<Schemas["reading"]>;
export type History = z.infer<Schemas["history"]>;
