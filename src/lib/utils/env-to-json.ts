/** One of the variables of an analysis. */
export interface EnvironmentItem {
  /** Name the script reads it by. */
  readonly key: string;
  /** Always a text. */
  readonly value: string;
}

/**
 * Turns the variables of an analysis into an object. Of equal keys the last one counts.
 *
 * @example
 * ```ts
 * const { device_token } = Utils.envToJson(context.environment);
 * ```
 */
export function envToJson(environment: readonly EnvironmentItem[]): Record<string, string> {
  const items = Array.isArray(environment) ? (environment as readonly (EnvironmentItem | null)[]) : [];
  // Not by assignment: `__proto__` is a key like any other.
  return Object.fromEntries(items.flatMap((item) => (item?.key === undefined ? [] : [[item.key, item.value]])));
}
