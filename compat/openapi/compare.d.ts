import type { Target } from "../rows.d.ts";

/**
 * Compares the answers of a sandbox with an OpenAPI file. Reports a line for each difference that is not listed and each
 * listed one that no longer occurs, and two that count; returns whether there was none.
 */
export function compareFile(
  sandbox: Pick<Target, "url" | "tokens">,
  operations: readonly object[],
  listed: readonly object[],
  report: (line: string) => void,
  only?: readonly string[],
): Promise<boolean>;
