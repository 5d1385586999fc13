/**
 * Every type of the official SDK (11.3.10 and 12.3.1) under its name there. The namespace `Types` holds them too. A second
 * name of a type is deprecated, so that editors show the first one; as a type alias, not as `X as Y` in an export list:
 * editors strike those in imports only.
 */

import type { AnalysisParams } from "./analysis/analysis.ts";
import type { AnalysisFunction, ScopeRow, TagoContext } from "./analysis/context.ts";
import type { AnalysisRouterParams } from "./analysis/router.ts";
import type { Email, EmailAttachment, EmailTemplate } from "./analysis/services/email.ts";
import type { Known, ListQuery } from "./api/list-query.ts";
import type { GenericModuleParams } from "./api/module.ts";
import type { DetailsParams } from "./clients/authorization.ts";
import type { CurrentDeviceInfo } from "./clients/device.ts";
import type { DictionaryParams, ResolveExpressionParams } from "./clients/dictionary.ts";
import type { NetworkDevice, NetworkDeviceQuery } from "./clients/network.ts";
import type { Region, Regions } from "./core/regions.ts";
import type { DictionaryExpression } from "./expression/expression.ts";
import type { Channel } from "./realtime/channels.ts";
import type * as Own from "./resources/index.ts";
import type { LorawanQRCode } from "./utils/lorawan-qr-code.ts";

// Common
export type { Known, RecursivePartial } from "./api/list-query.ts";
export type { GenericModuleParams } from "./api/module.ts";
/** @deprecated Use `DetailsParams`. */
export type AuthorizationModuleParams = DetailsParams;
/** @deprecated Use `DetailsParams`. */
export type ConnectorModuleParams = DetailsParams;
/** @deprecated Use `Channel`. */
export type OpenSSEConfig = Channel;
export type * from "./resources/index.ts";
/** @deprecated Use `ExpireTime`. */
export type ExpireTimeOption = Own.ExpireTime;
/** @deprecated Use `Tag`. */
export type TagsObj = Own.Tag;

/** Asks for part of a list of `Info`, which can be ordered by `OrderKeys`. */
export type Query<Info, OrderKeys = keyof Info> = ListQuery<Info, Extract<keyof Info & string, OrderKeys>>;
/** Addresses of a region, or the id of a TagoDeploy installation. */
export type RegionsObj = Exclude<Region, Regions>;
/** Content in base64. */
export type Base64 = string;
/** Two ids with a colon between them. */
export type GenericIDPair = `${Own.GenericID}:${Own.GenericID}`;
/** Formats of an export. */
export type ExportOption = "csv" | "json" | "xml";
/** How a condition compares. */
export type Conditionals = Own.ConditionTrigger["is"];
/** What can be shared. */
export type RefType = "dashboard";
/** Parameters of a share; `type` is what is shared. */
export type ShareModuleParams = Pick<GenericModuleParams, "token" | "region"> & { type: RefType };
/** Parameters of the tokens of a resource: its `path` and `id`. */
export type TokenModuleParams = Pick<GenericModuleParams, "token" | "region"> & { path: string; id?: Own.GenericID };
/** A request by `method` and path. */
export interface doRequestParams {
  /** Path of the route. */
  path: string;
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  method: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Query parameters. */
  params?: unknown;
  /** Headers. */
  headers?: unknown;
  /** Replaces parts of the request. */
  overwriteRequestConfig?: RequestConfig;
  /** Largest body, bytes. */
  maxContentLength?: number;
  /** How long the response is reused, milliseconds. */
  cacheTTL?: number;
}
/** A request as a key of the cache. */
export interface RequestConfig {
  /** Full URL. */
  url?: string;
  /** HTTP method. */
  method?: string;
  /** Headers by name. */
  headers?: Record<string, string>;
  /** Body. */
  data?: unknown;
  /** Query parameters. */
  params?: Record<string, unknown>;
  /** Milliseconds. */
  timeout?: number;
}

