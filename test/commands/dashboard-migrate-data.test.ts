import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspectWidget, Resources } from "../../src/index.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

const LEGACY = "65a1000000000000000b0001";

interface Shown {
  readonly id: string;
  readonly label: string;
  /** What each source of the widget gave. */
  readonly results: readonly unknown[];
}

let here: SandboxUnderTest;
let client: Resources;
beforeAll(async () => {
  // The clock stands still, so that sources of the last day answer the same before and after.
  here = await sandboxUnderTest({ clock: new Date("2026-03-02T12:00:00.000Z") });
  client = new Resources({
    token: here.sandbox.tokens.profile,
    region: { api: here.sandbox.url, sse: here.sandbox.eventsUrl },
  });
});
afterAll(() => here.close());

/** Every widget of a dashboard with the records its sources give, in the order of the arrangement. */
async function shownBy(dashboard: string): Promise<readonly Shown[]> {
  const { arrangement = [] } = await client.dashboards.info(dashboard);
  return Promise.all(
    arrangement.map(async ({ widget_id: id }) => {
      const { widget, content } = await client.dashboards.widgets.getData(dashboard, id);
      return { id, label: widget.label, results: content.map(({ result }) => result) };
    }),
  );
}

const recordsIn = (shown: readonly Shown[]): number =>
  shown.reduce((sum, { results }) => sum + results.flat().length, 0);

describe("the data of migrated widgets", () => {
  it("still answers with the records it showed before, in a copy and in place", { tags: ["slow"] }, async () => {
    const before = await shownBy(LEGACY);
    expect(recordsIn(before)).toBeGreaterThan(500);
    expect(before.filter(({ results }) => results.flat().length > 0).length).toBeGreaterThan(25);

    const made = await runHere(["dashboard", "migrate", LEGACY, "--name", "Migrated", "--report-format", "json"], {
      env: here.env,
    });
    const { dashboards } = JSON.parse(made.stdout) as { dashboards: { copy: string }[] };
    const copied = await shownBy(dashboards[0]?.copy ?? "");
    expect(copied.map(({ label, results }) => ({ label, results }))).toEqual(
      before.map(({ label, results }) => ({ label, results })),
    );

    expect(await runHere(["dashboard", "migrate", LEGACY, "--in-place", "--yes"], { env: here.env })).toMatchObject({
      code: 0,
    });
    expect(await shownBy(LEGACY)).toEqual(before);
    for (const { id } of before) {
      const widget = await client.dashboards.widgets.info(LEGACY, id);
      expect([widget.label, inspectWidget(widget).verdict]).not.toEqual([widget.label, "legacy"]);
    }
  });
});
