import { basename } from "node:path";
import type { Section } from "../../schema/seed/records.ts";
import { storeBackup } from "../backups/backups.ts";
import { notify } from "../notifications/notify.ts";
import { type Filling, fillEach, momentAt, ownerOf, timesOf } from "./filling.ts";
import { tokenOf } from "./published.ts";

type Analysis = Section<"analyses"> & { readonly id: string };

/** Stored queries, analyses with scripts, actions and notifications. */
export function fillAutomation(filling: Filling): void {
  const { app, profile } = filling;
  const times = timesOf(filling);
  fillEach(filling, "queries", (query) => {
    const version = { version: 1, query: query["query"], created_at: times.created_at, created_by: authorOf(filling) };
    const common = { cache_enabled: false, cache_ttl_seconds: 0, rate_limit_rpm: null, active: true };
    const versions = { version: 1, cache_version: 1, versions: [{ ...version, version_id: app.ids.uuid() }] };
    app.collection("sql").insert(profile, { description: "", params: [], ...common, ...query, ...versions, ...times });
  });
  fillEach(filling, "analyses", (analysis, at) => fillAnalysis(filling, analysis, at));
  fillEach(filling, "actions", (action) => {
    const state = { description: null, active: true, lock: false, trigger_when_unlock: false, last_triggered: "never" };
    app.collection("action").insert(profile, { ...state, ...action, ...times });
  });
  fillEach(filling, "notifications", (message) => {
    const { title, message: text } = message as Readonly<Record<string, unknown>>;
    notify(app, profile, { ...message, title: String(title), message: String(text), ...times });
  });
}

/** Backups of the profile. Created after everything else. */
export function fillBackups(filling: Filling): void {
  fillEach(filling, "backups", ({ id, at }) => {
    const backup = { id, profile: filling.profile, status: "completed", created_at: momentAt(filling, at) } as const;
    storeBackup(filling.app, backup);
  });
}

function authorOf(filling: Filling): string {
  const account = filling.app.accounts.get(ownerOf(filling));
  return account === undefined ? "" : `${account.name} (${account.email})`;
}

function fillAnalysis(filling: Filling, analysis: Analysis, at: string): void {
  const { app, layer, profile } = filling;
  const { id, token: _, script, file_name, run_on, runtime, variables, tags, name, ...own } = analysis;
  const common = { interval: null, variables, tags };
  const times = timesOf(filling);
  const analyses = app.collection("analysis");
  const token = {
    kind: "analysis",
    profile,
    refId: id,
    name: "Default",
    token: tokenOf("analysis", analysis),
  } as const;
  if (script === undefined) {
    const settings = { description: null, active: true, ...own };
    const runs = { run_on, runtime: runtime ?? (run_on === "external" ? "other" : "node-legacy") };
    analyses.insert(profile, { id, name, ...settings, ...runs, ...common, last_run: "never", ...times });
    app.tokens.create({ ...token, createdBy: ownerOf(filling) });
    return;
  }
  const fileName = file_name ?? basename(script);
  const language = runtime ?? (fileName.endsWith(".py") ? "python-legacy" : "node-legacy");
  const settings = { description: null, active: true, name, runtime: language, ...own };
  const version = { file_name: fileName, created_at: layer.created, created_by: authorOf(filling) };
  const uploaded = { file_name: fileName, version: 1, versions: { 1: version }, last_run: "never", locked_at: null };
  analyses.insert(profile, { id, ...settings, run_on, ...common, ...uploaded, ...times });
  app.scripts.add(id, { fileName, language, content: layer.bytes(script, at) });
  app.tokens.create(token);
}
