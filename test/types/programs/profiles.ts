// Profiles, accounts and their tokens.
import {
  Account,
  type AuditLogFilter,
  type LoginResponse,
  type ProfileTeam,
  type Resources,
  type StatisticsDate,
} from "iotdeck";

const day: StatisticsDate = { timezone: "UTC", date: new Date() };
const filter: AuditLogFilter = { resourceName: "device", start_date: new Date(0), end_date: new Date(), limit: 10 };

export async function overview(resources: Resources): Promise<ProfileTeam[]> {
  const [profile] = await resources.profiles.list();
  const id = profile?.id ?? "current";
  const { info, account_plan } = await resources.profiles.info(id);
  await resources.profiles.edit(id, { info: { ...info, name: "North" } });
  await resources.profiles.tokenCreate(id, {
    name: "T",
    permission: "read",
    email: "a@b.c",
    password: "x",
    expire_time: "never",
  });
  await resources.profiles.usageStatisticList(id, day);
  const { queryId } = await resources.profiles.auditLog(id, filter);
  const team = await resources.profiles.teamList(id);
  console.log(account_plan, queryId, team[0]?.created_at);
  const { services } = await resources.billing.getSubscription();
  console.log(services.email.limit, (await resources.account.info()).options.decimal_separator);
  return team;
}
export async function login(): Promise<LoginResponse> {
  const credentials = { email: "a@b.c", password: "x", otp_type: "sms", pin_code: "1" } as const;
  const account = new Account({ token: process.env["ACCOUNT_TOKEN"] });
  console.log((await account.info()).name, (await account.devices.list())[0]?.id);
  return Account.login(credentials, "us-e1");
}
