// The modules inside @tago-io/sdk 11.x that programs import types from (`@tago-io/sdk/lib/types`), as declarations that lead
// to the types of the library. They hold no values, which come from the root; `lib/modules` is the root itself.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Names of the types by module. `a=b`: a is the type b of the library; `*a`: all of the module a.
 */
const innerPaths = {
  "common/TagoIOModule": `
    default=Module GenericModuleParams ShareModuleParams doRequestParams TokenModuleParams ConnectorModuleParams
    AuthorizationModuleParams`,
  "common/common.types": `
    Data DataCreate DataEdit TagsObj Query Base64 GenericID GenericToken PermissionOption ExpireTimeOption
    ExportOption Conditionals TokenCreateResponse RunTypeOptions RefType ListTokenQuery TokenData TokenDataList
    RecursivePartial Authenticator`,
  "infrastructure/apiSSE": "OpenSSEConfig",
  "modules/Analysis/Analysis": "default=Analysis",
  "modules/Analysis/analysis.types": "AnalysisConstructorParams analysisFunction AnalysisEnvironment TagoContext",
  "modules/Authorization/Authorization": "default=Authorization",
  "modules/Authorization/authorization.types": "AuthorizationInfo",
  "modules/Device/Device": "default=Device",
  "modules/Device/device.types": `
    DeviceConstructorParams DeviceItem DataToSend DataToEdit DataQuery DataQuerySummary DataQueryStreaming
    DataQueryAggregate DataQueryFirstLast DataQueryDefault DataQueryNumberResponse OptionsStreaming ListResponse
    valuesTypes`,
  "modules/Dictionary/Dictionary": "default=Dictionary",
  "modules/Dictionary/dictionary.types": `
    IDictionaryModuleParams IDictionaryModuleParamsAnonymous IParsedExpression IResolveExpressionParams
    IApplyToStringOptions`,
  "modules/Migration/Migration": "default=Migration",
  "modules/Migration/convertFields": "InputFormField",
  "modules/Network/Network": "default=Network",
  "modules/Network/network.types": "INetworkInfo NetworkDeviceListQuery NetworkDeviceListQueryInfo",
  "modules/Resources/Access": "default=AccessManagement",
  "modules/Resources/Account": "default=OwnAccount",
  "modules/Resources/AccountDeprecated": "default=Account",
  "modules/Resources/Actions": "default=Actions",
  "modules/Resources/Analyses": "default=Analyses",
  "modules/Resources/Billing": "default=Billing",
  "modules/Resources/Buckets": "default=Buckets",
  "modules/Resources/Dashboard.Widgets": "default=Widgets",
  "modules/Resources/Dashboards": "default=Dashboards",
  "modules/Resources/Devices": "default=Devices",
  "modules/Resources/Dictionaries": "default=Dictionaries",
  "modules/Resources/Entities": "default=Entities",
  "modules/Resources/Files": "default=Files",
  "modules/Resources/Integration": "default=Integration",
  "modules/Resources/Integration.Connectors": "default=Connectors",
  "modules/Resources/Integration.Networks": "default=Networks",
  "modules/Resources/Notifications": "default=Notifications",
  "modules/Resources/PaymentHistory": "default=PaymentHistory",
  "modules/Resources/PaymentMethods": "default=PaymentMethods",
  "modules/Resources/Plan": "default=Plan",
  "modules/Resources/Profile": "default=Profiles",
  "modules/Resources/Resources": "default=Resources",
  "modules/Resources/Run": "default=Run",
  "modules/Resources/Secrets": "default=Secrets",
  "modules/Resources/ServiceAuthorization": "default=ServiceAuthorization",
  "modules/Resources/ServiceAuthorization.types": `
    GenericToken=ServiceAuthGenericToken TokenCreateResponse=ServiceAuthTokenCreateResponse`,
  "modules/Resources/TagoCores": "default=TagoCores",
  "modules/Resources/Tags": "default=Tags",
  "modules/Resources/Template": "default=Templates",
  "modules/Resources/access.types": "AccessCreateInfo AccessInfo AccessQuery Permissions",
  "modules/Resources/account.types": `
    AccountInfo AccountCreateInfo LoginResponse TokenCreateInfo OTPType LoginCredentials`,
  "modules/Resources/actions.types": "ActionInfo ActionCreateInfo ActionQuery MQTTResourceAction",
  "modules/Resources/analysis.types": "AnalysisInfo AnalysisCreateInfo ScriptFile AnalysisQuery AnalysisListItem",
  "modules/Resources/billing.types": `
    BillingPlan BillingService BillingAddOn BillingServiceSubscription BillingSubscriptionServices
    BillingSubscriptionAddOns BillingPaymentError BillingPaymentPastDue BillingSubscription BillingEditSubscription
    BillingServiceSubscriptionSchedule BillingSubscriptionSchedule BillingSchedule BillingServicePrice
    BillingPlanPrices BillingAddOnPrices BillingPrices BillingPaymentMethodCard BillingPaymentMethodBalance
    BillingCoupon BillingPaymentMethod BillingSubscriptionSummary BillingPaymentHistoryEntry BillingInformation
    BillingEditInformation BillingResourceAllocationServices BillingResourceAllocation
    BillingProfileResourceAllocation BillingEditResourceAllocation`,
  "modules/Resources/buckets.types": `
    BucketInfo BucketCreateInfo VariablesInfo BucketDeviceInfo ExportBucket ExportBucketOption BucketQuery
    ListVariablesOptions DataStorageType`,
  "modules/Resources/dashboards.types": `
    DashboardQuery PublicKeyResponse DevicesRelated AnalysisRelated DashboardCreateInfo DashboardInfo WidgetInfo
    widgetOverwrite PostDataModel EditDataModel EditDeviceResource EditResourceOptions GetDataModel`,
  "modules/Resources/devices.types": `
    DeviceQuery DeviceCreateInfo ConfigurationParams DeviceInfo DeviceEditInfo DeviceCreateResponse DeviceListItem
    DeviceTokenData DeviceTokenDataList DeviceChunkData ListDeviceTokenQuery DeviceChunkParams
    DeviceChunkCopyResponse DeviceDataBackup DeviceDataRestore DeviceDataBackupResponse`,
  "modules/Resources/dictionaries.types": `
    DictionaryCreateInfo DictionaryInfo LanguageInfoQuery DictionaryQuery LanguageData LanguageEditData`,
  "modules/Resources/entities.types": `
    EntityIndex EntitySchema EntityFieldType EntityCreateInfo EntityInfo EntityQuery EntityListItem EntityDataQuery
    EntityData EntityUnknownData`,
  "modules/Resources/files.types": `
    FileQuery FileListInfo Base64File MoveFiles FilesPermission UploadOptions CopyFiles`,
  "modules/Resources/integration.connectors.types": "ConnectorInfo ConnectorCreateInfo ConnectorQuery",
  "modules/Resources/integration.networks.types": `
    NetworkInfo NetworkCreateInfo NetworkTokenInfo NetworkQuery NetworkTokenCreateResponse`,
  "modules/Resources/notifications.types": `
    NotificationCreate NotificationQuery NotificationInfo NotificationButton NotificationTriggerProfile
    NotificationTriggerHTTP NotificationTriggerAnalysis NotificationIconImage NotificationIconSVG`,
  "modules/Resources/paymentHistory.types": "PaymentInfo",
  "modules/Resources/plan.types": "PlanSetInfo PlanInfo ProfileLimit Discount Summary Price CurrentPrices",
  "modules/Resources/profile.types": `
    ProfileListInfo ProfileAddOns ProfileInfo ProfileTeam UsageStatistic AuditLog AuditLogFilter AddonInfo
    ProfileSummary StatisticsDate`,
  "modules/Resources/run.types": `
    RunInfo UserCreateInfo UserCreateResponse UserInfo LoginResponseRun UserQuery UserListItem LoginAsUserOptions
    RunSAMLInfo RunSAMLEditInfo CustomDomainCreate CustomDomainResponse CustomDomainInfo CustomDomainDnsRecord`,
  "modules/Resources/secrets.type": "SecretsInfo SecretsCreate SecretsEdit SecretsQuery",
  "modules/Resources/tagocore.types": `
    TagoCoreComputerUsage TagoCoreInfo TagoCoreListInfo TagoCoreOS TagoCoreQuery TagoCoreSummary`,
  "modules/Resources/template.types": `
    TemplateObjDashboard TemplateObjAnalysis TemplateInstallDashboard TemplateInstallAnalysis TemplateObj
    TemplateInstallReturn`,
  "modules/RunUser/RunUser": "default=RunUser",
  "modules/RunUser/SDB": "default=SDB",
  "modules/RunUser/runUser.types": `
    RunUserInfo RunUserCreateInfo RunUserCreate RunUserLogin RunUserCredentials RunUserLoginResponse
    RunNotificationInfo`,
  "modules/Services/AWS-SQS": "default=SQSService",
  "modules/Services/Attachment": "default=AttachmentService",
  "modules/Services/Console": "default=ConsoleService",
  "modules/Services/Email": `
    default=EmailService EmailWithTemplate EmailBase AttachmentOptions TemplateOptions EmailHTML EmailRawText`,
  "modules/Services/MQTT": "default=MQTTService",
  "modules/Services/Notification": "default=NotificationService",
  "modules/Services/PDF": "default=PDFService PDFParams",
  "modules/Services/SMS": "default=SMSService",
  "modules/Services/SMTP": "default=SMTPService",
  "modules/Services/Sendgrid": "default=SendgridService",
  "modules/Services/Services": "default=Services",
  "modules/Services/Twilio-Whatsapp": "default=TwilioWhatsappService",
  "modules/Services/Twillio": "default=TwilioService",
  "modules/Utils/Utils": "AnalysisRouter",
  "modules/Utils/router/router": "RouterConstructor default=AnalysisRouter",
  "modules/Utils/router/router.types": "RouterConstructor UserListScope DeviceListScope CustomBtnScope",
  "modules/Utils/router/service": "default=RouterService",
  "modules/Utils/utils.types": "QRCodeFormat UploadFileOptions DownlinkOptions",
  regions: "Regions RegionsObj",
  types: `
    *common/common.types *modules/Resources/account.types *modules/Resources/access.types
    *modules/Resources/actions.types *modules/Resources/analysis.types *modules/Resources/buckets.types
    *modules/Resources/dashboards.types *modules/Resources/devices.types *modules/Resources/dictionaries.types
    *modules/Resources/files.types *modules/Resources/notifications.types *modules/Resources/plan.types
    *modules/Resources/profile.types *modules/Resources/run.types *modules/Resources/template.types
    *modules/Resources/paymentHistory.types *modules/Resources/billing.types
    *modules/Resources/integration.networks.types *modules/Resources/integration.connectors.types
    *modules/Resources/tagocore.types *modules/Analysis/analysis.types *modules/Device/device.types
    *modules/Authorization/authorization.types *modules/RunUser/runUser.types *modules/Network/network.types
    *modules/Dictionary/dictionary.types`,
};

