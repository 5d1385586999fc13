/** What the compiler must know about the resources. Checked by `tsc`, never run: a wrong type is an error of this file. */
import { expectTypeOf } from "vitest";
import {
  Account,
  type AccountCreateInfo,
  type AccountEditInfo,
  type ActionInfo,
  type AuditLog,
  Authorization,
  type BillingPrices,
  type ConnectorInfo,
  type CurrentDeviceInfo,
  type DashboardInfo,
  Device,
  type DeviceData,
  type DeviceInfo,
  type DictionaryInfo,
  type EntityData,
  type FileListInfo,
  type GeoPoint,
  Network,
  type NetworkDevice,
  type NetworkInfo,
  type NotificationInfo,
  type OTPFlags,
  type ProfileSummary,
  Resources,
  type RunInfo,
  RunUser,
  type RunUserInfo,
  type ServiceAmounts,
  type ServiceKey,
  type Services,
  type StoredConnector,
  type StoredNetwork,
  type TemplateInfo,
  type TokenDataList,
  type TokenInfo,
  type UsageAlertTrigger,
  type UserInfo,
  type WidgetDataQuery,
  type WidgetInfo,
} from "../../src/index.ts";

type Row<List extends (...args: never[]) => Promise<readonly unknown[]>> = Awaited<ReturnType<List>>[number];

const it = new Resources({ token: "t" });

// Lists: the asked fields with `fields`; without, what the official SDK promises
const actions = () => it.actions.list();
expectTypeOf<Row<typeof actions>>().toExtend<ActionInfo>();
const triggered = () => it.actions.list({ fields: ["last_triggered"] });
expectTypeOf<Row<typeof triggered>>().toEqualTypeOf<Pick<ActionInfo, "id" | "last_triggered">>();
const rules = () => it.accessManagement.list({ fields: ["name", "created_at"] });
expectTypeOf<Row<typeof rules>["created_at"]>().toEqualTypeOf<Date>();
expectTypeOf<Row<typeof rules>>().not.toHaveProperty("permissions");
const runs = () => it.analysis.list({ fields: ["last_run"], orderBy: ["last_run", "desc"] });
expectTypeOf<Row<typeof runs>["last_run"]>().toEqualTypeOf<Date | "never" | null>();
const dictionaries = () => it.dictionaries.list({ amount: 5 });
expectTypeOf<Row<typeof dictionaries>>().toExtend<DictionaryInfo>();
const schemas = () => it.entities.list({ fields: ["schema"] });
expectTypeOf<Row<typeof schemas>>().toHaveProperty("schema");
expectTypeOf<Row<typeof schemas>>().not.toHaveProperty("name");
const secrets = () => it.secrets.list({ fields: ["created_at"] });
expectTypeOf<Row<typeof secrets>["created_at"]>().toEqualTypeOf<string>();
const cores = () => it.tagocores.list({ fields: ["system_start_time", "last_connection"] });
expectTypeOf<Row<typeof cores>["system_start_time"]>().toEqualTypeOf<Date>();
expectTypeOf<Row<typeof cores>["last_connection"]>().toEqualTypeOf<string>();
const users = () => it.run.listUsers({ fields: ["last_login"] });
expectTypeOf<Row<typeof users>["last_login"]>().toEqualTypeOf<Date | null>();
const queries = () => it.sql.list();
expectTypeOf<Row<typeof queries>["query"]>().toEqualTypeOf<string>();
const authorizations = () => it.serviceAuthorization.tokenList({ fields: ["expire_time"] });
expectTypeOf<Row<typeof authorizations>["expire_time"]>().toEqualTypeOf<Date | "never">();

const devices = () => it.devices.list({ fields: ["last_input"] });
expectTypeOf<Row<typeof devices>>().toHaveProperty("last_input");
expectTypeOf<Row<typeof devices>>().not.toHaveProperty("connector");
const streamed = it.devices.listStreaming({ fields: ["active"] }, { window: "time" });
expectTypeOf<Awaited<ReturnType<(typeof streamed)["next"]>>["value"]>().not.toBeAny();
expectTypeOf<
  Exclude<Awaited<ReturnType<(typeof streamed)["next"]>>["value"], void>[number]["active"]
