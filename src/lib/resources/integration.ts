import { Module } from "../api/module.ts";
import { Connectors } from "./connectors.ts";
import { Networks } from "./networks.ts";

/** Connectors and networks. */
export class Integration extends Module {
  /** Connectors: types of devices. */
  connectors = new Connectors(this.client);
  /** Networks that devices send their data through. */
  networks = new Networks(this.client);
}
