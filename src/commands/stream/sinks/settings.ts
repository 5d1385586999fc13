import { CommandError, notFoundError } from "../../kit/failures/command-error.ts";
import type { SinkAddress } from "./address.ts";

/** What a sink is opened with. */
export interface SinkSettings extends SinkAddress {
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly token: string | undefined;
  /** Own authorities to trust besides the usual ones. */
  readonly tls: { readonly ca?: string[] };
}

/** How long an engine has to accept a connection, or to acknowledge. */
export const ANSWER_MS = 10_000;

/** The engine rejects user, password or target: no record can be delivered. */
export function denied({ label }: SinkAddress, why: string, cause?: unknown): CommandError {
  return new CommandError(`${label} rejects the records.`, {
    code: "sink.denied",
    exit: 5,
    why,
    next: "Check IOT_SINK_USER and IOT_SINK_PASSWORD (or IOT_SINK_TOKEN), and what this user may write to.",
    cause,
  });
}

/** What the records would go to does not exist: nothing would store and acknowledge them. */
export function noTarget(what: string): CommandError {
  return notFoundError(`The engine has no ${what}.`, {
    code: "sink.no_target",
    why: "Without it, nothing stores the records and acknowledges them.",
    next: "Create it, or correct the address of --to.",
  });
}