>().toEqualTypeOf<boolean>();
const tokens = () => it.devices.tokenList("d1", { fields: ["created_at"] });
expectTypeOf<Row<typeof tokens>["created_at"]>().toEqualTypeOf<Date>();
expectTypeOf<Row<typeof tokens>>().not.toHaveProperty("permission");
const boards = () => it.dashboards.list({ fields: ["label"] });
expectTypeOf<Row<typeof boards>["label"]>().toEqualTypeOf<string>();
const connectors = () => it.integration.connectors.list();
expectTypeOf<Row<typeof connectors>>().toExtend<ConnectorInfo>();
const networkTokens = () => it.integration.networks.tokenList("k1", { fields: ["name"] });
expectTypeOf<Row<typeof networkTokens>>().not.toHaveProperty("token");
const profileTokens = () => it.profiles.tokenList("p1");
expectTypeOf<Row<typeof profileTokens>>().toHaveProperty("permission");
const standalone = () => it.tagocores.standaloneDeviceList("c1", { fields: ["last_input"] });
expectTypeOf<Row<typeof standalone>>().not.toHaveProperty("name");

// The static getters and the older names are those of an object
expectTypeOf<(typeof Resources)["devices"]>().toEqualTypeOf<Resources["devices"]>();
expectTypeOf<(typeof Services)["mqtt"]>().toEqualTypeOf<Services["MQTT"]>();
expectTypeOf<Account["ServiceAuthorization"]>().toEqualTypeOf<Resources["serviceAuthorization"]>();

// Single members
const connector = () => it.integration.connectors.info("c1");
expectTypeOf(connector).returns.resolves.toExtend<StoredConnector>();
const part = () => it.integration.networks.info("k1", ["middleware_endpoint"]);
expectTypeOf(part).returns.resolves.toEqualTypeOf<Pick<NetworkInfo, "id" | "middleware_endpoint">>();
const usual = () => it.integration.networks.info("k1");
expectTypeOf(usual).returns.resolves.toEqualTypeOf<StoredNetwork>();

// What is a date and what stays a text
expectTypeOf<UserInfo["last_login"]>().toEqualTypeOf<Date | null>();
expectTypeOf<Awaited<ReturnType<RunUser["info"]>>["last_login"]>().toEqualTypeOf<string | null>();
expectTypeOf<RunUserInfo["created_at"]>().toEqualTypeOf<Date>();
expectTypeOf<NetworkInfo["created_at"]>().toEqualTypeOf<string | undefined>();
expectTypeOf<NotificationInfo["created_at"]>().toEqualTypeOf<Date>();
expectTypeOf<TemplateInfo["updated_at"]>().toEqualTypeOf<Date>();
expectTypeOf<FileListInfo["files"][number]["last_modified"]>().toEqualTypeOf<Date | null>();
expectTypeOf<NonNullable<AuditLog["events"]>[number]["date"]>().toEqualTypeOf<Date>();

expectTypeOf<DeviceInfo["last_input"]>().toEqualTypeOf<Date | null>();
expectTypeOf<DeviceInfo["last_output"]>().toEqualTypeOf<string | null | undefined>();
expectTypeOf<CurrentDeviceInfo["last_output"]>().toEqualTypeOf<Date | null | undefined>();
expectTypeOf(new Device({ token: "t" }).info).returns.resolves.toEqualTypeOf<CurrentDeviceInfo>();
expectTypeOf<NetworkDevice["inspected_at"]>().toEqualTypeOf<Date | null | undefined>();
expectTypeOf<DeviceData["location"]>().toEqualTypeOf<GeoPoint | null | undefined>();
expectTypeOf<TokenDataList["token"]>().toEqualTypeOf<string>();
expectTypeOf(new Authorization({ token: "t" }).info).returns.resolves.toEqualTypeOf<TokenInfo>();
expectTypeOf<TokenInfo["token"]>().toEqualTypeOf<string | undefined>();
expectTypeOf<TokenDataList["permission"]>().toEqualTypeOf<"full" | "write" | "read" | "deny">();
expectTypeOf<WidgetInfo["created_at"]>().toEqualTypeOf<string | undefined>();
expectTypeOf<WidgetDataQuery["overwrite"]>().toEqualTypeOf<
  { start_date?: Date | string; end_date?: Date | string; timezone?: string } | undefined
