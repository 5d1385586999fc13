import { MAX_REPLY_BYTES } from "../core/limits.ts";

/** The response arrived and cannot be used. The exchange adds its status. */
export class UnusableBody extends Error {
  readonly reason: "REPLY_TOO_LARGE" | "BAD_ENCODING";

  constructor(reason: UnusableBody["reason"], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** The error for a response above the limit. Another attempt would return the same, so it is final. */
export function replyTooLarge(): UnusableBody {
  const most = `${MAX_REPLY_BYTES / 1024 / 1024} MiB`;
  return new UnusableBody("REPLY_TOO_LARGE", `The reply is larger than ${most}, the most that is read`);
}

/** The error for a response whose Content-Encoding is not that of its bytes. */
export function badEncoding(why: string, cause: unknown): UnusableBody {
  return new UnusableBody("BAD_ENCODING", `The reply could not be decoded: ${why}`, cause);
}
