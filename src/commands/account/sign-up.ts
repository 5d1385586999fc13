import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";

export const columns = [{ key: "email", kind: "id" }, { key: "status" }] as const;

export function emailOf(text: string): string {
  if (/^[^\s@/?#]+@[^\s@/?#]+$/.test(text)) return text;
  throw usageError(`${quote(text)} is no e-mail address.`, {
    why: "The platform finds accounts by their e-mail.",
    next: "Write it like jo@example.org.",
  });
}

export const emailArgument = { name: "email", summary: "e-mail of the account" } as const;
