import type { AnalysisInfo } from "../../../index.ts";
import { CommandError } from "../failures/command-error.ts";

/**
 * The token of an analysis.
 *
 * @throws CommandError `analysis.no_token` when the platform shows none
 */
export function shownToken({ id, name, run_on, token }: AnalysisInfo): string {
  if (token) return token;
  const isExternal = run_on === "external";
  throw new CommandError(`The token of analysis "${name}" is not available.`, {
    code: "analysis.no_token",
    exit: 5,
    why: isExternal
      ? "The platform shows it only to tokens with sufficient permission."
      : "The platform shows tokens only for external analyses.",
    next: isExternal
      ? "Use a profile token with full permission, or a token of the analysis."
      : `Use an external analysis, or switch this one with "iot analysis mode ${id} external".`,
  });
}
