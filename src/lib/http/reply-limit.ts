import { MAX_REPLY_BYTES } from "../core/limits.ts";
import { TransportError } from "./transport.ts";

/** The error for a response above the limit. Another attempt would return the same, so it is final. */
export function replyTooLarge(): TransportError {
  return new TransportError(`The reply is larger than ${MAX_REPLY_BYTES / 1024 / 1024} MiB, the most that is read`, {
    code: "UNKNOWN",
    reason: "REPLY_TOO_LARGE",
    maybeSent: true,
  });
}
