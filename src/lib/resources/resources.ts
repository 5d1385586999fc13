import { type GenericModuleParams, withAnalysisToken } from "../api/module.ts";
import type { AccessManagement } from "./access.ts";
import { OwnAccount } from "./account.ts";
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

/**
 * Everything a profile or analysis token opens. Each property is also a static getter, which uses the token of the
 * analysis that is running (`T_ANALYSIS_TOKEN`). Writes are at-least-once: see the option `retry`.
 */
export class Resources extends ProfileResources {
  /** The account itself. */
  account = new OwnAccount(this.client);
  /** Entities and their rows. */
  entities = new Entities(this.client);
  /** Secrets. */
  secrets = new Secrets(this.client);
  /** Stored queries. */
  sql = new SQL(this.client);

  /**
   * @param params token, region and how to reach the platform; without a token it is `T_ANALYSIS_TOKEN`
   * @throws InputError `Invalid Token` without a token
   */
  constructor(params?: Partial<GenericModuleParams>) {
    super(withAnalysisToken(params));
  }

  /** Rules for what analyses and portal users may do. */
  static get accessManagement(): AccessManagement {
    return new Resources().accessManagement;
  }

  /** The account itself. */
  static get account(): OwnAccount {
    return new Resources().account;
  }

  /** Actions. */
  static get actions(): Actions {
    return new Resources().actions;
  }

  /** Analyses and their scripts. */
  static get analysis(): Analyses {
    return new Resources().analysis;
  }

  /** What the account has bought and how it pays. */
  static get billing(): Billing {
    return new Resources().billing;
  }

  /**
   * The storage of devices.
   *
   * @deprecated a device and its bucket are one; use `devices`
   */
  static get buckets(): Buckets {
    return new Resources().buckets;
  }

  /** Dashboards and widgets. */
  static get dashboards(): Dashboards {
    return new Resources().dashboards;
  }

  /** Devices and their data. */
  static get devices(): Devices {
    return new Resources().devices;
  }

  /** Dictionaries and their strings. */
  static get dictionaries(): Dictionaries {
    return new Resources().dictionaries;
  }

  /** Entities and their rows. */
  static get entities(): Entities {
    return new Resources().entities;
  }

  /** Files. */
  static get files(): Files {
    return new Resources().files;
  }

  /** Connectors and networks. */
  static get integration(): Integration {
    return new Resources().integration;
  }

  /** Notifications of the account. */
  static get notifications(): Notifications {
    return new Resources().notifications;
  }

  /** Payments of the account. */
  static get paymentHistory(): PaymentHistory {
    return new Resources().paymentHistory;
  }

  /** How the account pays. */
  static get paymentMethods(): PaymentMethods {
    return new Resources().paymentMethods;
  }

  /** The plan of the account. */
  static get plan(): Plan {
    return new Resources().plan;
  }

  /** Profiles and their tokens. */
  static get profiles(): Profiles {
    return new Resources().profiles;
  }

  /** The portal and its users. */
  static get run(): Run {
    return new Resources().run;
  }

  /** Secrets. */
  static get secrets(): Secrets {
    return new Resources().secrets;
  }

  /** Tokens of other services. */
  static get serviceAuthorization(): ServiceAuthorization {
    return new Resources().serviceAuthorization;
  }

  /** Stored queries. */
  static get sql(): SQL {
    return new Resources().sql;
  }

  /** Core instances. */
  static get tagocores(): TagoCores {
    return new Resources().tagocores;
  }

  /** Tags in use. */
  static get tags(): Tags {
    return new Resources().tags;
  }

  /** Templates of dashboards and analyses. */
  static get template(): Templates {
    return new Resources().template;
  }
}
