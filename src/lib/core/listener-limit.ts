/** (node) Node's limit of listeners; browsers have none and get another file in its place. */
import { isNode } from "./platform.ts";

/** Lets one signal stop any number of calls: beyond ten listeners Node would warn of a leak. */
export function allowListeners(signal: AbortSignal): void {
  if (!isNode) return;
  try {
    process.getBuiltinModule("node:events").setMaxListeners(0, signal);
  } catch {
    // A signal that is not Node's own has no such limit.
  }
}
