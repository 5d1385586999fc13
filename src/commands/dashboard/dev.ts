import type { Resources } from "../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { value } from "../kit/command/result.ts";
import { pageOptions } from "../kit/pages/options.ts";
import { showPage } from "../kit/pages/show.ts";

/** What a page may ask for. */
async function call({ sql }: Resources, op: string, body: Readonly<Record<string, unknown>>): Promise<unknown> {
  if (op === "list") return sql.list({ amount: ALL_ROWS_AMOUNT, fields: ["id", "name"] });
  const params = Array.isArray(body["params"]) && body["params"].length > 0 ? { params: body["params"] } : {};
  return sql.execute(String(body["id"]), params);
}

export const devDashboard: Command = defineCommand({
  path: ["dev"],
  effect: "reads",
  summary: "Show a custom dashboard page while you write it",
  details:
    "Serves one HTML file in a frame on this machine. It lists and runs the stored queries of the environment, with the rows, " +
    "codes and messages that the platform returns, and is loaded again when the file changes. Beside it are its messages, " +
    "errors and blocked requests. With --as it is shown to a portal user. The page gets no token, and reaches nothing but " +
    "the page around it. The URL works once, within one minute.",
  args: [{ name: "file", file: "in", summary: "HTML file of the page", required: true }],
  options: pageOptions,
  result: value({ type: "string", description: "The URL." }),
  examples: [
    "iot dashboard dev examples/pages/warm-freezers.html --no-browser --for 1s",
    'iot dashboard dev examples/pages/warm-freezers.html --as "name:Oda Operator" --theme dark --no-browser --for 1s',
  ],
  exitCodes: [3, 6],
  related: ["iot sql list", "iot sql run", "iot widget dev"],
  async run(ctx, input) {
    const file = ctx.path(input.args.file);
    // A platform that does not respond is found before the page asks for its rows.
    await (await ctx.client()).sql.list({ amount: 1 });
    const build = async () => ({ html: await ctx.readInput(input.args.file, "The page"), inputs: [file] });
    await showPage(ctx, input, { kind: "dashboard", file, build, call });
  },
});
