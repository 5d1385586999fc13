import type { CommandContext } from "../kit/context.ts";
import { findInputs } from "../kit/widgets/inputs.ts";
import { judgeFiles } from "../kit/widgets/look.ts";
import type { Judged } from "../kit/widgets/outcome.ts";
import { validityOf } from "../kit/widgets/validity.ts";
import { type Finding, finding, readable } from "./finding.ts";

const nextOf = {
  invalid: 'See the schema: "iot widget schema <type>".',
  legacy: 'Convert it: "iot widget convert <file> --in-place".',
} as const;

/** Widgets that are not what their schemas say: one finding for each problem, at its line. */
export async function checkWidgets(ctx: CommandContext, files: readonly string[]): Promise<readonly Finding[]> {
  const { checkWidget } = await import("../../schema/widgets/check.ts");
  const found: Finding[] = [];
  const add = (judged: Judged): void => {
    const { result, problems } = validityOf(judged, checkWidget);
    if (result === "valid") return;
    const { file, label } = judged.outcome;
    const rule = result === "failed" ? "unreadable" : result;
    const next = rule === "invalid" || rule === "legacy" ? nextOf[rule] : null;
    for (const { path, message } of problems) {
      const text = rule === "unreadable" ? message : `Widget "${label}": ${message}`;
      found.push(finding("widgets", rule, text, { file, line: judged.lineOf?.(path) ?? null, next }));
    }
  };
  // Each file on its own: one that cannot be read is a finding.
  const { files: inputs, failures } = findInputs(ctx, files, undefined);
  for (const { name, error } of failures) {
    found.push(...(await readable(ctx, "widgets", name, () => Promise.reject(error))));
  }
  for (const input of inputs) {
    const problems = await readable(ctx, "widgets", input.name, async () => {
      for await (const judged of judgeFiles(ctx, { files: [input], failures: [] })) add(judged);
      return [];
    });
    found.push(...problems);
  }
  return found;
}
