import type { PlatformError } from "../core/platform-error.ts";
import type { Answer } from "./handler.ts";
import type { Reply } from "./respond.ts";

const JSON_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json; charset=utf-8",
};

function isAnswer(value: unknown): value is Answer {
  return typeof value === "object" && value !== null && "answer" in value && value.answer === true;
}

/** The envelope of a success. */
export function successReply(result: unknown): Reply {
  const answer = isAnswer(result) ? result : undefined;
  const value = answer === undefined ? result : answer.result;
  const json = answer?.json ?? JSON.stringify(value ?? null);
  return {
    status: answer?.status ?? 200,
    text: `{"status":true,"result":${json}}`,
    headers: JSON_HEADERS,
  };
}

/** The envelope of an error. */
export function failureReply(error: PlatformError): Reply {
  const { status, fieldErrors, retryAfterSeconds } = error;
  const message = error.messages ?? error.message;
  const body =
    fieldErrors === undefined ? { status: false, message } : { status: false, message, field_errors: fieldErrors };
  const headers =
    retryAfterSeconds === undefined ? JSON_HEADERS : { ...JSON_HEADERS, "retry-after": String(retryAfterSeconds) };
  return { status, text: JSON.stringify(body), headers };
}
