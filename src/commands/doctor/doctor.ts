import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { type Diagnosis, failed, ok } from "./check.ts";
import { localChecks } from "./local.ts";
import { remoteChecks } from "./remote.ts";

async function environment(ctx: CommandContext): Promise<Diagnosis> {
  try {
    const { label, isProtected } = await ctx.target();
    return ok("environment", `${label}${isProtected ? ", protected" : ""}`);
  } catch (error) {
    return failed("environment", error);
  }
}

const columns: readonly Column<Diagnosis>[] = [
  { key: "state", kind: "id" },
  { key: "check", kind: "id" },
  { key: "detail" },
  { key: "next" },
];

export const doctor = defineCommand({
  path: [],
  result: rows(columns),
  effect: "reads",
  summary: "Check this machine, its settings and the connection",
  details:
    "Each check is ok, warning or error, with a fix. Exits with the code of the first error; warnings do not count.",
  options: [{ name: "offline", summary: "skip checks that need the network" }],
  toleratesBrokenSettings: true,
  examples: ["iot doctor", "iot doctor --offline --json"],
  exitCodes: { only: [3, 4, 10] },
  related: ["iot env current", "iot auth status", "iot config list --origin"],
  async run(ctx, input) {
    const place = await environment(ctx);
    const isOffline = input.options.offline || place.state === "error" || ctx.user.problem !== undefined;
    const findings = [...localChecks(ctx), place, ...(isOffline ? [] : await remoteChecks(ctx))];
    await ctx.out.list(findings, {
      columns,
      empty: "No checks were run.",
      idKey: "check",
    });
    // In a table the advice may be cut; people get it in full.
    if (ctx.io.stdoutIsTerminal) {
      for (const { check, next } of findings) if (next !== "") ctx.say.hint(`${check}: ${next}`);
    }
    return findings.find((finding) => finding.state === "error")?.exit ?? 0;
  },
});
