import { createKinds, type Kinds } from "../store/kinds.ts";
import { accessCatalogue, accessRules } from "./access.ts";
import { accountsAndLogin } from "./accounts/accounts.ts";
import { actions } from "./actions.ts";
import { analyses } from "./analyses/analyses.ts";
import { services } from "./analyses/services.ts";
import { billing } from "./billing.ts";
import { dashboards } from "./dashboards/dashboards.ts";
import { templates } from "./dashboards/templates.ts";
import { widgetData } from "./dashboards/widget-data.ts";
import { widgetSources } from "./dashboards/widget-source.ts";
import { widgets } from "./dashboards/widgets.ts";
import { deviceData } from "./devices/data.ts";
import { deviceDataFiles } from "./devices/data-files.ts";
import { devices } from "./devices/devices.ts";
import { deviceParameters } from "./devices/params.ts";
import { deviceTokens } from "./devices/tokens.ts";
import { dictionaries } from "./dictionaries.ts";
import { entities } from "./entities.ts";
import { events } from "./events/events.ts";
import { files } from "./files/files.ts";
import { info } from "./info.ts";
import type { Resource } from "./kit.ts";
import { connectors } from "./networks/connectors.ts";
import { networkDevices } from "./networks/current.ts";
import { networkData } from "./networks/data.ts";
import { networks } from "./networks/networks.ts";
import { notifications } from "./notifications.ts";
import { portal } from "./portal/portal.ts";
import { portalSettings } from "./portal/run.ts";
import { portalNotifications } from "./portal/run-notifications.ts";
import { portalUsers } from "./portal/run-users.ts";
import { profileBackups } from "./profiles/backups.ts";
import { profileTokens, teams } from "./profiles/members.ts";
import { profiles } from "./profiles/profiles.ts";
import { profileServiceProviders } from "./profiles/services.ts";
import { profileUsage } from "./profiles/usage.ts";
import { secrets } from "./secrets.ts";
import { serviceAuthorizations } from "./service-authorization.ts";
import { storedQueries } from "./sql.ts";
import { tags } from "./tags.ts";
import { tcores } from "./tcores.ts";

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
  widgetData,
  widgets,
  widgetSources,
];

/** Everything the sandbox serves. */
export const resources: readonly Resource[] = [...parts, accessCatalogue(parts)];

/** Every kind of record there is, and every other thing that changes. */
export const kinds: Kinds = createKinds(
  resources.flatMap(({ records = [] }) => records),
  resources.flatMap(({ kinds = [] }) => kinds),
);
