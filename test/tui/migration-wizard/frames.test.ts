import { createElement } from "react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { drawWidget } from "../../../src/commands/kit/widgets/drawing.ts";
import { planWidget } from "../../../src/lib/widgets/plan.ts";
import { prepareWidths, widthOf } from "../../../src/text/width.ts";
import type { CopyEntry, MigrationEngine, ScannedDashboard } from "../../../src/tui/migration-wizard/engine.ts";
import { MigrationWizard } from "../../../src/tui/migration-wizard/wizard.tsx";
import { noteLines } from "../../../src/tui/migration-wizard/words.ts";
import { type Shown, show } from "../../helpers/frame.ts";

const legacy = {
  id: "w1",
  label: "Wind",
  type: "gauge",
  data: [],
  created_at: "2026-01-01T00:00:00.000Z",
  display: { gauge_type: "angular", vars_labels: { a: "A" }, watermark: false, numberformat: "0.0", made_up: 7 },
};
const current = { id: "w2", label: "New wind", type: "angular", data: [], display: { unit: "km/h" } };
const scans: ScannedDashboard[] = [
  { id: "new", label: "Plant overview", widgets: [] },
  { id: "old", label: "Plant, old widgets", widgets: [planWidget(legacy)] },
];
const unused = (): never => {
  throw new Error("Not used here");
};

function engineWith(copies: readonly CopyEntry[]): MigrationEngine {
  return {
    where: "local (Demo Plant)",
    defaultName: "%s (migrated)",
    copyNames: (name, labels) => labels.map((label) => name.replaceAll("%s", label)),
    giveName: unused,
    dashboards: async () => scans.map(({ id, label, widgets }) => ({ id, label, widgets: widgets.length })),
    async scan(ids, onScanned) {
      const found = scans.filter(({ id }) => ids.includes(id));
      for (const each of found) onScanned(each);
      return found;
    },
    used: async () => [],
    earlierCopies: async () => copies,
    find: unused,
    diff: () => [],
    draw: (widget, width) => drawWidget(widget, { ascii: false, width, widthOf }),
    openDrawing: unused,
    edit: unused,
    savePlan: unused,
    apply: unused,
    resume: unused,
    undo: unused,
  };
}

let shown: Shown | undefined;
beforeAll(() => prepareWidths(["é"]));
afterEach(() => {
  shown?.close();
  shown = undefined;
});

function wizard(chosen: readonly string[] = [], copies: readonly CopyEntry[] = []): Shown {
  const control = { interrupt: () => false };
  shown = show(createElement(MigrationWizard, { engine: engineWith(copies), chosen, control, leave: () => undefined }));
  return shown;
}

const sees = (screen: Shown, text: string): Promise<void> => expect.poll(() => screen.frame()).toContain(text);

describe("the screen of the wizard", () => {
  it("lists dashboards with legacy widgets first, their counts right-aligned", async () => {
    const screen = wizard();
    await expect.poll(() => screen.lines()[3]).toMatch(/Plant, old widgets +1 legacy +0 new +0 unknown$/);
    expect(screen.lines()[3]).toMatch(/^›/);
    expect(screen.lines()[4]).toMatch(/Plant overview +0 legacy +0 new +0 unknown$/);
    expect(screen.lines()[3]?.length).toBe(screen.lines()[4]?.length);
  });

  it("begins with step 2 for named dashboards, and shows what becomes of each type", async () => {
    const screen = wizard(["old"]);
    await sees(screen, "step 2 of 6");
    await sees(screen, "1 of 1");
    expect(screen.frame()).toMatch(/Wind +gauge\/angular -> angular +with losses/);
    expect(screen.frame()).not.toContain("Plant, old widgets");
  });

  it("shows the real name of the copy, and the key that begins", { tags: ["slow"] }, async () => {
    const screen = wizard(["old"]);
    await sees(screen, "1 of 1");
    screen.press("enter", "enter");
    await sees(screen, "Name of the copy: Plant, old widgets (migrated)");
    expect(screen.frame()).toContain("[A] Apply: create the copy and convert it");
    screen.press("down", "down", "enter");
    await sees(screen, "> Plant, old widgets (migrated)");
    expect(screen.frame()).not.toContain("%s");
  });

  it("offers the earlier copy first", { tags: ["slow"] }, async () => {
    const screen = wizard(["old"], [{ original: "old", id: "c1", label: "Plant, old widgets (migrated)" }]);
    await sees(screen, "1 of 1");
    screen.press("enter", "enter");
    await sees(screen, '› (●) Update the earlier copy "Plant, old widgets (migrated)"');
    expect(screen.frame()).toContain("[A] Apply: update the earlier copy");
  });

  it("finds from the right pane, with the text beside the title", async () => {
    const screen = wizard(["old"]);
    await sees(screen, "1 of 1");
    screen.press("enter", "tab", "/", ..."xyz");
    await sees(screen, "Widgets /xyz");
    await sees(screen, "No widget matches.");
  });
});

