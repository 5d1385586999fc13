import { keyValue, optionList } from "../kit/command/arguments.ts";
import type { CommandInput, OptionSpec } from "../kit/command/define.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";

/** A parameter as the platform names it: `$1`. */
interface Param {
  readonly key: string;
  readonly value: string;
}

/** The flag that gives values of parameters. */
export const paramOption = (summary: string): OptionSpec => ({
  name: "param",
  value: "n=value",
  repeat: true,
  summary,
});

/** The parameters of `--param 1=x`, by number; `$1=x` means the same. */
export function paramsOf(input: CommandInput): readonly Param[] {
  const params = optionList(input, "param").map((text) => {
    const { key, value } = keyValue(text, "--param");
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
