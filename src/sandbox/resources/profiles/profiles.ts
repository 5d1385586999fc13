import { serviceKeys } from "../../../lib/resources/enums.ts";
import { profileRoutes } from "../../../lib/resources/profile.ts";
import { addonEdit, profileCreate, profileCredentials, profileEdit, serviceEdit } from "../../../schema/profile.ts";
import type { ProfileDocument } from "../../accounts/accounts.ts";
import { accountOf } from "../../accounts/owner.ts";
import type { App } from "../../app.ts";
import {
  ADDON_NAMES,
  addonsOf,
  allocationOf,
  presentAddons,
  setAddons,
  setAllocation,
} from "../../billing/allocation.ts";
import { isPlan } from "../../core/plans.ts";
import { PlatformError } from "../../core/platform-error.ts";
import { booleanOf } from "../../core/query.ts";
import type { OldOptions } from "../../http/old-facts.ts";
import { dataRates } from "../../http/rates.ts";
import { runHost } from "../../portal/settings.ts";
import { ownProfile, reachProfile } from "./reach.ts";
import { removeProfile } from "./remove-profile.ts";

const BYTES_PER_MB = 1_000_000;

function amountsOf(app: App, profile: string): Record<string, number> {
  const rows = app.db.all<{ kind: string; n: number }>(
    "SELECT kind, count(*) AS n FROM entity WHERE profile = ? GROUP BY kind",
    profile,
  );
  const counts = new Map(rows.map(({ kind, n }) => [kind, n]));
  const amounts = app.kinds.records.flatMap(({ amounts: names = [], kind }) =>
    names.map((name) => [name, counts.get(kind) ?? 0] as const),
  );
  return { ...Object.fromEntries(amounts), dashboard_shared: 0, tcore_cluster: 0 };
}

/** How much there is now of what is not counted but measured. */
export function measure(app: App, profile: string): { data_records: number; run_users: number; file_storage: number } {
  const devices = app.collection("device").all(profile);
  return {
    data_records: devices.reduce((sum, device) => sum + app.data.amount(device.id), 0),
    run_users: app.collection("run_user").count(profile),
    file_storage: Math.round((app.files.usage(profile) / BYTES_PER_MB) * 100) / 100,
  };
}

function used(app: App, profile: string): Record<string, number> {
  const none = Object.fromEntries(serviceKeys.map((service) => [service, 0]));
  const counted = { ...none, dashboard_output: 0, ...app.usage.month(profile), ...measure(app, profile) };
  return { ...counted, tcore: amountsOf(app, profile)["tcore"] ?? 0, tcore_cluster: 0 };
}

function registerRecords(app: App): void {
  const { accounts, db } = app;
  const writers: OldOptions = { tokens: ["profile"], permission: "full" };

  app.handle(profileRoutes.list, ({ principal }) => accounts.profiles(accountOf(app, principal)));

  app.handle(profileRoutes.info, ({ params, principal }) => {
    const info = reachProfile(app, params.profileID, principal);
    const plan = accounts.get(info.account)?.plan;
    const known = isPlan(plan) ? plan : "scale";
    return {
      info: { ...info, rpm: dataRates(known) },
      allocation: allocationOf(db, info.id),
      addons: presentAddons(db, info),
      account_plan: known,
    };
  });

  app.handle(profileRoutes.summary, ({ params, principal, query }) => {
    const profile = reachProfile(app, params.profileID, principal);
    const { id } = profile;
    const amount = amountsOf(app, id);
    if (booleanOf(query["onlyAmount"]) === true) return { amount };
    return {
      limit: allocationOf(db, id),
      limit_used: used(app, id),
      amount,
      addons: presentAddons(db, profile),
      tago_run: runHost(db, id),
    };
  });

  app.handle(profileRoutes.create, { ...writers, body: profileCreate }, ({ body, principal }) => {
    const account = accountOf(app, principal);
    const { name, logo_url = null, banner_url = null } = body;
    const id = accounts.createProfile({ account, name, logoUrl: logo_url, bannerUrl: banner_url });
    app.signals.emit("resourceChanged", {
      profile: id,
      kind: "profile",
      event: "create",
      document: { id, name },
      principal,
    });
    return { id };
  });

  app.handle(profileRoutes.edit, { ...writers, body: profileEdit }, ({ body, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    accounts.editProfile(id, {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.logo_url !== undefined && { logo_url: body.logo_url }),
      ...(body.banner_url !== undefined && { banner_url: body.banner_url }),
    });
    const document = { ...accounts.profile(id), id };
    app.signals.emit("resourceChanged", { profile: id, kind: "profile", event: "edit", document, principal });
    return "Successfully Updated";
  });

  app.handle(profileRoutes.delete, { ...writers, body: profileCredentials }, ({ body, params, principal }) => {
    const { id, account } = ownProfile(app, params.profileID, principal);
    accounts.verifyAccount(account, body, "delete");
    removeProfile(app, id, principal);
    return "Successfully Removed";
  });
}

/** Add-ons and limits: stored and echoed. */
function registerAllocation(app: App): void {
  const { db } = app;
  const writers: OldOptions = { tokens: ["profile"] };

  const addonRow = ({ id, logo_url }: ProfileDocument, name: string) => ({ id, name, logo_url });

  app.handle(profileRoutes.addonList, ({ params, principal }) => {
    const profile = reachProfile(app, params.profileID, principal);
    const active = Object.entries(addonsOf(db, profile.id)).filter(([, isOn]) => isOn);
    return active.map(([name]) => addonRow(profile, name));
  });

  app.handle(profileRoutes.addonEdit, { ...writers, body: addonEdit }, ({ body, now, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    setAddons(db, id, body, now);
    return "Successfully Updated";
  });

  app.handle(profileRoutes.removeAddOn, { ...writers, permission: "full" }, ({ now, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    if (!ADDON_NAMES.includes(params.addon)) throw new PlatformError(404, "Add-on Not Found");
    setAddons(db, id, { [params.addon]: false }, now);
    return "Successfully Removed";
  });

  app.handle(profileRoutes.serviceEdit, { ...writers, body: serviceEdit }, ({ body, params, principal, now }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    const limits = Object.entries(body).map(([name, value]) => [name, typeof value === "number" ? value : value.limit]);
    setAllocation(db, id, Object.fromEntries(limits), now);
    return "Successfully Updated";
  });
}

/** Profiles: what they are, what they hold, what they may use. */
export function registerProfileRoutes(app: App): void {
  registerRecords(app);
  registerAllocation(app);
}
