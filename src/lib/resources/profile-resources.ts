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
  /** Rules for what analyses and portal users may do. */
  accessManagement = new AccessManagement(this.client);
  /** Actions. */
  actions = new Actions(this.client);
  /** Analyses and their scripts. */
  analysis = new Analyses(this.client);
  /** What the account has bought and how it pays. */
  billing = new Billing(this.client);
  /**
   * The storage of devices.
   *
   * @deprecated a device and its bucket are one; use `devices`
   */
  buckets = new Buckets(this.client);
  /** Dashboards and widgets. */
  dashboards = new Dashboards(this.client);
  /** Devices and their data. */
  devices = new Devices(this.client);
  /** Dictionaries and their strings. */
  dictionaries = new Dictionaries(this.client);
  /** Files. */
  files = new Files(this.client);
  /** Connectors and networks. */
  integration = new Integration(this.client);
  /** Notifications of the account. */
  notifications = new Notifications(this.client);
  /** Payments of the account. */
  paymentHistory = new PaymentHistory(this.client);
  /** How the account pays. */
  paymentMethods = new PaymentMethods(this.client);
  /** The plan of the account. */
  plan = new Plan(this.client);
  /** Profiles and their tokens. */
  profiles = new Profiles(this.client);
  /** The portal and its users. */
  run = new Run(this.client);
  /** Tokens of other services. */
  serviceAuthorization = new ServiceAuthorization(this.client);
  /** Core instances. */
  tagocores = new TagoCores(this.client);
  /** Tags in use. */
  tags = new Tags(this.client);
  /** Templates of dashboards and analyses. */
  template = new Templates(this.client);
}