// Account, profile and tokens
/** @deprecated Use `LoginParams`. */
export type Authenticator = Own.LoginParams;
/** @deprecated Use `LoginParams`. */
export type LoginCredentials = Own.LoginParams;
/** @deprecated Use `ServiceAuthorizationCreated`. */
export type ServiceAuthTokenCreateResponse = Own.ServiceAuthorizationCreated;
/** @deprecated Use `TeamInfo`. */
export type ProfileTeam = Own.TeamInfo;
/** @deprecated Use `TokenInfo`. */
export type AuthorizationInfo = Own.TokenInfo;
/** @deprecated Use `UsageStatisticQuery`. */
export type StatisticsDate = Own.UsageStatisticQuery;

/** Asks for part of a list of tokens. */
export type ListTokenQuery = Query<
  Own.TokenDataList,
  "name" | "permission" | "serie_number" | "verification_code" | "created_at"
>;
/** @deprecated Use `GenericToken`. */
export type ServiceAuthGenericToken = Own.GenericToken;

// Actions and access
/** @deprecated Use `AccessPermission`. */
export type Permissions = Own.AccessPermission;

/** A connection of a device to the MQTT broker, as the data of an action. */
export interface MQTTResourceAction {
  /** Id the client connected with. */
  client_id: string;
  /** ISO 8601. */
  connected_at: string;
  /** ISO 8601; absent while connected. */
  disconnect_at?: string;
}

// Analyses
/** @deprecated Use `AnalysisParams`. */
export type AnalysisConstructorParams = AnalysisParams;
export type {
  AnalysisEnvironment,
  CustomBtnScope,
  DeviceListScope,
  TagoContext,
  UserListScope,
} from "./analysis/context.ts";
/** @deprecated Use `AnalysisFunction`. */
export type analysisFunction<Scope = ScopeRow[]> = AnalysisFunction<Scope>;

/** An analysis in a list, of which some fields are certain. */
export type AnalysisListItem<Field extends keyof Own.AnalysisInfo = keyof Own.AnalysisInfo> = Known<
  Own.AnalysisInfo,
  Field
>;
/** What the router calls its services with. */
export interface RouterConstructor {
  /** The `data` of the run. */
  scope: ScopeRow[];
  /** Environment of the run: `Utils.envToJson(context.environment)`. */
  environment: Record<string, string>;
  /** Client of the services: an `Account` or a `Resources`. */
  account?: AnalysisRouterParams["account"];
  /** Device of the services. */
  config_dev?: AnalysisRouterParams["config_dev"];
  /** Context of the run. */
  context?: TagoContext | undefined;
}

// Billing and plan
/** @deprecated Use `BillingAllocation`. */
export type BillingProfileResourceAllocation = Own.BillingAllocation;
/** @deprecated Use `BillingCard`. */
export type BillingPaymentMethodCard = Own.BillingCard;
/** @deprecated Use `BillingPaymentHistory`. */
export type BillingPaymentHistoryEntry = Own.BillingPaymentHistory;
/** @deprecated Use `BillingPaymentHistory`. */
export type PaymentInfo = Own.BillingPaymentHistory;
/** @deprecated Use `PlanName`. */
export type BillingPlan = Own.PlanName;
/** @deprecated Use `ServiceAmounts`. */
export type BillingResourceAllocationServices = Own.ServiceAmounts;
/** @deprecated Use `ServiceKey`. */
export type BillingService = Own.ServiceKey;
/** @deprecated Use `ServiceLimit`. */
export type BillingServiceSubscription = Own.ServiceLimit;
/** @deprecated Use `ServicePrice`. */
export type BillingServicePrice = Own.ServicePrice;
/** @deprecated Use `ServicePrice`. */
export type Price = Own.ServicePrice;

