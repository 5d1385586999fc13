import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inspectWidget } from "../../src/index.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

const LEGACY = "65a1000000000000000b0001";
const NAME = "Plant, old widgets (migrated)";

interface Widget {
  readonly id: string;
  readonly label: string;
  readonly type: string;
  readonly display: object;
}

let here: SandboxUnderTest;
beforeEach(async () => {
  here = await sandboxUnderTest();
});
afterEach(() => here.close());

async function call<T>(path: string, change?: object): Promise<T> {
  const { url, tokens } = here.sandbox;
  const headers = { token: tokens.profile, "content-type": "application/json" };
  const init = change === undefined ? { headers } : { headers, method: "PUT", body: JSON.stringify(change) };
  return ((await (await fetch(`${url}${path}`, init)).json()) as { result: T }).result;
}

async function widgetsOf(dashboard: string): Promise<readonly Widget[]> {
  const { arrangement } = await call<{ arrangement: { widget_id: string }[] }>(`/dashboard/${dashboard}`);
  return Promise.all(arrangement.map(({ widget_id }) => call<Widget>(`/dashboard/${dashboard}/widget/${widget_id}`)));
}

interface Row {
  readonly id: string;
  readonly label: string;
}

const named = async (label: string): Promise<readonly Row[]> =>
  (await here.json<readonly Row[]>(["dashboard", "list", "--all"])).filter((row) => row.label === label);
const migrate = (...args: readonly string[]) => here.iot(["dashboard", "migrate", LEGACY, ...args]);

describe("a dashboard that was copied by an earlier migration", () => {
  it("is told, with what to do, before another copy is made", { tags: ["slow"] }, async () => {
    expect((await migrate()).stderr).not.toContain("earlier copy");
    const [copy] = await named(NAME);
    const second = await migrate();
    expect(second.code).toBe(0);
    expect(second.stderr).toContain(`has an earlier copy, "${NAME}" (${copy?.id})`);
    expect(second.stderr).toContain("Use --update to update the earlier copy instead");
  });

  it("is copied again under a name that no dashboard has", { tags: ["slow"] }, async () => {
    await migrate();
    await migrate();
    const { stderr } = await migrate();
    const labels = (await here.json<readonly Row[]>(["dashboard", "list", "--all"])).map(({ label }) => label);
    expect(labels.filter((label) => label.startsWith("Plant, old widgets (")).sort()).toEqual([
      "Plant, old widgets (migrated 2)",
      "Plant, old widgets (migrated 3)",
      NAME,
    ]);
    expect(stderr).toContain('earlier copy, "Plant, old widgets (migrated 2)"');
  });

  it("is written into that copy with --update, also after the copy got another name", { tags: ["slow"] }, async () => {
    await migrate();
    const [copy] = await named(NAME);
    const id = copy?.id ?? "";
    await call(`/dashboard/${id}`, { label: "Plant, new" });
    const [old] = await widgetsOf(LEGACY);
    const display = { ...old?.display, minimum: "-7" };
    await call(`/dashboard/${LEGACY}/widget/${old?.id}`, { display });

    const before = await widgetsOf(id);
    const { code, stderr, stdout } = await migrate("--update", "--yes", "--report-format", "json");
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("another one")]);
    const report = JSON.parse(stdout) as { counts: { converted: number }; command: string };
    expect(report.counts.converted).toBe(1);
    expect(report.command).toBe(`iot dashboard migrate ${LEGACY} --update --yes`);
    expect(await named(NAME)).toEqual([]);
    const after = await widgetsOf(id);
    expect(after.map((widget) => widget.id)).toEqual(before.map((widget) => widget.id));
    expect(JSON.stringify(after[0])).toContain("-7");
    expect(after.filter((widget) => inspectWidget(widget).verdict === "legacy")).toEqual([]);
    expect((await widgetsOf(LEGACY)).filter((widget) => inspectWidget(widget).verdict === "legacy")).not.toEqual([]);
  });

  it("is brought back with a rollback of the copy", { tags: ["slow"] }, async () => {
    await migrate();
    const [copy] = await named(NAME);
    const [first] = await widgetsOf(copy?.id ?? "");
    await call(`/dashboard/${copy?.id}/widget/${first?.id}`, { display: { mine: 7 } });
    const shown = async (): Promise<string> => JSON.stringify((await widgetsOf(copy?.id ?? ""))[0]);
    await migrate("--update", "--yes");
    expect(await shown()).not.toContain('"mine":7');
    await here.iot(["dashboard", "rollback", "last", "--yes"]);
    expect(await shown()).toContain('"mine":7');
  });

  it("gets a new copy when the earlier one has other widgets now", { tags: ["slow"] }, async () => {
    await migrate();
    const [copy] = await named(NAME);
    const [first] = await widgetsOf(copy?.id ?? "");
    await call(`/dashboard/${copy?.id}/widget/${first?.id}`, { label: "Renamed" });
    const { code, stderr } = await migrate("--update", "--yes");
    expect([code, (await named(NAME)).length, (await named("Plant, old widgets (migrated 2)")).length]).toEqual([
      0, 1, 1,
    ]);
    expect(stderr).toContain("its widgets have changed, so it cannot be updated");
  });

  it("asks before it writes over a copy, and refuses two targets", { tags: ["slow"] }, async () => {
    await migrate();
    const [first] = await widgetsOf(LEGACY);
    const display = { ...first?.display, minimum: "-7" };
    await call(`/dashboard/${LEGACY}/widget/${first?.id}`, { display });
    expect((await migrate("--update")).stderr).toContain("--yes");
    const both = await migrate("--update", "--in-place");
    expect([both.code, both.stderr]).toEqual([
      2,
      expect.stringContaining("--update and --in-place cannot be used together"),
    ]);
  });
});

