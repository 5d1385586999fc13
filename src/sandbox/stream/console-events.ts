import type { RequestLogEntry } from "../http/request-log.ts";
import type { Hub } from "./hub.ts";

export const CONSOLE_CHANNEL = "sandbox_live";

/** Events of all profiles for the console in the browser. */
export type ConsoleEvent =
  | {
      readonly type: "data";
      readonly device: string;
      readonly name: unknown;
      /** The last of the records that were stored. */
      readonly records: readonly unknown[];
      /** How many were stored. */
      readonly amount: number;
    }
  | {
      readonly type: "console";
      readonly analysis: string;
      readonly timestamp: string;
      readonly message: string;
      readonly isError: boolean;
    }
  | { readonly type: "request"; readonly entry: RequestLogEntry }
  | { readonly type: "outbox"; readonly kind: string }
  | { readonly type: "changed"; readonly kind: string; readonly event: string; readonly id: string }
  | { readonly type: "clock" | "replaced" }
  /** Of a console on an account: the stream of the platform was interrupted. */
  | { readonly type: "reconnected" }
  /** Of a console on an account: requests sent to the platform so far. */
  | { readonly type: "used"; readonly requests: number };

/** Notifies open consoles once the writes of the request are committed; costs next to nothing without one. */
export function tellConsole(hub: Hub, payload: ConsoleEvent): void {
  hub.publish({ channel: CONSOLE_CHANNEL, profile: "", payload });
}
