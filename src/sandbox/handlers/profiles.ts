import { profileRoutes } from "../../lib/resources/profile.ts";
import { profileTokenCreate } from "../../schema/account.ts";
import type { ProfileDocument } from "../accounts.ts";
import type { FullApp } from "../app.ts";
import { requireId } from "../ids.ts";
import { listRecords } from "../list-records.ts";
import { booleanOf } from "../query-decode.ts";
import { created, type HandlerContext, PlatformError } from "../types.ts";
import { presentToken } from "./info.ts";

/** Limits of a profile on the plan scale; the sandbox does not enforce them. */
const ALLOCATION = {
  input: 50_000_000,
  output: 100_000_000,
  sms: 1_000,
  email: 50_000,
  analysis: 100_000,
  data_records: 100_000_000,
  run_users: 1_000,
  push_notification: 50_000,
  file_storage: 100_000,
  tcore: 10,
} as const;

const ADDONS = { custom_dns: false, mobile: false, control_tower: false } as const;

/** Lifetime of a token whose maker names none (SERVER.md section 2). */
const DEFAULT_EXPIRE_TIME = "3 months";

/** Profiles and their tokens. */
export function registerProfileRoutes(app: FullApp): void {
  const { accounts } = app;
  const tokenDefaults = profileRoutes.tokenList.list ?? {};

  const ownAccount = (context: HandlerContext): string => accounts.profile(context.profile)?.account ?? "";

  /** The profile of the path; `current` is the token's own, others must belong to the same account. */
  const need = (profileId: string, context: HandlerContext): ProfileDocument => {
    const id = profileId === "current" ? context.profile : requireId(profileId, "Profile");
    const reachable = id === context.profile || accounts.profiles(ownAccount(context)).some((item) => item.id === id);
    const profile = reachable ? accounts.profile(id) : undefined;
    if (profile === undefined) throw new PlatformError(404, "Profile Not Found");
    return profile;
  };

  app.handle(profileRoutes.list, (context) => accounts.profiles(ownAccount(context)));

  app.handle(profileRoutes.info, (context) => {
    const info = need(context.params.profileID, context);
    return {
      info,
      allocation: ALLOCATION,
      addons: { ...ADDONS, profile: info.id },
      account_plan: accounts.get(info.account)?.plan ?? "scale",
    };
  });

  app.handle(profileRoutes.summary, (context) => {
    const { id } = need(context.params.profileID, context);
    const devices = app.collection("device").all(id);
    const amount = {
      device: devices.length,
      bucket: devices.length,
      dashboard: app.collection("dashboard").count(id),
      dashboard_shared: 0,
      analysis: app.collection("analysis").count(id),
      action: 0,
      am: 0,
      run_users: 0,
      dictionary: 0,
      connectors: app.collection("connector").count(id),
      networks: app.collection("network").count(id),
      tcore: 0,
      tcore_cluster: 0,
    };
    if (booleanOf(context.query["onlyAmount"]) === true) return { amount };
    const records = devices.reduce((sum, device) => sum + app.data.amount(device.id), 0);
    const unused = Object.fromEntries(Object.keys(ALLOCATION).map((service) => [service, 0]));
    const used = { ...unused, data_records: records, dashboard_output: 0, tcore_cluster: 0 };
    return { limit: ALLOCATION, limit_used: used, amount, addons: ADDONS };
  });

  app.handle(profileRoutes.tokenList, (context) => {
    const { id } = need(context.params.profileID, context);
    return listRecords(app.tokens.list("profile", id).map(presentToken), context.query, tokenDefaults);
  });

  app.handle(profileRoutes.tokenCreate, { body: profileTokenCreate }, (context) => {
    const { id, account } = need(context.params.profileID, context);
    const token = app.tokens.create({
      kind: "profile",
      profile: id,
      refId: id,
      name: context.body.name,
      permission: context.body.permission,
      expireTime: context.body.expire_time || DEFAULT_EXPIRE_TIME,
      createdBy: account,
    });
    return created({
      token: token.token,
      name: token.name,
      permission: token.permission,
      expire_date: token.expireTime,
      expire_time: token.expireTime,
      profile: id,
      created_by: account,
    });
  });

  app.handle(profileRoutes.tokenDelete, (context) => {
    const { id } = need(context.params.profileID, context);
    const token = app.tokens.find(context.params.token);
    if (token === undefined || token.kind !== "profile" || token.refId !== id) {
      throw new PlatformError(404, "Token Not Found");
    }
    app.tokens.remove(token.token);
    return "Token Successfully Removed";
  });
}
