/** Kind of a value, in the words of JSON Schema. */
export type ValueKind = "string" | "number" | "integer" | "boolean" | "any";

export interface FieldModel {
  readonly name: string;
  readonly kind: ValueKind;
  /** `timestamp`, `uuid` ...: what the platform calls it. */
  readonly type: string;
  readonly required: boolean;
}

export interface EntityModel {
  readonly name: string;
  readonly fields: readonly FieldModel[];
}

export interface VariableModel {
  readonly name: string;
  /** Kinds of the values seen; empty if the variable only has locations. */
  readonly kinds: readonly ValueKind[];
  readonly unit?: string;
}

export interface DeviceModel {
  readonly name: string;
  readonly variables: readonly VariableModel[];
}

export interface DictionaryModel {
  readonly slug: string;
  readonly languages: readonly string[];
  readonly keys: readonly string[];
}

/** Input of the type generator. Everything is sorted by name, so the same platform yields the same source. */
export interface PlatformModel {
  readonly entities: readonly EntityModel[];
  readonly devices: readonly DeviceModel[];
  readonly dictionaries: readonly DictionaryModel[];
}
