import { ApiError } from "../../../lib/core/errors.ts";

/** Whether the platform does not have what was requested. Some requests return 400, and only the message shows it. */
export function isNotFound({ status, message }: ApiError): boolean {
  if (status === 404 || status === 410) return true;
  return status === 400 && /^invalid [\w ]*id$|can't be found$/i.test(message);
}

/** The same of anything that was thrown. */
export function isUnknownId(error: unknown): boolean {
  return error instanceof ApiError && isNotFound(error);
}
