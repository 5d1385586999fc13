import type { checkWidget, SchemaProblem } from "../../../schema/widgets/check.ts";
import type { Judged } from "./outcome.ts";

/** Whether a widget is what its schema says. */
export interface Validity {
  readonly result: "valid" | "invalid" | "legacy" | "unsupported" | "failed";
  /** A path of "" is the widget as a whole. */
  readonly problems: readonly SchemaProblem[];
}

const whole = (message: string): SchemaProblem => ({ path: "", message });

export function validityOf({ outcome, before, source }: Judged, check: typeof checkWidget): Validity {
  if (outcome.verdict === "failed") return { result: "failed", problems: outcome.notes.map(whole) };
  if (before === "legacy" || before === "mixed") {
    return { result: "legacy", problems: [whole("It has keys of the legacy structure; convert it first.")] };
  }
  const problems = check(source);
  if (problems !== undefined) return { result: problems.length > 0 ? "invalid" : "valid", problems };
  const notes = outcome.notes.length > 0 ? outcome.notes : ["There is no schema for its type."];
  return { result: before === "invalid" ? "invalid" : "unsupported", problems: notes.map(whole) };
}
