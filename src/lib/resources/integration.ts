import { Module } from "../api/module.ts";
import { Connectors } from "./connectors.ts";
import { Networks } from "./networks.ts";

/** What brings data of devices in (specification, section 7). */
export class Integration extends Module {
  /** Kinds of devices. */
  readonly connectors = new Connectors(this.client);
  /** Ways data comes in. */
  readonly networks = new Networks(this.client);
}

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
