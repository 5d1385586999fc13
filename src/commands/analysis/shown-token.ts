import type { AnalysisInfo } from "../../index.ts";
import { CommandError } from "../kit/failures/command-error.ts";

/**
 * The token of an analysis.
 *
 * @throws CommandError `analysis.no_token` when the platform shows none
 */
export function shownToken({ id, name, run_on, token }: AnalysisInfo): string {
  if (token) return token;
  const isExternal = run_on === "external";
  throw new CommandError(`Analysis "${name}" has no token to show.`, {
    code: "analysis.no_token",
    exit: 5,
    why: isExternal
      ? "The platform shows it only to tokens with enough permission."
      : "The platform shows the token of external analyses only.",
    next: isExternal
      ? "Use a token of the profile with the permission full, or one of the analysis itself."
      : `Use an external analysis, or switch this one with "iot analysis mode ${id} external".`,
  });
}
