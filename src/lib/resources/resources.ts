import type { GenericModuleParams } from "../core/module.ts";
import { environment } from "../core/platform.ts";
import type { AccessManagement } from "./access.ts";
import type { Actions } from "./actions.ts";
import type { Analyses } from "./analyses.ts";
import type { Billing } from "./billing.ts";
import type { Buckets } from "./buckets.ts";
import type { Dashboards } from "./dashboards.ts";
import type { Devices } from "./devices.ts";
import type { Dictionaries } from "./dictionaries.ts";
import { Entities } from "./entities.ts";
import type { Files } from "./files.ts";
import type { Integration } from "./integration.ts";
import type { Notifications } from "./notifications.ts";
import { OwnAccount } from "./own-account.ts";
import type { PaymentHistory, PaymentMethods } from "./payments.ts";
import type { Plan } from "./plan.ts";
import type { Profiles } from "./profile.ts";
import { ProfileResources } from "./profile-resources.ts";
import type { Run } from "./run.ts";
import { Secrets } from "./secrets.ts";
import type { ServiceAuthorization } from "./service-authorization.ts";
import { SQL } from "./sql.ts";
import type { TagoCores } from "./tagocores.ts";
import type { Tags } from "./tags.ts";
import type { Templates } from "./template.ts";

/** Params of the static getters and of `new Resources()`: the token of the analysis that is running. */
function analysisParams(): GenericModuleParams {
  return { token: environment("T_ANALYSIS_TOKEN") ?? "" };
}

/**
 * Everything a profile or analysis token opens. Each member is also a static getter, which uses the token of the
 * analysis that is running (`T_ANALYSIS_TOKEN`).
 */
export class Resources extends ProfileResources {
  /**
   * @param params token, region and how to reach the platform; without params the token is `T_ANALYSIS_TOKEN`
   * @throws InputError `Invalid Token` without a token
   */
  constructor(params: GenericModuleParams = analysisParams()) {
    super(params);
  }

  /** The account itself. */
  get account(): OwnAccount {
    return this.member(OwnAccount);
  }

  /** Entities and their rows. */
  get entities(): Entities {
    return this.member(Entities);
  }

  /** Secrets. */
  get secrets(): Secrets {
    return this.member(Secrets);
  }

  /** Stored queries. */
  get sql(): SQL {
    return this.member(SQL);
  }

  static get accessManagement(): AccessManagement {
    return new Resources().accessManagement;
  }

  static get account(): OwnAccount {
    return new Resources().account;
  }

  static get actions(): Actions {
    return new Resources().actions;
  }

  static get analysis(): Analyses {
    return new Resources().analysis;
  }

  static get billing(): Billing {
    return new Resources().billing;
  }

  static get buckets(): Buckets {
    return new Resources().buckets;
  }

  static get dashboards(): Dashboards {
    return new Resources().dashboards;
  }

  static get devices(): Devices {
    return new Resources().devices;
  }

  static get dictionaries(): Dictionaries {
    return new Resources().dictionaries;
  }

  static get entities(): Entities {
    return new Resources().entities;
  }

  static get files(): Files {
    return new Resources().files;
  }

  static get integration(): Integration {
    return new Resources().integration;
  }

  static get notifications(): Notifications {
    return new Resources().notifications;
  }

  static get paymentHistory(): PaymentHistory {
    return new Resources().paymentHistory;
  }

  static get paymentMethods(): PaymentMethods {
    return new Resources().paymentMethods;
  }

  static get plan(): Plan {
    return new Resources().plan;
  }

  static get profiles(): Profiles {
    return new Resources().profiles;
  }

  static get run(): Run {
    return new Resources().run;
  }

  static get secrets(): Secrets {
    return new Resources().secrets;
  }

  static get serviceAuthorization(): ServiceAuthorization {
    return new Resources().serviceAuthorization;
  }

  static get sql(): SQL {
    return new Resources().sql;
  }

  static get tagocores(): TagoCores {
    return new Resources().tagocores;
  }

  static get tags(): Tags {
    return new Resources().tags;
  }

  static get template(): Templates {
    return new Resources().template;
  }
}
