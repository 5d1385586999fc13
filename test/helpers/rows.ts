import type { Operation } from "./operations.ts";

/** Makes the rows of a table: name of the method, the request it must send, the call, and what is special. */
export const rowsOf =
  <Subject>() =>
  (
    method: string,
    sends: string,
    call: Operation<Subject>["call"],
    more: Omit<Operation<Subject>, "method" | "sends" | "call"> = {},
  ): Operation<Subject> => ({ method, sends, call, ...more });

/** A moment as the platform writes it, and what callers get for it where it is converted. */
export const moment = "2024-03-05T10:20:30.000Z";
export const date = new Date(moment);

/** Query of a list call that names nothing. */
export function listQuery(fields: readonly string[], orderBy: string): string {
  return `page=1${fields.map((field, index) => `&fields[${index}]=${field}`).join("")}&amount=20&orderBy=${orderBy}`;
}