describe("a dashboard of the same name as another", () => {
  it("shows the end of its id in the list", async () => {
    scans.push({ id: "65a1000000000000000b00aa", label: "Twin", widgets: [] });
    scans.push({ id: "65a1000000000000000b00bb", label: "Twin", widgets: [] });
    const screen = wizard();
    await sees(screen, "Twin");
    const lines = screen.lines().filter((line) => /Twin|overview/.test(line));
    expect(lines.map((line) => /…\w+/.exec(line)?.[0])).toEqual([undefined, "…000b00aa", "…000b00bb"]);
    scans.splice(-2);
  });
});

describe("what is below the screen", () => {
  it("is counted, until the last line is there", { tags: ["slow"] }, async () => {
    const widgets = Array.from({ length: 40 }, (_, i) => planWidget({ ...legacy, id: `w${i}`, label: `Wind ${i}` }));
    scans.push({ id: "many", label: "Many", widgets });
    const screen = wizard(["many"]);
    await sees(screen, "24 more below (down, PgDn)");
    screen.press("pagedown");
    await sees(screen, "9 more below");
    screen.press("end");
    await expect.poll(() => screen.frame()).not.toContain("more below");
    screen.press("enter");
    await sees(screen, "more below");
    scans.pop();
  });
});

describe("the preview of a widget", () => {
  const preview = async (screen: Shown): Promise<void> => {
    await sees(screen, "1 of 1");
    screen.press("enter", "tab", "t", "t", "t");
    await sees(screen, "diff tree notes [preview]");
  };

  it("is the fourth view of the review: a drawing of the new widget, between its name and its new type", {
    tags: ["slow"],
  }, async () => {
    const screen = wizard(["old"]);
    await preview(screen);
    const right = screen.lines().map((line) => line.split(" │ ").slice(1).join(" │ "));
    const [top, bottom] = [
      right.findIndex((line) => /┌─ Wind ─+┐$/.test(line)),
      right.findIndex((line) => line.startsWith("└")),
    ];
    expect(bottom).toBeGreaterThan(top + 3);
    expect(right[bottom]).toMatch(/└─ angular ─+┘$/);
    expect(right.slice(top, bottom).join("\n")).toMatch(/\[█+░+\]/);
    expect(screen.frame()).toContain("A rough preview with sample values");
    screen.press("t");
    await sees(screen, "[diff] tree notes preview");
  });

  it("draws a widget that stays as it is, too", async () => {
    const { after: _, ...kept } = planWidget(current);
    scans.push({ id: "kept", label: "Kept", widgets: [{ ...kept, verdict: "current" }] });
    const screen = wizard(["kept"]);
    await preview(screen);
    expect(screen.frame()).toMatch(/└─ angular ─+┘/);
  });
});

describe("the notes of a widget", () => {
  it("name each loss once, and the keys that are not needed in one line", () => {
    const lines = noteLines(planWidget(legacy));
    expect(lines.filter((line) => line.includes("made_up"))).toHaveLength(1);
    expect(lines.join("\n")).not.toContain("other settings");
    expect(lines).toContain("Not needed:");
    expect(lines.at(-1)).toMatch(/created_at.*watermark|watermark.*created_at/);
  });
});
