import type { OptionSpec } from "../kit/command/options.ts";
import { type Pair, quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";

/** A parameter as the platform names it: `$1`. */
interface Param {
  readonly key: string;
  readonly value: string;
}

/** The flag that sets values of parameters. */
export const paramOption = (summary: string) =>
  ({ name: "param", kind: "pair", value: "n=value", repeat: true, summary }) as const satisfies OptionSpec;

/** The parameters of `--param 1=x`, by number; `$1=x` means the same. */
export function paramsOf(given: readonly Pair[]): readonly Param[] {
  const params = given.map(({ key, value }) => {
    const [, number] = /^\$?([1-9]\d{0,2})$/.exec(key) ?? [];
    if (number === undefined) {
      throw usageError(`--param needs the number of a parameter, not ${quote(key)}.`, {
        next: "Use --param 1=x for $1 in the statement.",
      });
    }
    return { key: `$${number}`, value };
  });
  const twice = params.find(({ key }, at) => params.findIndex((other) => other.key === key) !== at);
  if (twice === undefined) return params;
  throw usageError(`--param sets ${twice.key} twice.`, { next: "Give each parameter once." });
}
