import { oldSpecs } from "../store/collections.ts";
import { createKinds, type Kinds } from "../store/kinds.ts";
import { accessRules } from "./access.ts";
import { accountsAndLogin } from "./accounts/accounts.ts";
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
import { entities } from "./entities.ts";
import { files } from "./files/files.ts";
import { info } from "./info.ts";
import type { Resource } from "./kit.ts";
import { connectors } from "./networks/connectors.ts";
import { networkDevices } from "./networks/current.ts";
import { networkData } from "./networks/data.ts";
import { networks } from "./networks/networks.ts";
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

/** Everything the sandbox serves. */
export const resources: readonly Resource[] = [
  accessRules,
  accountsAndLogin,
  billing,
  connectors,
  dashboards,
  deviceData,
  deviceDataFiles,
  deviceParameters,
  devices,
  deviceTokens,
  entities,
  files,
  info,
  networkData,
  networkDevices,
  networks,
  profileBackups,
  profiles,
  profileServiceProviders,
  profileTokens,
  profileUsage,
  secrets,
  serviceAuthorizations,
  storedQueries,
  tags,
  tcores,
  teams,
  templates,
  widgetData,
  widgets,
  widgetSources,
];

const records = resources.flatMap((each) => each.records ?? []);
const known = new Set(records.map(({ kind }) => kind));

/** Every kind of record there is, and every other thing that changes. */
export const kinds: Kinds = createKinds(
  [
    ...records,
    ...Object.values(oldSpecs)
      .filter(({ kind }) => !known.has(kind))
      .map((spec) => ({ ...spec, silent: true })),
  ],
  [...resources.flatMap((each) => each.kinds ?? []), { kind: "run", audit: ["run", "Portal"] }],
);
