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
  /** Kinds of the values that were seen; none for a variable that only has places. */
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

/** What types are made of. Everything is in the order of its name, so that the same platform gives the same text. */
export interface PlatformModel {
  readonly entities: readonly EntityModel[];
  readonly devices: readonly DeviceModel[];
  readonly dictionaries: readonly DictionaryModel[];
}
