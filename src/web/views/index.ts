import type { ComponentType } from "react";
import { EditorView } from "../editor/view.tsx";
import type { Route, ViewProps } from "../router.ts";
import { isOfAccount } from "../text.ts";
import { ActionsView } from "./actions.tsx";
import { AnalysesView } from "./analyses.tsx";
import { AnalysisView } from "./analysis.tsx";
import { ClockView } from "./clock.tsx";
import { CompareView } from "./compare.tsx";
import { DashboardView } from "./dashboard.tsx";
import { DashboardsView } from "./dashboards.tsx";
import { DeviceView } from "./device.tsx";
import { DevicesView } from "./devices.tsx";
import { EnvironmentView } from "./environment.tsx";
import { FaultsView } from "./faults.tsx";
import { FilesView } from "./files.tsx";
import { GapsView } from "./gaps.tsx";
import { NotFoundView } from "./not-found.tsx";
import { OutboxView } from "./outbox.tsx";
import { PageView } from "./page.tsx";
import { RequestsView } from "./requests.tsx";
import { SnapshotsView } from "./snapshots.tsx";
import { UsersView } from "./users.tsx";

interface Entry {
  readonly title: string;
  readonly list: ComponentType<ViewProps>;
  /** For addresses with an id. */
  readonly one?: ComponentType<ViewProps>;
}

/** Those that the console of an account has. */
const accountViews: Readonly<Record<string, Entry>> = {
  devices: { title: "Devices", list: DevicesView, one: DeviceView },
  dashboards: { title: "Dashboards", list: DashboardsView, one: DashboardView },
};

const sandboxViews: Readonly<Record<string, Entry>> = {
  ...accountViews,
  analyses: { title: "Analyses", list: AnalysesView, one: AnalysisView },
  actions: { title: "Actions", list: ActionsView },
  files: { title: "Files", list: FilesView, one: PageView },
  users: { title: "Users and access", list: UsersView },
  outbox: { title: "Outbox", list: OutboxView },
  requests: { title: "Requests", list: RequestsView },
  gaps: { title: "Gaps", list: GapsView },
  faults: { title: "Faults", list: FaultsView },
  clock: { title: "Clock", list: ClockView },
  snapshots: { title: "Snapshots and reset", list: SnapshotsView },
  environment: { title: "Environment", list: EnvironmentView },
};

const views = isOfAccount ? accountViews : sandboxViews;

interface Group {
  readonly title: string;
  readonly views: readonly string[];
}

const sandboxGroups: readonly Group[] = [
  { title: "Platform", views: ["devices", "dashboards", "analyses", "actions", "files", "users"] },
  { title: "Traffic", views: ["requests", "outbox", "gaps"] },
  { title: "Sandbox", views: ["faults", "clock", "snapshots", "environment"] },
];

/** How the navigation names and groups the views. */
export const groups = isOfAccount ? [{ title: "Account", views: Object.keys(accountViews) }] : sandboxGroups;

/** What the demo account shows where an address names no view. */
const DEMO_HOME = ["dashboards", "65a1000000000000000b0002"];

/** The address itself, or that of the view which is shown first. */
export const homed = (route: Route, scenario: string | undefined): Route =>
  route.parts.length === 0 && scenario === "demo" ? { ...route, parts: DEMO_HOME } : route;

const entryOf = (name: string): Entry | undefined => (Object.hasOwn(views, name) ? views[name] : undefined);

export const titleOf = (path: string): string => entryOf(path.split("/", 1)[0] || "devices")?.title ?? "Not found";

/** The view of an address; devices without one. */
export function findView([name = "devices", id, action]: readonly string[]): ComponentType<ViewProps> {
  const entry = entryOf(name);
  if (name === "dashboards" && action === "edit") return EditorView;
  if (name === "dashboards" && action === "compare") return CompareView;
  return (id === undefined ? entry?.list : entry?.one) ?? NotFoundView;
}
