import { isRecord } from "../../lib/core/json.ts";
import { addDuration, parseDuration } from "../core/duration.ts";
import type { QueryObject } from "../core/query.ts";
import type { EntityDocument } from "../store/document.ts";

/** Results cached; the oldest are removed first. They are whole responses, so a few must be enough. */
const MAX_KEPT = 200;

interface Kept {
  readonly result: unknown;
  readonly cachedAtMs: number;
  readonly untilMs: number;
}

/** A result and its time: null for one that is not cached. */
interface CachedResult {
  readonly result: unknown;
  readonly cacheTime: string | null;
}

/** Caches the results of widgets with a `cache.expiration` for that long. */
export class WidgetCache {
  readonly #kept = new Map<string, Kept>();

  read(widget: EntityDocument, part: string, query: QueryObject, nowMs: number, make: () => unknown): CachedResult {
    const cache = widget["cache"];
    const expiration = isRecord(cache) ? cache["expiration"] : undefined;
    const duration = typeof expiration === "string" ? parseDuration(expiration) : undefined;
    if (duration === undefined) return { result: make(), cacheTime: null };
    const { token: _, ...asked } = query;
    const key = JSON.stringify([widget.id, widget["updated_at"], part, asked]);
    const known = this.#kept.get(key);
    if (known !== undefined && nowMs >= known.cachedAtMs && nowMs < known.untilMs) {
      return { result: known.result, cacheTime: new Date(known.cachedAtMs).toISOString() };
    }
    const result = make();
    this.#kept.delete(key);
    this.#kept.set(key, { result, cachedAtMs: nowMs, untilMs: addDuration(nowMs, duration) });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return { result, cacheTime: new Date(nowMs).toISOString() };
  }
}
