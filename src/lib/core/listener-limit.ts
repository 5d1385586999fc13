/** (node) Node's limit of listeners; browsers have none, so their build uses `listener-limit.browser.ts`. */
import { isNode } from "./platform.ts";

/** Lets one signal abort any number of calls: beyond ten listeners Node would warn about a leak. */
export function allowListeners(signal: AbortSignal): void {
  if (!isNode) return;
  try {
    process.getBuiltinModule("node:events").setMaxListeners(0, signal);
  } catch {
    // Signals of other implementations have no such limit.
  }
}
