/** The sandbox cannot see when an external run ends: its chain ends after this long without a new run. */
const EXTERNAL_MS = 10_000;

/**
 * Depth of each running analysis in a chain: an action runs it, it sends data, that fires an action, and so on. Without
 * this an analysis that triggers itself would never stop.
 */
export class Lineage {
  readonly #running = new Map<string, Set<{ readonly depth: number }>>();
  readonly #outside = new Map<string, { readonly depth: number; readonly untilMs: number }>();

  /** Records the start of a run; call the returned function at its end. */
  begin(analysisId: string, depth: number): () => void {
    const runs = this.#running.get(analysisId) ?? new Set();
    const run = { depth };
    runs.add(run);
    this.#running.set(analysisId, runs);
    return () => {
      runs.delete(run);
      if (runs.size === 0 && this.#running.get(analysisId) === runs) this.#running.delete(analysisId);
    };
  }

  /** Records a run that an external program handles. */
  external(analysisId: string, depth: number): void {
    const deepest = Math.max(depth, this.#outsideDepth(analysisId));
    this.#outside.set(analysisId, { depth: deepest, untilMs: performance.now() + EXTERNAL_MS });
  }

  depth(analysisId: string): number {
    return Math.max(
      this.#outsideDepth(analysisId),
      ...[...(this.#running.get(analysisId) ?? [])].map(({ depth }) => depth),
      0,
    );
  }

  clear(): void {
    this.#running.clear();
    this.#outside.clear();
  }

  #outsideDepth(analysisId: string): number {
    const entry = this.#outside.get(analysisId);
    if (entry === undefined) return 0;
    if (performance.now() < entry.untilMs) return entry.depth;
    this.#outside.delete(analysisId);
    return 0;
  }
}
