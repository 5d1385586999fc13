import { rates } from "../../lib/core/rates.ts";
import { serviceKeys } from "../../lib/resources/enums.ts";
import { profileRoutes } from "../../lib/resources/profile.ts";
import { addonEdit, profileCreate, profileCredentials, profileEdit, serviceEdit } from "../../schema/profile.ts";
import type { Demand } from "../access/demands.ts";
import { measure } from "../accounts/measure.ts";
import { accountOf } from "../accounts/owner.ts";
import type { App } from "../app.ts";
import {
  ADDON_NAMES,
  addonsOf,
  allocationGap,
  allocationOf,
  presentAddons,
  setAddons,
  setAllocation,
} from "../billing/allocation.ts";
import { isPlan } from "../core/plans.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import { booleanOf } from "../core/query.ts";
import { runHost } from "../portal/settings.ts";
import type { Resource } from "../resource.ts";
import type { ResourceEvent } from "../signals.ts";
import { ownProfile, reachProfile } from "./accessible-profiles.ts";
import { removeProfile } from "./remove-profile.ts";

const gaps = {
  addons: {
    subject: "GET /profile/{id}/addons",
    choice: "one row {id of the profile, name of the add-on, logo_url} for each that is on",
  },
  limits: {
    subject: "Limits by plan that are not counted requests",
    choice:
      "enforced for the numbers of records, portal users, files and backups on the free plan; not for email and SMS factors, filters of the audit log and its six months, core instances and clusters",
    general: true,
  },
} as const;

/** The profile in a path; `current` is the caller's own. */
const rule: Demand = {
  resource: "account",
  actions: ["access_profile"],
  subjects: ({ params }, { profile: own }) => [
    { id: params["profileID"] === "current" ? own : (params["profileID"] ?? own) },
  ],
};
const writes = { rule: "owner" } as const;
const fullWrites = { ...writes, permission: "full" } as const;

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

function usedOf(app: App, profile: string): Record<string, number> {
  const none = Object.fromEntries(serviceKeys.map((service) => [service, 0]));
  const counted = { ...none, dashboard_output: 0, ...app.usage.month(profile), ...measure(app, profile) };
  return { ...counted, tcore: amountsOf(app, profile)["tcore"] ?? 0, tcore_cluster: 0 };
}

function serveReads(app: App): void {
  const { accounts, db } = app;

  app.on(profileRoutes.list, { rule }, ({ principal }) => accounts.profiles(accountOf(app, principal)));

  app.on(profileRoutes.info, { rule }, ({ params, principal }) => {
    const info = reachProfile(app, params.profileID, principal);
    const plan = accounts.get(info.account)?.plan;
    const known = isPlan(plan) ? plan : "scale";
    const { dataReads, dataWrites } = rates;
    return {
      info: { ...info, rpm: { data_input: dataWrites.perMinute[known], data_output: dataReads.perMinute[known] } },
      allocation: allocationOf(db, info.id),
      addons: presentAddons(db, info),
      account_plan: known,
    };
  });

  app.on(profileRoutes.summary, { rule }, ({ params, principal, query }) => {
    const profile = reachProfile(app, params.profileID, principal);
    const { id } = profile;
    const amount = amountsOf(app, id);
    if (booleanOf(query["onlyAmount"]) === true) return { amount };
    return {
      limit: allocationOf(db, id),
      limit_used: usedOf(app, id),
      amount,
      addons: presentAddons(db, profile),
      tago_run: runHost(db, id),
    };
  });
}

function serveWrites(app: App): void {
  const { accounts } = app;

  const changed = (event: ResourceEvent, id: string, principal: Principal): void => {
    const document = { ...accounts.profile(id), id };
    app.signals.emit("resourceChanged", { profile: id, kind: "profile", event, document, principal });
  };

  app.on(profileRoutes.create, { ...fullWrites, body: profileCreate }, ({ body, principal }) => {
    const account = accountOf(app, principal);
    const { name, logo_url = null, banner_url = null } = body;
    const id = accounts.createProfile({ account, name, logoUrl: logo_url, bannerUrl: banner_url });
    changed("create", id, principal);
    return { id };
  });

  app.on(profileRoutes.edit, { ...fullWrites, body: profileEdit }, ({ body, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    accounts.editProfile(id, body);
    changed("edit", id, principal);
    return "Successfully Updated";
  });

  app.on(profileRoutes.delete, { ...fullWrites, body: profileCredentials }, ({ body, params, principal }) => {
    const { id, account } = ownProfile(app, params.profileID, principal);
    accounts.verifyAccount(account, body, "delete");
    removeProfile(app, id, principal);
    return "Successfully Removed";
  });
}

/** Add-ons and limits: stored and returned. */
function serveAllocation(app: App): void {
  const { db } = app;
  const assumed = { gaps: [allocationGap] };

  app.on(profileRoutes.addonList, { rule, gaps: [gaps.addons] }, ({ params, principal }) => {
    const { id, logo_url } = reachProfile(app, params.profileID, principal);
    const active = Object.entries(addonsOf(db, id)).filter(([, isOn]) => isOn);
    return active.map(([name]) => ({ id, name, logo_url }));
  });

  app.on(profileRoutes.addonEdit, { ...writes, ...assumed, body: addonEdit }, ({ body, now, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    setAddons(db, id, body, now);
    return "Successfully Updated";
  });

  app.on(profileRoutes.removeAddOn, { ...fullWrites, ...assumed }, ({ now, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    if (!ADDON_NAMES.includes(params.addon)) throw new PlatformError(404, "Add-on Not Found");
    setAddons(db, id, { [params.addon]: false }, now);
    return "Successfully Removed";
  });

  app.on(
    profileRoutes.serviceEdit,
    { ...writes, ...assumed, body: serviceEdit },
    ({ body, now, params, principal }) => {
      const { id } = reachProfile(app, params.profileID, principal);
      const limits = Object.entries(body).map(([name, value]) => [
        name,
        typeof value === "number" ? value : value.limit,
      ]);
      setAllocation(db, id, Object.fromEntries(limits), now);
      return "Successfully Updated";
    },
  );
}

/** Profiles: settings, contents, limits. */
export const profiles: Resource = {
  tables: { profileRoutes },
  kinds: [{ kind: "profile", audit: ["profile", "Profile"], trigger: ["profile"] }],
  gaps,
  serve: (app) => {
    serveReads(app);
    serveWrites(app);
    serveAllocation(app);
  },
};
