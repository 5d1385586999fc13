import type { AnalysisEnvironment, EnvironmentItem } from "../analysis/context.ts";

/**
 * Converts the environment variables of an analysis to an object. The last of equal keys wins.
 *
 * @example
 * ```ts
 * const { device_token } = Utils.envToJson(context.environment);
 * ```
 */
export function envToJson(environment: readonly Readonly<AnalysisEnvironment>[]): Record<string, string> {
  const items = Array.isArray(environment) ? (environment as readonly (EnvironmentItem | null)[]) : [];
  // Not by assignment: `__proto__` is a key like any other.
  return Object.fromEntries(items.flatMap((item) => (item?.key === undefined ? [] : [[item.key, item.value]])));
}
