/** A parameter that devices of a connector or network get when they are made. */
export interface DeviceParameterDefinition {
  name?: string;
  label?: string;
  type?: "text" | "dropdown" | "switch" | "number";
  default?: unknown;
  /** Where it is shown. */
  group?: "default" | "main" | "advanced" | "hide";
  /** Choices of a `dropdown`. */
  options?: unknown[];
}
