/** (node) Lets one signal stop any number of calls: beyond ten listeners Node would warn of a leak. */
export function allowListeners(signal: AbortSignal): void {
  process.getBuiltinModule("node:events").setMaxListeners(0, signal);
}
