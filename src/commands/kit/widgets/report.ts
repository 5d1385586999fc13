import { escapeJson } from "../../../text/clean.ts";
import { notesText, settingText } from "./outcome.ts";
import { createPictures } from "./pictures.ts";
import { htmlReport } from "./report-html.ts";
import type { ReportText } from "./report-text.ts";

export const reportFormats = ["json", "md", "html", "table"] as const;
export type ReportFormat = (typeof reportFormats)[number];

export async function reportText(format: ReportFormat, title = "Widget conversion"): Promise<ReportText> {
  switch (format) {
    case "json":
      return jsonReport();
    case "md":
      return markdownReport(title);
    case "html":
      return htmlReport(await createPictures(), { title });
    case "table":
      return tableReport();
  }
}

function jsonReport(): ReportText {
  let count = 0;
  return {
    start: () => '{\n  "widgets": [',
    widget({ outcome, before, source, widget, entries, settings }) {
      count += 1;
      const { dropped: _, ...about } = outcome;
      const entry = { ...about, before, keys: entries, settings: settings(), old: source ?? null, new: widget ?? null };
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

function markdownReport(title: string): ReportText {
  let section: string | undefined;
  return {
    start: () => `# ${title}\n`,
    widget(judged) {
      const { outcome } = judged;
      const heading = outcome.file === section ? "" : `\n## ${cell(outcome.file)}\n`;
      section = outcome.file;
      const types = outcome.from === outcome.to ? outcome.from : `${outcome.from} → ${outcome.to}`;
      const about = `\n### ${cell(outcome.label || outcome.file)}\n\nWidget ${outcome.place}: ${cell(types)}, **${outcome.verdict}**\n`;
      const notes = outcome.notes.map((note) => `- ${cell(note)}\n`).join("");
      const settings = outcome.verdict === "current" ? [] : judged.settings();
      const rows = settings.map((each) => `| ${cell(settingText(each))} | ${cell(each.result)} |\n`).join("");
      const table = rows === "" ? "" : `\n| setting | result |\n|---|---|\n${rows}`;
      return `${heading}${about}${notes === "" ? "" : `\n${notes}`}${table}`;
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