/** What each service costs. */
export interface CurrentPrices
  extends Omit<Own.BillingPrices, "plans" | "addons" | "run_users" | "push_notification" | "file_storage"> {
  /** What each plan costs. */
  plans: {
    /** The plan. */
    name: string;
    /** What it costs. */
    price: number;
  }[];
  /** What each add-on costs. */
  addons: {
    /** The add-on. */
    name: string;
    /** What it costs. */
    price: number;
  }[];
}
/** Purchased amount per service. */
export type BillingSubscriptionServices = Own.BillingSubscription["services"];
/** @deprecated Use `BillingSubscriptionServices`. */
export type BillingServiceSubscriptionSchedule = Own.BillingSubscription["services"];
/** Profiles with each add-on. */
export type BillingSubscriptionAddOns = Own.BillingSubscription["addons"];
/** An invoice that is not paid. */
export type BillingPaymentPastDue = NonNullable<Own.BillingSubscription["past_due"]>;
/** What each plan costs. */
export type BillingPlanPrices = Own.BillingPrices["plans"];
/** What each add-on costs. */
export type BillingAddOnPrices = Own.BillingPrices["addons"];
/** Account balance. */
export type BillingPaymentMethodBalance = NonNullable<Own.BillingPaymentMethod["balance"]>;
/** What each profile gets. */
export type BillingResourceAllocation = Own.BillingAllocation[];
/** Changes to what profiles get. */
export type BillingEditResourceAllocation = Own.BillingEditAllocation[];
/** A profile and its limits. */
export interface ProfileWithLimit {
  /** Id of the profile. */
  id: Own.GenericID;
  /** Name of the profile. */
  name: string;
  /** Its limits. */
  limits: Pick<Own.ServiceAmounts, "input" | "output" | "sms" | "email" | "analysis" | "data_records">;
  /** Its add-ons. */
  addons: object;
}
/** @deprecated Use `ProfileWithLimit`. */
export type ProfileLimit = ProfileWithLimit;
/** A discount. */
export interface Discount {
  /** What it is for. */
  description: string;
  /** How much it is. */
  value: number;
  /** When it ends. */
  expire_at: Own.ExpireTime;
}
/** Plan, profiles and discounts of an account. */
export interface Summary {
  /** Profiles and their limits. */
  profiles: ProfileWithLimit[];
  /** Name of the plan. */
  plan: string;
  /** Discounts. */
  discounts: Discount[];
}

// Buckets
/** @deprecated Use `DeviceQuery`. */
export type BucketQuery = Own.DeviceQuery;

/** Fields of a new device as a bucket. */
export type BucketCreateInfo = Pick<Own.DeviceCreateInfo, "name" | "description" | "visible" | "tags">;
/** A device as a bucket. */
export interface BucketInfo
  extends Pick<Own.DeviceInfo, "id" | "profile" | "name" | "description" | "type" | "created_at" | "updated_at">,
    Partial<Pick<Own.DeviceInfo, "tags" | "visible" | "chunk_period" | "chunk_retention" | "data_retention">> {
  /** @deprecated no longer returned */
  last_retention?: string;
  /** @deprecated no longer returned */
  data_retention_ignore?: [];
}
/** A device of a bucket. */
export type BucketDeviceInfo = Omit<Own.RelatedDevice, "bucket">;
/** A variable of a bucket. */
export interface VariablesInfo {
  /** Name of the variable. */
  variable: string;
  /** Id of its device. */
  origin: Own.GenericID;
  /** Name of its device. */
  origin_name?: string;
  /** Number of its records. */
  amount?: number;
  /** What was deleted: `origin` and `created_at`. */
  deleted?: { origin: string; created_at: string }[];
}
/** What a list of variables holds. */
export interface ListVariablesOptions {
  /** Adds `amount`. */
  showAmount?: boolean;
  /** Adds `deleted`. */
  showDeleted?: boolean;
  /** Adds `origin_name`. */
  resolveOriginName?: boolean;
}
/** What to export: `variables` of the device `origin` in the bucket `id`. */
export type ExportBucket = { id: string; origin: string; variables: string[] }[];
/** Time to export. */
export interface ExportBucketOption {
  /** From this date on. */
  start_date?: Date;
  /** Up to this date. */
  end_date?: Date;
}

// Dashboards and widgets
/** @deprecated Use `RelatedAnalysis`. */
export type AnalysisRelated = Own.RelatedAnalysis;
/** @deprecated Use `RelatedDevice`. */
export type DevicesRelated = Own.RelatedDevice;
/** @deprecated Use `WidgetDataCreate`. */
export type PostDataModel = Own.WidgetDataCreate;
/** @deprecated Use `WidgetDataEdit`. */
export type EditDataModel = Own.WidgetDataEdit;
/** @deprecated Use `WidgetDataQuery`. */
export type GetDataModel = Own.WidgetDataQuery;
/** @deprecated Use `WidgetResourceEdit`. */
export type EditDeviceResource = Own.WidgetResourceEdit;

