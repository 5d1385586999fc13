/** An environment variable of an analysis. */
export interface EnvironmentItem {
  /** Name of the variable. */
  readonly key: string;
  /** Always a string. */
  readonly value: string;
}

/**
 * Converts the environment variables of an analysis to an object. The last of equal keys wins.
 *
 * @example
 * ```ts
 * const { device_token } = Utils.envToJson(context.environment);
 * ```
 */
export function envToJson(
  environment: readonly (EnvironmentItem | Readonly<Record<string, string>>)[],
): Record<string, string> {
  const items = Array.isArray(environment) ? (environment as readonly (EnvironmentItem | null)[]) : [];
  // Not by assignment: `__proto__` is a key like any other.
  return Object.fromEntries(items.flatMap((item) => (item?.key === undefined ? [] : [[item.key, item.value]])));
}
