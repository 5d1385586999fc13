/** How long a test waits for what never comes: no limit of any speed, so far above what a busy machine needs. */
export const HANG_MS = 300_000;

/**
 * Waits until a condition holds; fails when that never happens. One that waits itself, because it asks a program, is
 * tried less often.
 */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string | Promise<string>),
): Promise<void> {
  const deadline = performance.now() + HANG_MS;
  for (;;) {
    const holds = condition();
    if (typeof holds === "boolean" ? holds : await holds) return;
    if (performance.now() > deadline)
      throw new Error(`Waited ${HANG_MS} ms in vain for: ${typeof what === "string" ? what : await what()}`);
    const pauseMs = typeof holds === "boolean" ? 2 : 20;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