>();
expectTypeOf<NonNullable<WidgetDataQuery["blueprint_devices"]>[number]>().toHaveProperty("origin");
const backup = () => it.devices.dataBackup({ deviceID: "d1", file_address: "/a" });
expectTypeOf(backup).returns.resolves.toHaveProperty("status");

// Entities know their rows when the program does
const pumps = () => it.entities.getEntityData<{ level: number | null }>("e1");
expectTypeOf<Row<typeof pumps>["level"]>().toEqualTypeOf<number | null>();
const anything = () => it.entities.getEntityData("e1");
expectTypeOf<Row<typeof anything>>().toEqualTypeOf<EntityData>();
expectTypeOf<Row<typeof anything>["level"]>().toEqualTypeOf<unknown>();

// The two classes share what they have in common
expectTypeOf<Account["actions"]>().toEqualTypeOf<Resources["actions"]>();
expectTypeOf<Account>().not.toHaveProperty("secrets");
expectTypeOf<Resources>().not.toHaveProperty("passwordChange");
expectTypeOf(Account.create).returns.resolves.toEqualTypeOf<string>();
expectTypeOf(RunUser.login).returns.resolves.toHaveProperty("expire_date");
expectTypeOf(new Network({ token: "t", details: true }).resolveToken).returns.resolves.toEqualTypeOf<string>();

// Members the platform has names for
expectTypeOf<ProfileSummary["amount"]["dashboard_shared"]>().toEqualTypeOf<number>();
expectTypeOf<ProfileSummary["limit_used"]["dashboard_output"]>().toEqualTypeOf<number | undefined>();
expectTypeOf<RunInfo["integration"]>().toEqualTypeOf<{ google_analytics?: string; zoho_salesiq?: string }>();
expectTypeOf<RunInfo["security"]["otp"]>().toEqualTypeOf<OTPFlags | undefined>();
expectTypeOf<RunInfo["security"]["captcha"]>().toEqualTypeOf<unknown>();
expectTypeOf<NonNullable<RunInfo["feature_geolocation"]>["buffer_size"]>().toEqualTypeOf<number | undefined>();

expectTypeOf<UsageAlertTrigger["service_or_resource"]>().toEqualTypeOf<
  ServiceKey | "device" | "dashboard" | "action" | "tcore" | "team_members" | "am"
>();
expectTypeOf<Extract<ActionInfo["action"], { type: "post" }>>().toHaveProperty("fallback_token");
expectTypeOf<{ type: "email"; to: string; message: string }>().not.toExtend<ActionInfo["action"]>();

expectTypeOf<keyof ServiceAmounts>().toEqualTypeOf<ServiceKey>();
expectTypeOf<BillingPrices["addons"][number]["name"]>().toEqualTypeOf<"mobile" | "custom_dns" | "control_tower">();

expectTypeOf<NonNullable<DashboardInfo["shared"]>["allow_tags"]>().toEqualTypeOf<boolean>();
expectTypeOf<NonNullable<NonNullable<DashboardInfo["filter"]>["period"]>["max_range"]>().toEqualTypeOf<
  string | undefined
>();
expectTypeOf<NonNullable<DashboardInfo["theme"]>["color"]>().toEqualTypeOf<Record<string, string> | undefined>();
expectTypeOf<{ type: "image"; media: string; color: string }>().toExtend<NonNullable<DashboardInfo["background"]>>();

// Arguments
expectTypeOf<Omit<AccountCreateInfo, "cpassword">>().not.toExtend<AccountCreateInfo>();
expectTypeOf<AccountEditInfo>().toHaveProperty("country");

expectTypeOf<{ name: string; type: "interval"; action: { type: "script"; script: string[] } }>().toExtend<
  Parameters<Resources["actions"]["create"]>[0]
>();
expectTypeOf<{ name: string; type: "sometimes" }>().not.toExtend<Parameters<Resources["actions"]["create"]>[0]>();
expectTypeOf<{ key: string }>().not.toExtend<Parameters<Resources["secrets"]["edit"]>[1]>();
expectTypeOf<readonly ["/a"]>().toExtend<Parameters<Resources["files"]["delete"]>[0]>();
