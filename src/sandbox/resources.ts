import { accessCatalogue, accessRules } from "./access/routes.ts";
import { accountsAndLogin } from "./accounts/routes.ts";
import { actions } from "./actions/routes.ts";
import { analyses } from "./analyses/routes.ts";
import { services } from "./analyses/service-routes.ts";
import { profileBackups } from "./backups/routes.ts";
import { billing } from "./billing/routes.ts";
import { dashboards } from "./dashboards/routes.ts";
import { deviceDataFiles } from "./data/file-routes.ts";
import { deviceData } from "./data/routes.ts";
import { deviceParameters } from "./devices/param-routes.ts";
import { devices } from "./devices/routes.ts";
import { deviceTokens } from "./devices/token-routes.ts";
import { dictionaries } from "./dictionaries/routes.ts";
import { entities } from "./entities/routes.ts";
import { files } from "./files/routes.ts";
import { info } from "./info/routes.ts";
import { connectors } from "./networks/connector-routes.ts";
import { networkData } from "./networks/data-routes.ts";
import { networkDevices } from "./networks/device-routes.ts";
import { networks } from "./networks/routes.ts";
import { notifications } from "./notifications/routes.ts";
import { portalNotifications } from "./portal/notification-routes.ts";
import { portal } from "./portal/routes.ts";
import { portalSettings } from "./portal/settings-routes.ts";
import { portalUsers } from "./portal/user-routes.ts";
import { profileTokens, teams } from "./profiles/member-routes.ts";
import { profiles } from "./profiles/routes.ts";
import { profileServiceProviders } from "./profiles/service-routes.ts";
import { profileUsage } from "./profiles/usage-routes.ts";
import type { Resource } from "./resource.ts";
import { secrets } from "./secrets/routes.ts";
import { serviceAuthorizations } from "./service-authorizations/routes.ts";
import { storedQueries } from "./sql/routes.ts";
import { Kinds } from "./store/kinds.ts";
import { events } from "./stream/routes.ts";
import { tags } from "./tags/routes.ts";
import { tcores } from "./tcores/routes.ts";
import { templates } from "./templates/routes.ts";
import { tipCommands } from "./tip/routes.ts";
import { widgetData } from "./widgets/data-routes.ts";
import { widgets } from "./widgets/routes.ts";
import { widgetSources } from "./widgets/source-routes.ts";

const parts: readonly Resource[] = [
  accessRules,
  accountsAndLogin,
  actions,
  analyses,
  billing,
  connectors,
  dashboards,
  deviceData,
  deviceDataFiles,
  deviceParameters,
  devices,
  deviceTokens,
  dictionaries,
  entities,
  events,
  files,
  info,
  networkData,
  networkDevices,
  networks,
  notifications,
  portal,
  portalNotifications,
  portalSettings,
  portalUsers,
  profileBackups,
  profiles,
  profileServiceProviders,
  profileTokens,
  profileUsage,
  secrets,
  serviceAuthorizations,
  services,
  storedQueries,
  tags,
  tcores,
  teams,
  templates,
  tipCommands,
  widgetData,
  widgets,
  widgetSources,
];

/** Everything the sandbox serves. */
export const resources: readonly Resource[] = [...parts, accessCatalogue(parts)];

/** All kinds of record, and everything else that changes. */
export const kinds: Kinds = new Kinds(
  resources.flatMap(({ records = [] }) => records),
  resources.flatMap(({ kinds = [] }) => kinds),
);
