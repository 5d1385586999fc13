import type { GenericModuleParams } from "../api/module.ts";
import { environment } from "../core/platform.ts";
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
 * Everything a profile or analysis token opens. Each member is also a static getter, which uses the token of the
 * analysis that is running (`T_ANALYSIS_TOKEN`). Writes are at-least-once: see the option `retry`.
 */
export class Resources extends ProfileResources {
  /**
   * @param params token, region and how to reach the platform; without params the token is `T_ANALYSIS_TOKEN`
   * @throws InputError `Invalid Token` without a token
   */
  constructor(params: GenericModuleParams = analysisParams()) {
    super(params);
  }

  /**
   * The account itself.
   *
   * @example
   * ```ts
   * const { email } = await resources.account.info();
   * ```
   */
  get account(): OwnAccount {
    return this.member(OwnAccount);
  }

  /**
   * Entities and their rows.
   *
   * @example
   * ```ts
   * const entities = await resources.entities.list();
   * ```
   */
  get entities(): Entities {
    return this.member(Entities);
  }

  /**
   * Secrets.
   *
   * @example
   * ```ts
   * const secrets = await resources.secrets.list();
   * ```
   */
  get secrets(): Secrets {
    return this.member(Secrets);
  }

  /**
   * Stored queries.
   *
   * @example
   * ```ts
   * const queries = await resources.sql.list();
   * ```
   */
  get sql(): SQL {
    return this.member(SQL);
  }

  /**
   * `accessManagement` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const rules = await Resources.accessManagement.list();
   * ```
   */
  static get accessManagement(): AccessManagement {
    return new Resources().accessManagement;
  }

  /**
   * `account` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const { timezone } = await Resources.account.info();
   * ```
   */
  static get account(): OwnAccount {
    return new Resources().account;
  }

  /**
   * `actions` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * await Resources.actions.edit(actionID, { active: false });
   * ```
   */
  static get actions(): Actions {
    return new Resources().actions;
  }

  /**
   * `analysis` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * await Resources.analysis.run(analysisID, [{ variable: "level", value: 3 }]);
   * ```
   */
  static get analysis(): Analyses {
    return new Resources().analysis;
  }

  /**
   * `billing` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const { plan } = await Resources.billing.getSubscription();
   * ```
   */
  static get billing(): Billing {
    return new Resources().billing;
  }

  /**
   * `buckets` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const records = await Resources.buckets.amount(deviceID);
   * ```
   */
  static get buckets(): Buckets {
    return new Resources().buckets;
  }

  /**
   * `dashboards` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const { label } = await Resources.dashboards.info(dashboardID);
   * ```
   */
  static get dashboards(): Dashboards {
    return new Resources().dashboards;
  }

  /**
   * `devices` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const devices = await Resources.devices.list({ amount: 5, fields: ["name", "last_input"] });
   * ```
   */
  static get devices(): Devices {
    return new Resources().devices;
  }

  /**
   * `dictionaries` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const texts = await Resources.dictionaries.languageInfo(dictionaryID, "en-US");
   * ```
   */
  static get dictionaries(): Dictionaries {
    return new Resources().dictionaries;
  }

  /**
   * `entities` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const rows = await Resources.entities.getEntityData(entityID, { amount: 100 });
   * ```
   */
  static get entities(): Entities {
    return new Resources().entities;
  }

  /**
   * `files` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const { folders } = await Resources.files.list({ path: "/" });
   * ```
   */
  static get files(): Files {
    return new Resources().files;
  }

  /**
   * `integration` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const connectors = await Resources.integration.connectors.list();
   * ```
   */
  static get integration(): Integration {
    return new Resources().integration;
  }

  /**
   * `notifications` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * await Resources.notifications.create({ title: "Report", message: "The report is ready." });
   * ```
   */
  static get notifications(): Notifications {
    return new Resources().notifications;
  }

  /**
   * `paymentHistory` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const payments = await Resources.paymentHistory.getHistory();
   * ```
   */
  static get paymentHistory(): PaymentHistory {
    return new Resources().paymentHistory;
  }

  /**
   * `paymentMethods` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const { card } = await Resources.paymentMethods.list();
   * ```
   */
  static get paymentMethods(): PaymentMethods {
    return new Resources().paymentMethods;
  }

  /**
   * `plan` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const { plan } = await Resources.plan.getActivePlan();
   * ```
   */
  static get plan(): Plan {
    return new Resources().plan;
  }

  /**
   * `profiles` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const { info, allocation } = await Resources.profiles.info("current");
   * ```
   */
  static get profiles(): Profiles {
    return new Resources().profiles;
  }

  /**
   * `run` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * await Resources.run.notificationCreate(userID, { title: "Tank", message: "It is full." });
   * ```
   */
  static get run(): Run {
    return new Resources().run;
  }

  /**
   * `secrets` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const secrets = await Resources.secrets.list({ fields: ["id", "key", "tags"] });
   * ```
   */
  static get secrets(): Secrets {
    return new Resources().secrets;
  }

  /**
   * `serviceAuthorization` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const tokens = await Resources.serviceAuthorization.tokenList();
   * ```
   */
  static get serviceAuthorization(): ServiceAuthorization {
    return new Resources().serviceAuthorization;
  }

  /**
   * `sql` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const { rows } = await Resources.sql.execute("61f1b8a4b3d2f4001a2b3c4d");
   * ```
   */
  static get sql(): SQL {
    return new Resources().sql;
  }

  /**
   * `tagocores` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const instances = await Resources.tagocores.list();
   * ```
   */
  static get tagocores(): TagoCores {
    return new Resources().tagocores;
  }

  /**
   * `tags` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const keys = await Resources.tags.getTagKeys("device");
   * ```
   */
  static get tags(): Tags {
    return new Resources().tags;
  }

  /**
   * `template` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const { name } = await Resources.template.getTemplate("61f1b8a4b3d2f4001a2b3c4d");
   * ```
   */
  static get template(): Templates {
    return new Resources().template;
  }
}

/** Params of the static getters and of `new Resources()`: the token of the analysis that is running. */
function analysisParams(): GenericModuleParams {
  return { token: environment("T_ANALYSIS_TOKEN") ?? "" };
}
