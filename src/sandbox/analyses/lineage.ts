/** An external run has no end the sandbox could see: after this long without a new one its chain is over. */
const EXTERNAL_MS = 10_000;

/**
 * How deep in a chain each analysis is at work: an action runs it, it sends data, that fires an action, and so on.
 * Without this an analysis that fires itself would never stop.
 */
export interface Lineage {
  /** A run has begun; call the answer at its end. */
  begin(analysisId: string, depth: number): () => void;
  /** A run was handed to a program outside. */
  external(analysisId: string, depth: number): void;
  depth(analysisId: string): number;
  clear(): void;
}

export function createLineage(): Lineage {
  const running = new Map<string, Set<{ readonly depth: number }>>();
  const outside = new Map<string, { readonly depth: number; readonly untilMs: number }>();

  const outsideDepth = (analysisId: string): number => {
    const entry = outside.get(analysisId);
    if (entry === undefined) return 0;
    if (performance.now() < entry.untilMs) return entry.depth;
    outside.delete(analysisId);
    return 0;
  };

  return {
    begin: (analysisId, depth) => {
      const runs = running.get(analysisId) ?? new Set();
      const run = { depth };
      runs.add(run);
      running.set(analysisId, runs);
      return () => {
        runs.delete(run);
        if (runs.size === 0 && running.get(analysisId) === runs) running.delete(analysisId);
      };
    },
    external: (analysisId, depth) => {
      const deepest = Math.max(depth, outsideDepth(analysisId));
      outside.set(analysisId, { depth: deepest, untilMs: performance.now() + EXTERNAL_MS });
    },
    depth: (analysisId) =>
      Math.max(outsideDepth(analysisId), ...[...(running.get(analysisId) ?? [])].map(({ depth }) => depth), 0),
    clear: () => {
      running.clear();
      outside.clear();
    },
  };
}
