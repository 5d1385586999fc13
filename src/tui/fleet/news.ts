import type { Line } from "../components/lines/fit.ts";
import { agoText } from "../live/words.ts";
import type { FleetData, FleetEvent } from "./types.ts";

/** Failing analyses, actions that were triggered, and what could not be read. */
export function newsLines({ analyses, actions, problems }: FleetData, nowMs: number): Line[] {
  const line = ({ name, atMs, line: text }: FleetEvent): Line => ({
    text: `  ${agoText(nowMs - atMs)}  ${name}${text === undefined ? "" : `: ${text}`}`,
  });
  return [
    ...problems.map((text) => ({ text })),
    { text: `Failing analyses: ${analyses.length === 0 ? "none" : analyses.length}`, bold: true },
    ...analyses.map(line),
    { text: `Actions in 24 hours: ${actions.length === 0 ? "none" : actions.length}`, bold: true },
    ...actions.map(line),
  ];
}

/** As many of the news as fit: where not all do, the headings and the first of each. */
export function shortNews(data: FleetData, nowMs: number, height: number): Line[] {
  const all = newsLines(data, nowMs);
  if (all.length <= height) return all;
  const room = Math.max(0, height - data.problems.length - 2);
  const analyses = data.analyses.slice(0, Math.max(Math.ceil(room / 2), room - data.actions.length));
  const actions = data.actions.slice(0, room - analyses.length);
  const shown = newsLines({ ...data, analyses, actions }, nowMs);
  const headings = all.filter(({ bold }) => bold === true);
  return shown.map((line) => (line.bold === true ? (headings.shift() ?? line) : line)).slice(0, height);
}