/** Other dates for the data of a widget. */
export type widgetOverwrite = NonNullable<Own.WidgetDataQuery["overwrite"]>;
/** Options of a change through a widget. */
export interface EditResourceOptions {
  /** Identifier of the button that was pressed. */
  identifier?: string;
}
/** Kinds of fields of an input form. */
export type InputFormField =
  | "text"
  | "address"
  | "barcode"
  | "calendar"
  | "user"
  | "checkbox"
  | "clock-set"
  | "device"
  | "dropdown"
  | "dropdown-multi"
  | "email"
  | "upload"
  | "filtered"
  | "hidden"
  | "image-select"
  | "incremental-step"
  | "number"
  | "password"
  | "qrcode"
  | "radio"
  | "validation";

// Devices and data
export type { DeviceConstructorParams } from "./clients/device.ts";
/** @deprecated Use `DataAggregateQuery`. */
export type DataQueryAggregate = Own.DataAggregateQuery;
/** @deprecated Use `DataCreate`. */
export type DataToSend = Own.DataCreate;
/** @deprecated Use `DataEdit`. */
export type DataToEdit = Own.DataEdit;
/** @deprecated Use `DataNumber`. */
export type DataQueryNumberResponse = Own.DataNumber;
/** @deprecated Use `DataQuery`. */
export type DataQueryDefault = Own.DataQuery;
/** @deprecated Use `DataQuery`. */
export type DataQueryFirstLast = Own.DataQuery;
/** @deprecated Use `DataQuery`. */
export type DataQueryStreaming = Own.DataQuery;
/** @deprecated Use `DataQuery`. */
export type DataQuerySummary = Own.DataQuery;
/** @deprecated Use `DeviceData`. */
export type Data = Own.DeviceData;
/** @deprecated Use `DeviceDataBackupParams`. */
export type DeviceDataBackup = Own.DeviceDataBackupParams;
/** @deprecated Use `DeviceTokenInfo`. */
export type DeviceTokenData = Own.DeviceTokenInfo;

/** What a query compares records with. */
export type valuesTypes = Own.DataValue | undefined;
/** What the official types of the device of a token leave out. */
type DeviceExtra = "type" | "rpm" | "data_retention" | "chunk_period" | "chunk_retention" | "mutable_variable_regex";
/** A device. */
export type DeviceItem = Omit<CurrentDeviceInfo, DeviceExtra | "payload_decoder"> &
  Partial<Pick<CurrentDeviceInfo, "payload_decoder">>;
/** Devices. */
export type ListResponse = DeviceItem[];
/** A token in a list, of which some fields are certain. */
export type DeviceTokenDataList<Field extends keyof Own.DeviceTokenInfo = keyof Own.DeviceTokenInfo> = Known<
  Own.DeviceTokenInfo,
  Field
>;
/** What to empty a device of. */
export interface DeviceEmptyParams {
  /** Kind of storage. */
  route?: "mutable" | "immutable";
}

// Dictionaries
/** @deprecated Use `ResolveExpressionParams`. */
export type IResolveExpressionParams = ResolveExpressionParams;
/** @deprecated Use `DictionaryExpression`. */
export type IParsedExpression = DictionaryExpression;

/** Parameters of a `Dictionary` that reads with a token. */
export interface IDictionaryModuleParams extends Pick<DictionaryParams, "region" | "language"> {
  /** Token of the profile or user. */
  token: string;
  /** Not used. */
  options?: object;
}
/** Parameters of a `Dictionary` that reads through the host name of a portal. */
export interface IDictionaryModuleParamsAnonymous extends Pick<DictionaryParams, "token" | "region" | "language"> {
  /** Host name of the portal. */
  runURL: string;
  /** Not used. */
  options?: object;
}
/** Options of `applyToString`. */
export interface IApplyToStringOptions {
  /** Not used: the language is the one of the `Dictionary`. */
  language?: string;
}

// Entities and files
/** @deprecated Use `MoveFiles`. */
export type CopyFiles = Own.MoveFiles;

/** An entity in a list, of which some fields are certain. */
export type EntityListItem<Field extends keyof Own.EntityInfo = "id"> = Known<
  Own.EntityInfo,
  "id" | "name" | "tags" | Field
>;
/** A row of an entity whose fields are not known. */
export type EntityUnknownData = Record<string, unknown>;