describe("dashboards without legacy widgets", () => {
  const CURRENT = "65a1000000000000000b0002";
  const labels = async () =>
    (await here.json<readonly Row[]>(["dashboard", "list", "--all"])).map(({ label }) => label);
  const all = (...args: readonly string[]) => here.iot(["dashboard", "migrate", "--all", ...args]);

  it("are left by --all, which says so; only the others are copied", { tags: ["slow"] }, async () => {
    const before = await labels();
    const plan = await all("--dry-run", "--report-format", "json");
    const { code, stdout, stderr } = await all("--report-format", "json");
    const report = JSON.parse(stdout) as {
      dashboards: { id: string; outcome: string; copy?: string }[];
      command: string;
    };
    expect({ code, added: (await labels()).length - before.length }).toEqual({ code: 0, added: 1 });
    expect(await named(NAME)).toHaveLength(1);
    const left = report.dashboards.filter(({ id }) => id !== LEGACY);
    expect(left).toEqual(before.slice(1).map(() => expect.objectContaining({ outcome: "unchanged" })));
    expect(left.every(({ copy }) => copy === undefined)).toBe(true);
    expect(stderr).toContain(`Nothing to convert in ${left.length} dashboards: not copied.`);
    expect(plan.stderr).toContain(`Nothing to convert in ${left.length} dashboards: not copied.`);
    expect(report.command).toBe("iot dashboard migrate --all --copy --yes");
  });

  it("are copied by --all when other devices make their widgets other ones", async () => {
    const old = "65a1000000000000000d0001";
    const { stdout } = await all(
      "--dry-run",
      "--report-format",
      "json",
      "--map-device",
      `${old}=65a1000000000000000d0002`,
    );
    expect(JSON.parse(stdout)).toMatchObject({
      dashboards: expect.arrayContaining([expect.objectContaining({ id: CURRENT, copy_label: expect.any(String) })]),
    });
  });

  it("are copied when they are named", async () => {
    const { stdout } = await here.iot(["dashboard", "migrate", CURRENT, "--report-format", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({ dashboards: [{ id: CURRENT, outcome: "migrated" }] });
  });
});
