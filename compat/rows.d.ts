/** One call of a peer and how it went. */
export interface Row {
  readonly area: string;
  readonly call: string;
  readonly ok: boolean;
  readonly reason?: string;
  readonly ms: number;
}

/** A sandbox with the demo account. */
export interface Target {
  readonly url: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly inspectionHeaders: Readonly<Record<string, string>>;
  readonly profileId: string;
  /** First number of the peer's version. */
  readonly version: number;
}

export const areaNames: readonly string[];
export function runAreas(
  names: readonly string[],
  sdk: object,
  target: Target,
  report: (row: Row) => void,
): Promise<void>;
