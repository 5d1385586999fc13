/** Browsers do not limit the listeners of a signal. */
export function allowListeners(_signal: AbortSignal): void {}
