/** A parameter that devices of a connector or network get when they are made. */
export interface DeviceParameterDefinition {
  /** Key of the parameter. */
  name?: string;
  /** Text shown beside the field. */
  label?: string;
  /** How it is filled in. */
  type?: "text" | "dropdown" | "switch" | "number";
  /** Value unless another is given. */
  default?: unknown;
  /** Where it is shown. */
  group?: "default" | "main" | "advanced" | "hide";
  /** Choices of a `dropdown`. */
  options?: unknown[];
}
