import { ownAccountRoutes } from "../../lib/resources/account.ts";
import { billingRoutes } from "../../lib/resources/billing.ts";
import { planRoutes } from "../../lib/resources/plan.ts";
import { profileRoutes } from "../../lib/resources/profile.ts";
import { runRoutes } from "../../lib/resources/run.ts";
import { creation, type Demand, type DemandEntry, list, named, portal, record, whole } from "./demands.ts";

const user = (...actions: readonly string[]): Demand => record("run_user", "userID", ...actions);
/** The profile a path names; `current` is the caller's own. */
const profile: Demand = {
  resource: "account",
  actions: ["access_profile"],
  subjects: ({ params }, { profile: own }) => [
    { id: params["profileID"] === "current" ? own : (params["profileID"] ?? own) },
  ],
};
const statistics = whole("account", "access_profile_statistics");
const portalSettings = whole("run", "access");
const portalEdit = whole("run", "edit");

/** The account, its profiles and the portal. What only the owner of the account may do takes profile tokens alone. */
export const accountDemands: readonly DemandEntry[] = [
  [ownAccountRoutes.info, whole("account", "access")],
  [profileRoutes.list, profile],
  [profileRoutes.info, profile],
  [profileRoutes.summary, profile],
  [profileRoutes.addonList, profile],
  [profileRoutes.usageStatisticList, statistics],
  [billingRoutes.getProratedPrices, whole("account", "access")],
  [planRoutes.getActivePlan, whole("account", "access")],
  [runRoutes.info, portalSettings],
  [runRoutes.edit, portalEdit],
  [runRoutes.listUsers, portal(list("run_user", "run_user", "access"))],
  [runRoutes.userInfo, portal(user("access"))],
  [runRoutes.userCreate, creation("run_user", "create")],
  [runRoutes.userEdit, user("edit")],
  [runRoutes.userDelete, user("delete")],
  [runRoutes.loginAsUser, user("login_as_user", "login")],
  [runRoutes.emailTest, portalEdit],
  [runRoutes.notificationList, user("access")],
  [runRoutes.notificationCreate, named("run_user", "run_user", "notification", "access")],
  [runRoutes.notificationEdit, whole("run_user", "notification", "access")],
  [runRoutes.notificationDelete, whole("run_user", "notification", "access")],
  [runRoutes.ssoSAMLInfo, portalSettings],
  [runRoutes.ssoSAMLEdit, portalEdit],
  [runRoutes.getCustomDomain, portalSettings],
  [runRoutes.createCustomDomain, portalEdit],
  [runRoutes.deleteCustomDomain, portalEdit],
  [runRoutes.regenerateCustomDomain, portalEdit],
];
