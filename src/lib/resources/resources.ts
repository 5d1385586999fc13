import { type GenericModuleParams, Module } from "../core/module.ts";
import { environment } from "../core/platform.ts";
import { Dashboards } from "./dashboards.ts";
import { Devices } from "./devices.ts";
import { Profiles } from "./profile.ts";

/** Params of the static getters and of `new Resources()`: the token of the analysis that is running. */
function analysisParams(): GenericModuleParams {
  return { token: environment("T_ANALYSIS_TOKEN") ?? "" };
}

/** Everything a profile or analysis token opens. */
export class Resources extends Module {
  #devices: Devices | undefined;
  #dashboards: Dashboards | undefined;
  #profiles: Profiles | undefined;

  /**
   * @param params token, region and how to reach the platform; without params the token is `T_ANALYSIS_TOKEN`
   * @throws InputError `Invalid Token` without a token
   */
  constructor(params: GenericModuleParams = analysisParams()) {
    super(params);
  }

  /** Devices and their data. */
  get devices(): Devices {
    this.#devices ??= new Devices(this.client);
    return this.#devices;
  }

  /** Dashboards and widgets. */
  get dashboards(): Dashboards {
    this.#dashboards ??= new Dashboards(this.client);
    return this.#dashboards;
  }

  /** Profiles and their tokens. */
  get profiles(): Profiles {
    this.#profiles ??= new Profiles(this.client);
    return this.#profiles;
  }

  static get devices(): Devices {
    return new Resources().devices;
  }

  static get dashboards(): Dashboards {
    return new Resources().dashboards;
  }

  static get profiles(): Profiles {
    return new Resources().profiles;
  }
}
