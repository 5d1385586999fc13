import { Module } from "../api/module.ts";
import { Connectors } from "./connectors.ts";
import { Networks } from "./networks.ts";

/** Connectors and networks. */
export class Integration extends Module {
  /** Connectors: types of devices. */
  readonly connectors = new Connectors(this.client);
  /** Networks that devices send their data through. */
  readonly networks = new Networks(this.client);
}

/** A parameter that devices of a connector or network get when they are created. */
export interface DeviceParameterDefinition {
  /** Key of the parameter. */
  name?: string;
  /** Text shown beside the field. */
  label?: string;
  /** How it is filled in. */
  type?: "text" | "dropdown" | "switch" | "number";
  /** Default value. */
  default?: unknown;
  /** Where it is shown. */
  group?: "default" | "main" | "advanced" | "hide";
  /** Choices of a `dropdown`. */
  options?: unknown[];
}
