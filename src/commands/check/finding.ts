import { sep } from "node:path";
import { cleanLine } from "../../text/clean.ts";
import type { Column } from "../kit/command/columns.ts";
import type { CommandContext } from "../kit/context.ts";
import { type Failure, toFailure } from "../kit/failures/failures.ts";

export const checkNames = ["profile", "widgets", "dictionaries", "types"] as const;
export type CheckName = (typeof checkNames)[number];

/** Something a check found. */
export interface Finding {
  readonly check: CheckName;
  readonly severity: "error" | "warning";
  /** Stable word for the kind of problem: `invalid`, `missing`, `unreadable`. */
  readonly rule: string;
  /** With slashes, relative to the current folder where it lies in there. */
  readonly file: string | null;
  readonly line: number | null;
  readonly message: string;
  readonly next: string | null;
}

export const findingColumns: readonly Column<Finding>[] = [
  { key: "check", kind: "id" },
  { key: "severity", kind: "id" },
  { key: "file", rank: 1 },
  { key: "line", kind: "number" },
  { key: "message", rank: 1 },
  { key: "next", rank: 3 },
  { key: "rule", kind: "id", hidden: true },
];

const warnings = new Set(["legacy", "unsupported", "removed"]);
const MAX_TEXT = 500;

/** One line without the marks by which CI systems know commands: they look for them in all that a job prints. */
const safe = (text: string): string => cleanLine(text, MAX_TEXT).replace(/##(?=(vso)?\[)/gi, "# #");

type Place = Partial<Pick<Finding, "file" | "line" | "next">>;

export function finding(check: CheckName, rule: string, message: string, place: Place = {}): Finding {
  const { file = null, line = null, next = null } = place;
  return {
    check,
    severity: warnings.has(rule) ? "warning" : "error",
    rule,
    file: file === null ? null : safe(file.split(sep).join("/")),
    line,
    message: safe(message),
    next: next === null ? null : safe(next),
  };
}

const isAboutFile = ({ code, exit }: Failure): boolean => exit === 3 || code.startsWith("file.");

/** Runs a check; an unreadable file becomes a finding, so that the other checks continue. */
export async function readable(
  ctx: Pick<CommandContext, "cwd">,
  check: CheckName,
  file: string | null,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    const failure = toFailure(error);
    if (!isAboutFile(failure)) throw error;
    const { message, why = "", next = null } = failure;
    // The same text on every machine.
    const text = `${message} ${why}`.trim().replaceAll(`${ctx.cwd}${sep}`, "");
    return [finding(check, "unreadable", text, { file, next })];
  }
}
