import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";

export const columns = [{ key: "email", kind: "id" }, { key: "status" }] as const;

export function emailOf(text: string): string {
  if (/^[^\s@/?#]+@[^\s@/?#]+$/.test(text)) return text;
  throw usageError(`${quote(text)} is not a valid email address.`, {
    why: "The platform identifies accounts by their email address.",
    next: "Use an address such as jo@example.org.",
  });
}

export const emailArgument = { name: "email", summary: "email address of the account" } as const;
