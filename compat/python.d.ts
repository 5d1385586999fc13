import type { Row, Target } from "./rows.d.ts";

/** What the package needs to know of a sandbox. */
export function runPython(target: Omit<Target, "version">, report: (row: Row) => void): Promise<void>;
