import { Module } from "../api/module.ts";
import { Connectors } from "./connectors.ts";
import { Networks } from "./networks.ts";

/** What brings data of devices in (specification, section 7). */
export class Integration extends Module {
  #connectors: Connectors | undefined;
  #networks: Networks | undefined;

  /**
   * Kinds of devices.
   *
   * @example
   * ```ts
   * const connectors = await resources.integration.connectors.list();
   * ```
   */
  get connectors(): Connectors {
    this.#connectors ??= new Connectors(this.client);
    return this.#connectors;
  }

  /**
   * Ways data comes in.
   *
   * @example
   * ```ts
   * const networks = await resources.integration.networks.list();
   * ```
   */
  get networks(): Networks {
    this.#networks ??= new Networks(this.client);
    return this.#networks;
  }
}
