import { toFailure } from "../kit/failures/failures.ts";

/** What a check found. */
export interface Diagnosis {
  readonly check: string;
  readonly state: "ok" | "warning" | "error";
  readonly detail: string;
  /** What to do; empty when all is well. */
  readonly next: string;
  /** Exit code of the program when this is the first error. */
  readonly exit?: number;
}

export const ok = (check: string, detail: string): Diagnosis => ({ check, state: "ok", detail, next: "" });

export const warning = (check: string, detail: string, next: string): Diagnosis => ({
  check,
  state: "warning",
  detail,
  next,
});

export const problem = (check: string, detail: string, next: string, exit = 1): Diagnosis => ({
  check,
  state: "error",
  detail,
  next,
  exit,
});

/** A check that failed with an error. */
export function failed(check: string, error: unknown): Diagnosis {
  const { message, why, next = "", exit } = toFailure(error);
  return problem(check, why === undefined ? message : `${message} ${why}`, next, exit);
}
