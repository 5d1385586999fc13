import { Module } from "../core/module.ts";
import type { HttpClient } from "../http/client.ts";
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

  /** Rules for what analyses and portal users may do. */
  get accessManagement(): AccessManagement {
    return this.member(AccessManagement);
  }

  /** Actions. */
  get actions(): Actions {
    return this.member(Actions);
  }

  /** Analyses and their scripts. */
  get analysis(): Analyses {
    return this.member(Analyses);
  }

  /** What the account has bought and how it pays. */
  get billing(): Billing {
    return this.member(Billing);
  }

  /**
   * The storage of devices.
   *
   * @deprecated a device and its bucket are one; use `devices`
   */
  get buckets(): Buckets {
    return this.member(Buckets);
  }

  /** Dashboards and widgets. */
  get dashboards(): Dashboards {
    return this.member(Dashboards);
  }

  /** Devices and their data. */
  get devices(): Devices {
    return this.member(Devices);
  }

  /** Dictionaries and their texts. */
  get dictionaries(): Dictionaries {
    return this.member(Dictionaries);
  }

  /** Files. */
  get files(): Files {
    return this.member(Files);
  }

  /** Connectors and networks. */
  get integration(): Integration {
    return this.member(Integration);
  }

  /** Notifications of the account. */
  get notifications(): Notifications {
    return this.member(Notifications);
  }

  /** Payments of the account. */
  get paymentHistory(): PaymentHistory {
    return this.member(PaymentHistory);
  }

  /** How the account pays. */
  get paymentMethods(): PaymentMethods {
    return this.member(PaymentMethods);
  }

  /** The plan of the account. */
  get plan(): Plan {
    return this.member(Plan);
  }

  /** Profiles and their tokens. */
  get profiles(): Profiles {
    return this.member(Profiles);
  }

  /** The portal and its users. */
  get run(): Run {
    return this.member(Run);
  }

  /** Tokens of other services. */
  get serviceAuthorization(): ServiceAuthorization {
    return this.member(ServiceAuthorization);
  }

  /** Core instances. */
  get tagocores(): TagoCores {
    return this.member(TagoCores);
  }

  /** Tags in use. */
  get tags(): Tags {
    return this.member(Tags);
  }

  /** Templates of dashboards and analyses. */
  get template(): Templates {
    return this.member(Templates);
  }
}
