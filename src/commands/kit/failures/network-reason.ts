import { ApiError, RequestError } from "../../../lib/core/errors.ts";

/** The system's own word (`ECONNREFUSED`, `CERT_HAS_EXPIRED`) is deep in the chain of causes. */
export function networkCode(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth += 1) {
    const word = "reason" in at ? at.reason : "code" in at ? at.code : undefined;
    if (typeof word === "string" && /^(E[A-Z]+|UND_|CERT_|SELF_SIGNED|DEPTH_|UNABLE_|ERR_)/.test(word)) return word;
  }
  return error instanceof RequestError ? error.attempts.at(-1)?.code : undefined;
}

/** The certificate of the other side was not accepted. */
export const isTlsCode = (code: string | undefined): boolean =>
  code !== undefined && /CERT|SELF_SIGNED|DEPTH_|UNABLE_|TLS|SSL/.test(code);

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EPIPE: "connection lost",
  UND_ERR_SOCKET: "connection lost",
  ENOTFOUND: "unknown host",
  EAI_AGAIN: "DNS lookup failed",
  ETIMEDOUT: "connection timed out",
  TIMEOUT: "response timed out",
};

/** Why a request failed, in a few words. */
export function networkReason(error: unknown): string {
  if (error instanceof ApiError)
    return error.code === "INVALID_REPLY" ? error.message : `${error.status} ${error.statusText}`.trim();
  const code = networkCode(error);
  if (error instanceof RequestError) return words[code ?? ""] ?? error.attempts.at(-1)?.message ?? error.statusText;
  return words[code ?? ""] ?? String(error);
}
