/** A widget as dashboards stored it before the present format. */
export interface LegacyWidget {
  readonly label: string;
  readonly type: string;
  readonly display: Readonly<Record<string, unknown>>;
  readonly data?: readonly LegacySource[];
  readonly resource?: readonly object[];
  readonly analysis_run?: string;
  readonly realtime?: boolean | string | null;
}

/** Where a legacy widget takes its values. */
export interface LegacySource {
  readonly origin: string;
  readonly bucket: string;
  readonly variables: readonly string[];
  readonly query?: string;
  readonly qty?: number;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly timezone?: string;
  readonly overwrite?: boolean;
  readonly interval?: string;
  readonly function?: string;
  readonly is_hide?: boolean;
  readonly is_global_time_data?: boolean;
}

/** A source of the last values. The bucket was once a thing of its own; its id is that of the device. */
export function source(origin: string, variables: readonly string[], more: Partial<LegacySource> = {}): LegacySource {
  return { origin, bucket: origin, query: "last_value", variables, ...more };
}

/** Settings per variable are keyed by device id and variable, written together. */
export function perVariable<T>(origin: string, settings: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(settings).map(([variable, value]) => [`${origin}${variable}`, value]));
}

/** Form fields are keyed the other way round. */
export function perField<T>(origin: string, settings: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(settings).map(([variable, value]) => [`${variable}${origin}`, value]));
}

/** Keys nearly every stored legacy display has. */
export const common = { header_buttons: [], help: "", watermark: false } as const;
