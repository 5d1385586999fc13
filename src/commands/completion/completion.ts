import { defineCommand } from "../kit/command/define.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { didYouMean } from "../kit/failures/unknown-word.ts";
import { scripts } from "./scripts.ts";

export const completion = defineCommand({
  path: [],
  asks: "nothing",
  result: { shape: "text" },
  effect: "reads",
  summary: "Print a completion script for a shell",
  details:
    '"iot completion install" puts it where your shell finds it. By hand: the first lines of each script say how.',
  args: [
    {
      name: "shell",
      summary: "bash, zsh, fish or powershell",
      required: true,
      values: ["bash", "zsh", "fish", "powershell"],
    },
  ],
  examples: ["iot completion bash", "iot completion fish | source"],
  related: ["iot completion install"],
  async run(ctx, input) {
    const shell = input.args.shell;
    const script = scripts.get(shell);
    if (script === undefined) {
      throw usageError(`No completion for ${quote(shell)}.`, {
        code: "usage.invalid_value",
        why: `The shells are ${[...scripts.keys()].join(", ")}.`,
        ...didYouMean(shell, scripts.keys(), 'Run "iot completion bash".'),
      });
    }
    await ctx.out.raw(script);
  },
});
