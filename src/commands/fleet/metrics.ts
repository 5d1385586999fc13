import { cleanLine } from "../../text/clean.ts";
import type { Fleet } from "./read.ts";
import { countStates } from "./rows.ts";

/** What is known when metrics are asked for. */
export interface Shown {
  /** As it was read last. */
  readonly fleet: Fleet;
  /** How long that took. */
  readonly tookMs: number;
  /** Whether the last attempt succeeded; if not, `fleet` is older. */
  readonly isUp: boolean;
  readonly failures: number;
  readonly nowMs: number;
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

/** Lengths of names; Prometheus stores a label with each sample. */
const MOST_LABEL = 100;

function family(name: string, type: "gauge" | "counter", help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return "";
  const lines = samples.map(([labels, value]) => `${name}${labelsText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function labelsText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

const escaped = (value: string): string =>
  cleanLine(value, MOST_LABEL).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

const only = (value: number): readonly Sample[] => [[{}, value]];
const seconds = (ms: number): number => ms / 1_000;

/**
 * The state of a fleet in the text format of Prometheus.
 *
 * @param isEach also a series for each device and each failing analysis
 */
export function metricsText({ fleet, tookMs, isUp, failures, nowMs }: Shown, isEach: boolean): string {
  const { rows, plan, analyses, actions, problems, atMs } = fleet;
  const states = Object.entries(countStates(rows)).map(([state, count]): Sample => [{ state }, count]);
  const used = plan.map(({ service, used: amount }): Sample => [{ service }, amount]);
  const limits = plan.flatMap(({ service, limit }): Sample[] => (limit === null ? [] : [[{ service }, limit]]));
  return [
    family("iot_fleet_devices", "gauge", "Devices by their state.", states),
    family("iot_plan_used", "gauge", "Use of the plan in its period, by service.", used),
    family("iot_plan_limit", "gauge", "Limit of the plan, by service.", limits),
    family("iot_analyses_failing", "gauge", "Analyses that failed within 24 hours.", only(analyses.length)),
    family("iot_actions_triggered", "gauge", "Actions that were triggered within 24 hours.", only(actions.length)),
    family(
      "iot_fleet_unreadable",
      "gauge",
      "Parts that the token may not read; 0 when all were.",
      only(problems.length),
    ),
    family("iot_fleet_up", "gauge", "1 if the platform was read the last time.", only(Number(isUp))),
    family("iot_fleet_read_timestamp_seconds", "gauge", "When the values were read.", only(seconds(atMs))),
    family("iot_fleet_age_seconds", "gauge", "Age of the values.", only(seconds(Math.max(0, nowMs - atMs)))),
    family("iot_fleet_read_duration_seconds", "gauge", "How long the last reading took.", only(seconds(tookMs))),
    family("iot_fleet_read_failures_total", "counter", "Attempts to read that failed.", only(failures)),
    ...(isEach ? eachText(fleet) : []),
  ].join("");
}

function eachText({ rows, analyses }: Fleet): string[] {
  const labelsOf = ({ id, name }: { readonly id: string; readonly name: string }): Labels => ({ device: id, name });
  const states = rows.map((row): Sample => [{ ...labelsOf(row), state: row.state }, 1]);
  const inputs = rows.flatMap((row): Sample[] =>
    row.last_input === null ? [] : [[labelsOf(row), seconds(row.last_input.getTime())]],
  );
  const batteries = rows.flatMap((row): Sample[] => (row.battery === null ? [] : [[labelsOf(row), row.battery]]));
  const failing = analyses.map(({ id, name }): Sample => [{ analysis: id, name }, 1]);
  return [
    family("iot_device_state", "gauge", "1 for the state the device is in.", states),
    family("iot_device_last_input_timestamp_seconds", "gauge", "When the device sent last.", inputs),
    family("iot_device_battery", "gauge", "Last value of the variable of --battery.", batteries),
    family("iot_analysis_failing", "gauge", "1 for an analysis that failed within 24 hours.", failing),
  ];
}
