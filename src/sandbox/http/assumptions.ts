import type { ServerResponse } from "node:http";
import type { Gap } from "../core/gap.ts";
import { PlatformError } from "../core/platform-error.ts";

/** Header that names the assumptions a response rests on. */
export const GAP_HEADER = "x-sandbox-gap";

/** Whether requests that rest on an assumption are rejected. Can be switched while the sandbox runs. */
export interface Strictness {
  isOn: boolean;
}

/** Records that the response rests on an assumption. Throws when the sandbox is strict. */
export type Assume = (gap: Gap) => void;

/** The subjects named for a response so far. */
export function gapsNamed(outgoing: ServerResponse): string | undefined {
  const value = outgoing.getHeader(GAP_HEADER);
  return typeof value === "string" ? value : undefined;
}

/** Names assumptions in a header of the response; in strict mode the first one becomes a `PlatformError` 501. */
export function createAssume(outgoing: ServerResponse, strict: Strictness): Assume {
  return ({ subject, choice, general }) => {
    if (general === true || outgoing.headersSent) return;
    const named = gapsNamed(outgoing)?.split("; ") ?? [];
    if (!named.includes(subject)) outgoing.setHeader(GAP_HEADER, [...named, subject].join("; "));
    if (strict.isOn)
      throw new PlatformError(
        501,
        `Unknown platform behavior (strict mode): ${subject}. The sandbox assumes: ${choice}`,
      );
  };
}
