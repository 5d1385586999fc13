import { escapeJson } from "../../../text/clean.ts";
import { fates, notesText } from "./outcome.ts";
import { createPictures } from "./pictures.ts";
import { htmlReport } from "./report-html.ts";
import type { ReportText } from "./report-text.ts";

export const reportFormats = ["json", "md", "html", "table"] as const;
export type ReportFormat = (typeof reportFormats)[number];

export async function reportText(format: ReportFormat): Promise<ReportText> {
  switch (format) {
    case "json":
      return jsonReport();
    case "md":
      return markdownReport();
    case "html":
      return htmlReport(await createPictures());
    case "table":
      return tableReport();
  }
}

function jsonReport(): ReportText {
  let count = 0;
  return {
    start: () => '{\n  "widgets": [',
    widget({ outcome, before, source, widget, entries }) {
      count += 1;
      const { dropped: _, ...about } = outcome;
      const entry = { ...about, before, keys: entries, old: source ?? null, new: widget ?? null };
      return `${count === 1 ? "" : ","}\n    ${escapeJson(JSON.stringify(entry))}`;
    },
    end(tally) {
      const counts = Object.fromEntries(
        (["converted", "current", "unsupported", "invalid", "failed"] as const).map((name) => [name, tally.of(name)]),
      );
      return `${count === 0 ? "" : "\n  "}],\n  "summary": ${JSON.stringify({ total: tally.total, ...counts })}\n}\n`;
    },
  };
}

const cell = (text: string): string => text.replace(/[\\`*_{}[\]<>|#]/g, "\\$&").replace(/\s+/g, " ");

function markdownReport(): ReportText {
  return {
    start: () => "# Widget conversion\n",
    widget(judged) {
      const { outcome, entries } = judged;
      const types = outcome.from === outcome.to ? outcome.from : `${outcome.from} → ${outcome.to}`;
      const title = `\n## ${cell(outcome.label || outcome.file)}\n\n${cell(outcome.file)}, widget ${outcome.place}: ${cell(types)}, **${outcome.verdict}**\n`;
      const notes = outcome.notes.map((note) => `- ${cell(note)}\n`).join("");
      const words = fates(judged);
      const rows = entries.map(({ path }, i) => `| ${cell(path)} | ${cell(words[i] ?? "")} |\n`).join("");
      const table = rows === "" || outcome.verdict === "current" ? "" : `\n| key | result |\n|---|---|\n${rows}`;
      return `${title}${notes === "" ? "" : `\n${notes}`}${table}`;
    },
    end: (tally) => `\n## Summary\n\n${tally.toString()}\n`,
  };
}

function tableReport(): ReportText {
  const line = (cells: readonly string[]): string => `${cells.map((text) => text.replace(/\s+/g, " ")).join("\t")}\n`;
  return {
    start: () => line(["file", "place", "label", "verdict", "from", "to", "notes"]),
    widget: ({ outcome }) =>
      line([
        outcome.file,
        String(outcome.place),
        outcome.label,
        outcome.verdict,
        outcome.from,
        outcome.to,
        notesText(outcome),
      ]),
    end: () => "",
  };
}