// Networks
/** @deprecated Use `NetworkDeviceQuery`. */
export type NetworkDeviceListQuery = NetworkDeviceQuery;

/** A network, of which nothing is certain. */
export type INetworkInfo = Partial<Omit<Own.NetworkInfo, "profile" | "created_at" | "updated_at">>;
/** A device as its network sees it. */
export type NetworkDeviceListQueryInfo = Omit<NetworkDevice, DeviceExtra | "payload_decoder"> &
  Partial<Pick<NetworkDevice, "payload_decoder">>;

// Portal
export type { RunUserInfo, RunUserLogin } from "./clients/run-user.ts";
// Notifications
/** @deprecated Use `Credentials`. */
export type RunUserCredentials = Own.Credentials;
/** @deprecated Use `DNSRecord`. */
export type CustomDomainDnsRecord = Own.DNSRecord;
/** @deprecated Use `NotificationIcon`. */
export type NotificationIconImage = Own.NotificationIcon;
/** @deprecated Use `NotificationIcon`. */
export type NotificationIconSVG = Own.NotificationIcon;
/** @deprecated Use `UserCreateInfo`. */
export type RunUserCreateInfo = Own.UserCreateInfo;
/** @deprecated Use `UserCreateResponse`. */
export type RunUserCreate = Own.UserCreateResponse;

/** A domain as the platform sends it, with `created_at` as a string. */
export type CustomDomainResponse = Omit<Own.CustomDomainInfo, "created_at"> & { created_at: string };
/** A user in a list, of whom some fields are certain. */
export type UserListItem<Field extends keyof Own.UserInfo = keyof Own.UserInfo> = Known<Own.UserInfo, Field>;

// Services
/** @deprecated Use `EmailAttachment`. */
export type AttachmentOptions = EmailAttachment;
/** @deprecated Use `EmailTemplate`. */
export type TemplateOptions = EmailTemplate;

/** An email with a `subject`, without its content. */
export type EmailBase = Pick<EmailWithTemplate, "to" | "from" | "attachment"> & { subject: string };
/** Content of an email: `message` as plain text. */
export type EmailRawText = Required<Pick<Email, "message">>;
/** Content of an email: `html`. */
export type EmailHTML = Required<Pick<Email, "html">>;
/** An email made of a template. */
export interface EmailWithTemplate extends Pick<Email, "from" | "template"> {
  /** Address, or several. */
  to: string | string[];
  /** File, or several. */
  attachment?: EmailAttachment | EmailAttachment[];
}

// SQL
// TagoCore
/** @deprecated Use `ComputerUsage`. */
export type TagoCoreComputerUsage = Own.ComputerUsage;
/** @deprecated Use `SQLExecute`. */
export type SQLExecuteObj = Own.SQLExecute;
/** @deprecated Use `SQLResult`. */
export type SQLExecuteResult = Own.SQLResult;

/** An earlier statement of a stored query. */
export type SQLVersionInfo = Omit<Own.SQLVersion, "version">;
/** Operating system of a core instance. */
export type TagoCoreOS = Own.TagoCoreInfo["os"];
/** Number of resources of a core instance. */
export type TagoCoreSummary = NonNullable<Own.TagoCoreInfo["summary"]>;

// Templates
/** @deprecated Use `InstallAnalysisTemplate`. */
export type TemplateInstallAnalysis = Own.InstallAnalysisTemplate;
/** @deprecated Use `InstallDashboardTemplate`. */
export type TemplateInstallDashboard = Own.InstallDashboardTemplate;
/** @deprecated Use `TemplateCreateInfo`. */
export type TemplateObjAnalysis = Own.TemplateCreateInfo;
/** @deprecated Use `TemplateCreateInfo`. */
export type TemplateObjDashboard = Own.TemplateCreateInfo;
/** @deprecated Use `TemplateInfo`. */
export type TemplateObj = Own.TemplateInfo;
/** @deprecated Use `TemplateInstalled`. */
export type TemplateInstallReturn = Own.TemplateInstalled;

// Utils
/** @deprecated Use `LorawanQRCode`. */
export type QRCodeFormat = LorawanQRCode;
export type { UploadFileOptions } from "./utils/upload-file.ts";
