import { defined } from "../../lib/core/defined.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { value } from "../kit/command/result.ts";
import { dataDirFrom, explainStart, seedFrom, seedOptions } from "./options.ts";

export const seedCommand: Command = defineCommand({
  path: ["seed"],
  asks: "nothing",
  result: value({ type: ["string", "null"], description: "Folder of the data." }),
  effect: "local",
  summary: "Create the demo account or a scenario in a data folder",
  details:
    'Starts no server. A folder that already contains a sandbox is not changed; to reset a running one, use "iot sandbox reset".',
  options: [
    { name: "data-dir", file: "in", value: "folder", summary: "data folder (default: in the user's state folder)" },
    ...seedOptions,
  ],
  examples: ["iot sandbox seed --data-dir plant", "iot sandbox seed --data-dir bare --seed empty"],
  exitCodes: [7],
  related: ["iot sandbox start", "iot sandbox reset"],
  async run(ctx, input) {
    const dataDir = dataDirFrom(ctx, input.options.dataDir);
    ctx.status.show("progress", () => "Creating the data");
    const { createSandbox } = await import("../../sandbox/index.ts");
    const seed = seedFrom(ctx, input);
    const sandbox = await createSandbox({
      ...defined({ dataDir, seed }),
      tokens: "random",
    }).catch((error: unknown) => {
      throw explainStart(error, undefined);
    });
    await sandbox.close();
    ctx.status.show("progress", undefined);
    await ctx.out.value(dataDir);
    ctx.say.info('The folder is ready for "iot sandbox start --data-dir".');
  },
});