/** The types of each module, by the names they have there and in the library. */
export function innerTypes() {
  return new Map(Object.keys(innerPaths).map((path) => [path, typesOf(path)]));
}

function typesOf(path) {
  return new Map(
    innerPaths[path]
      .trim()
      .split(/\s+/)
      .flatMap((word) => {
        if (word.startsWith("*")) return [...typesOf(word.slice(1))];
        const [name, own = name] = word.split("=");
        return [[name, own]];
      }),
  );
}

/**
 * Writes the declarations below `folder`, beside the ones of the library. A module of types alone gets an empty file, as
 * 11.x has it, for programs whose compiler keeps the import of a type.
 */
export function writeInnerPaths(folder) {
  for (const [path, types] of innerTypes()) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const names = [...types].map(([name, own]) => (name === own ? name : `${own} as ${name}`));
    const library = `${"../".repeat(path.split("/").length)}types/index.js`;
    writeFileSync(`${file}.d.ts`, `export type { ${names.join(", ")} } from "${library}";\n`);
    if (/\btypes?$/.test(path)) writeFileSync(`${file}.js`, '"use strict";\n');
  }
  writeFileSync(join(folder, "modules.d.ts"), 'export * from "../types/index.js";\n');
  writeFileSync(join(folder, "modules.js"), 'module.exports = require("../index.cjs");\n');
  writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }\n');
}
