import type { HttpClient } from "../api/client.ts";
import { Module } from "../api/module.ts";
import { AccessManagement } from "./access.ts";
import { Actions } from "./actions.ts";
import { Analyses } from "./analyses.ts";
import { Billing } from "./billing.ts";
import { Buckets } from "./buckets.ts";
import { Dashboards } from "./dashboards.ts";
import { Devices } from "./devices.ts";
import { Dictionaries } from "./dictionaries.ts";
import { Files } from "./files.ts";
import { Integration } from "./integration.ts";
import { Notifications } from "./notifications.ts";
import { PaymentHistory, PaymentMethods } from "./payments.ts";
import { Plan } from "./plan.ts";
import { Profiles } from "./profile.ts";
import { Run } from "./run.ts";
import { ServiceAuthorization } from "./service-authorization.ts";
import { TagoCores } from "./tagocores.ts";
import { Tags } from "./tags.ts";
import { Templates } from "./template.ts";

/** What `Resources` and the older `Account` have in common. */
export abstract class ProfileResources extends Module {
  readonly #members = new Map<new (client: HttpClient) => Module, Module>();

  /** Each member is made when it is first asked for, and shares this object's client. */
  protected member<Member extends Module>(type: new (client: HttpClient) => Member): Member {
    const known = this.#members.get(type);
    if (known !== undefined) return known as Member;
    const made = new type(this.client);
    this.#members.set(type, made);
    return made;
  }

  /**
   * Rules for what analyses and portal users may do.
   *
   * @example
   * ```ts
   * const rules = await resources.accessManagement.list();
   * ```
   */
  get accessManagement(): AccessManagement {
    return this.member(AccessManagement);
  }

  /**
   * Actions.
   *
   * @example
   * ```ts
   * const actions = await resources.actions.list({ filter: { active: true } });
   * ```
   */
  get actions(): Actions {
    return this.member(Actions);
  }

  /**
   * Analyses and their scripts.
   *
   * @example
   * ```ts
   * const analyses = await resources.analysis.list({ fields: ["id", "name", "last_run"] });
   * ```
   */
  get analysis(): Analyses {
    return this.member(Analyses);
  }

  /**
   * What the account has bought and how it pays.
   *
   * @example
   * ```ts
   * const { plan } = await resources.billing.getSubscription();
   * ```
   */
  get billing(): Billing {
    return this.member(Billing);
  }

  /**
   * The storage of devices.
   *
   * @deprecated a device and its bucket are one; use `devices`
   * @example
   * ```ts
   * const records = await resources.buckets.amount(deviceID);
   * ```
   */
  get buckets(): Buckets {
    return this.member(Buckets);
  }

  /**
   * Dashboards and widgets.
   *
   * @example
   * ```ts
   * const dashboards = await resources.dashboards.list({ amount: 50 });
   * ```
   */
  get dashboards(): Dashboards {
    return this.member(Dashboards);
  }

  /**
   * Devices and their data.
   *
   * @example
   * ```ts
   * const devices = await resources.devices.list({ filter: { tags: [{ key: "site", value: "plant" }] } });
   * ```
   */
  get devices(): Devices {
    return this.member(Devices);
  }

  /**
   * Dictionaries and their texts.
   *
   * @example
   * ```ts
   * const dictionaries = await resources.dictionaries.list();
   * ```
   */
  get dictionaries(): Dictionaries {
    return this.member(Dictionaries);
  }

  /**
   * Files.
   *
   * @example
   * ```ts
   * const { files, usage } = await resources.files.list({ path: "/reports" });
   * ```
   */
  get files(): Files {
    return this.member(Files);
  }

  /**
   * Connectors and networks.
   *
   * @example
   * ```ts
   * const networks = await resources.integration.networks.list();
   * ```
   */
  get integration(): Integration {
    return this.member(Integration);
  }

  /**
   * Notifications of the account.
   *
   * @example
   * ```ts
   * const unread = await resources.notifications.list({ filter: { read: false } });
   * ```
   */
  get notifications(): Notifications {
    return this.member(Notifications);
  }

  /**
   * Payments of the account.
   *
   * @example
   * ```ts
   * const payments = await resources.paymentHistory.getHistory();
   * ```
   */
  get paymentHistory(): PaymentHistory {
    return this.member(PaymentHistory);
  }

  /**
   * How the account pays.
   *
   * @example
   * ```ts
   * const { card } = await resources.paymentMethods.list();
   * ```
   */
  get paymentMethods(): PaymentMethods {
    return this.member(PaymentMethods);
  }

  /**
   * The plan of the account.
   *
   * @example
   * ```ts
   * const { plan } = await resources.plan.getActivePlan();
   * ```
   */
  get plan(): Plan {
    return this.member(Plan);
  }

  /**
   * Profiles and their tokens.
   *
   * @example
   * ```ts
   * const profiles = await resources.profiles.list();
   * ```
   */
  get profiles(): Profiles {
    return this.member(Profiles);
  }

  /**
   * The portal and its users.
   *
   * @example
   * ```ts
   * const users = await resources.run.listUsers({ amount: 100 });
   * ```
   */
  get run(): Run {
    return this.member(Run);
  }

  /**
   * Tokens of other services.
   *
   * @example
   * ```ts
   * const tokens = await resources.serviceAuthorization.tokenList();
   * ```
   */
  get serviceAuthorization(): ServiceAuthorization {
    return this.member(ServiceAuthorization);
  }

  /**
   * Core instances.
   *
   * @example
   * ```ts
   * const instances = await resources.tagocores.list();
   * ```
   */
  get tagocores(): TagoCores {
    return this.member(TagoCores);
  }

  /**
   * Tags in use.
   *
   * @example
   * ```ts
   * const keys = await resources.tags.getTagKeys("device");
   * ```
   */
  get tags(): Tags {
    return this.member(Tags);
  }

  /**
   * Templates of dashboards and analyses.
   *
   * @example
   * ```ts
   * const { name, type } = await resources.template.getTemplate("61f1b8a4b3d2f4001a2b3c4d");
   * ```
   */
  get template(): Templates {
    return this.member(Templates);
  }
}
