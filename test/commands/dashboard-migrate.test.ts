import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inspectWidget } from "../../src/index.ts";
import { startCli, temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

const LEGACY = "65a1000000000000000b0001";

interface Widget {
  readonly id: string;
  readonly type: string;
  readonly label: string;
  readonly display: unknown;
}

interface Report {
  readonly dry_run: boolean;
  readonly mode: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly command: string;
  readonly dashboards: readonly {
    readonly id: string;
    readonly label: string;
    readonly outcome: string;
    readonly copy?: string;
    readonly snapshot?: string;
    readonly widgets: readonly { readonly id: string; readonly verdict: string; readonly outcome: string }[];
  }[];
}

let here: SandboxUnderTest;
beforeEach(async () => {
  here = await sandboxUnderTest();
});
afterEach(() => here.close());

async function read<T>(path: string): Promise<T> {
  const { url, tokens } = here.sandbox;
  const answer = await fetch(`${url}${path}`, { headers: { token: tokens.profile } });
  return ((await answer.json()) as { result: T }).result;
}

async function widgetsOf(dashboard: string): Promise<readonly Widget[]> {
  const { arrangement } = await read<{ arrangement: { widget_id: string }[] }>(`/dashboard/${dashboard}`);
  const ids = [...new Set(arrangement.map(({ widget_id }) => widget_id))];
  return Promise.all(ids.map((id) => read<Widget>(`/dashboard/${dashboard}/widget/${id}`)));
}

async function migrate(...args: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await here.iot(["dashboard", "migrate", ...args, "--report-format", "json"]);
  if (code !== 0) throw new Error(`ended with ${code}:\n${stderr}`);
  return JSON.parse(stdout) as Report;
}

/** Widgets without their times; a member that is null says nothing. */
function said(widgets: readonly (Widget | undefined)[]): unknown[] {
  return widgets.map((widget) =>
    Object.fromEntries(Object.entries(widget ?? {}).filter(([key, value]) => key !== "updated_at" && value !== null)),
  );
}

const isOld = (widget: Widget): boolean => ["legacy", "mixed"].includes(inspectWidget(widget).verdict);
const stateFolder = (): string => join(here.env["IOT_CONFIG_DIR"] ?? "", "state");

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Runs that are not finished. */
const runs = (): string[] => filesIn(join(stateFolder(), "journals"));

describe("dashboard migrate", () => {
  it("converts every legacy widget in place and says of each what became of it", async () => {
    const before = await widgetsOf(LEGACY);
    const report = await migrate("--all", "--in-place", "--yes");
    const after = await widgetsOf(LEGACY);

    expect(before.filter(isOld).length).toBeGreaterThan(30);
    expect(after.filter(isOld)).toEqual([]);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    const told = report.dashboards.find(({ id }) => id === LEGACY);
    expect(told?.outcome).toBe("migrated");
    expect(told?.widgets.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(report.counts["converted"]).toBe(before.filter(isOld).length);
    expect(runs()).toEqual([]);
  });

  it("finds nothing to do the second time", { tags: ["slow"] }, async () => {
    await migrate("--all", "--in-place", "--yes");
    const writes = (): number => here.requests().filter((line) => line.startsWith("PUT")).length;
    const before = writes();
    const report = await migrate("--all", "--in-place", "--yes");
    expect(report.counts["converted"]).toBe(0);
    expect(writes()).toBe(before);
  });

  it("changes nothing and keeps nothing in a dry run", { tags: ["slow"] }, async () => {
    const before = await widgetsOf(LEGACY);
    const report = await migrate("--all", "--in-place", "--yes", "--dry-run");
    expect(report).toMatchObject({ dry_run: true, counts: { converted: 0, planned: before.filter(isOld).length } });
    expect(await widgetsOf(LEGACY)).toEqual(before);
    expect(filesIn(stateFolder())).toEqual([]);
  });

  it("makes a copy unless told otherwise, and leaves the original alone", { tags: ["slow"] }, async () => {
    const before = await widgetsOf(LEGACY);
    const report = await migrate(LEGACY, "--name", "New %s");
    const [told] = report.dashboards;
    expect(await widgetsOf(LEGACY)).toEqual(before);
    const copy = await here.json<{ label: string; tabs: unknown }>(["dashboard", "get", told?.copy ?? ""]);
    expect(copy.label).toBe("New Plant, old widgets");
    const copied = await widgetsOf(told?.copy ?? "");
    expect(copied.map(({ label }) => label)).toEqual(before.map(({ label }) => label));
    expect(copied.filter(isOld)).toEqual([]);
  });

  it("converts only the types asked for", { tags: ["slow"] }, async () => {
    const report = await migrate(LEGACY, "--in-place", "--yes", "--widget-type", "gauge");
    const left = (await widgetsOf(LEGACY)).filter(isOld);
    expect(report.counts["converted"]).toBeGreaterThan(2);
    expect(report.counts["excluded"]).toBe(left.length);
    expect(left.map(({ type }) => type)).not.toContain("gauge");
  });

  it("puts other devices into the new widgets", { tags: ["slow"] }, async () => {
    const old = "65a1000000000000000d0001";
    const other = "65a1000000000000000d0fff";
    const uses = (widget: Widget, id: string): boolean => JSON.stringify(widget).includes(`"${id}"`);
    const report = await migrate(LEGACY, "--map-device", `${old}=${other}`);
    const copied = await widgetsOf(report.dashboards[0]?.copy ?? "");
    const before = await widgetsOf(LEGACY);
    expect(before.filter((widget) => uses(widget, old)).length).toBeGreaterThan(0);
    expect(copied.filter((widget) => uses(widget, other)).length).toBeGreaterThan(0);
  });

  it("needs a selection, and --yes for writing in place, where nobody can be asked", async () => {
    expect(await here.iot(["dashboard", "migrate"])).toMatchObject({ code: 2, stdout: "" });
    expect(await here.iot(["dashboard", "migrate", LEGACY, "--in-place"])).toMatchObject({ code: 2, stdout: "" });
    expect(await here.iot(["dashboard", "migrate", LEGACY, "--in-place", "--copy"])).toMatchObject({ code: 2 });
  });

  it("prints one document with -o json, and the widgets as a table or as Markdown or HTML", {
    tags: ["slow"],
  }, async () => {
    const report = await here.json<Report>(["dashboard", "migrate", LEGACY, "--dry-run"]);
    expect(report.counts["planned"]).toBeGreaterThan(30);
    const table = await here.iot(["dashboard", "migrate", LEGACY, "--dry-run"]);
    expect(table.stderr).toMatch(/Lost: numberformat \(\d+ widgets\), .*ignore_00 \(1 widget\)/);
    expect(table.stdout.split("\n")[0]).toBe("dashboard\tlabel\ttype\tnew_type\tverdict\toutcome\tnotes");
    const html = await here.iot(["dashboard", "migrate", LEGACY, "--dry-run", "--report-format", "html"]);
    expect(html.stdout).toMatch(/^<!DOCTYPE html>/);
    expect(html.stdout).toMatch(
      /<section class="group">\s*<h2>Plant, old widgets<\/h2>\s*<section class="widget changed/,
    );
    expect(html.stdout).toContain("Result for each setting");
    expect(html.stdout).toMatch(/id="show-lost-\d+"> numberformat \(\d+ widgets\): numbers show/);
    const drawn = html.stdout.match(/<figure /g)?.length;
    expect(drawn).toBe(2 * (report.counts["planned"] ?? 0));
    expect(html.stdout.match(/data-structure="legacy"/g)).toHaveLength((drawn ?? 0) / 2);
    const md = await here.iot(["dashboard", "migrate", LEGACY, "--dry-run", "--report-format", "md"]);
    expect(md.stdout).toMatch(/^# /);
  });
});

describe("a saved plan", () => {
  it("is applied later, with what was edited in it", { tags: ["slow"] }, async () => {
    const folder = temporaryFolder();
    const file = join(folder, "plan.json");
    await migrate(LEGACY, "--in-place", "--save-plan", file);
    expect((await widgetsOf(LEGACY)).filter(isOld).length).toBeGreaterThan(30);
    const plan = readFileSync(file, "utf8");
    const [first] = (JSON.parse(plan) as { dashboards: { widgets: { after?: { label: string } }[] }[] }).dashboards;
    const label = first?.widgets.find(({ after }) => after !== undefined)?.after?.label ?? "";
    const at = plan.indexOf(`"label": ${JSON.stringify(label)}`, plan.indexOf('"after"'));
    writeFileSync(
      file,
      `${plan.slice(0, at)}"label": "By hand"${plan.slice(at + `"label": ${JSON.stringify(label)}`.length)}`,
    );
    await migrate("--apply", file, "--yes");
    const now = await widgetsOf(LEGACY);
    expect(now.filter(isOld)).toEqual([]);
    expect(now.map((widget) => widget.label)).toContain("By hand");
  });

  it("is refused with 7, and nothing is written, when a dashboard changed since", { tags: ["slow"] }, async () => {
    const file = join(temporaryFolder(), "plan.json");
    await migrate("--all", "--in-place", "--save-plan", file);
    await here.json(["api", "PUT", `/dashboard/${LEGACY}`, "--field", "label=Other name"]);
    const before = await widgetsOf(LEGACY);
    const { code, stderr } = await here.iot(["dashboard", "migrate", "--apply", file, "--yes"]);
    expect([code, stderr]).toEqual([7, expect.stringContaining("changed since the plan was made")]);
    expect(await widgetsOf(LEGACY)).toEqual(before);
  });

  it("that is none, or is about another platform, is refused", { tags: ["slow"] }, async () => {
    const file = join(temporaryFolder(), "plan.json");
    writeFileSync(file, '{"format":"iotdeck/migration-plan"}');
    expect(await here.iot(["dashboard", "migrate", "--apply", file, "--yes"])).toMatchObject({ code: 3 });
    await migrate(LEGACY, "--save-plan", file);
    const other = await sandboxUnderTest({ seed: "empty" });
    expect(await other.iot(["dashboard", "migrate", "--apply", file, "--yes"])).toMatchObject({ code: 7 });
    await other.close();
  });
});

describe("snapshots", () => {
  it("bring a dashboard back to what it was, deleted and added widgets included", { tags: ["slow"] }, async () => {
    const before = await widgetsOf(LEGACY);
    await migrate(LEGACY, "--in-place", "--yes");
    const [gone, ...others] = before;
    await here.json(["api", "DELETE", `/dashboard/${LEGACY}/widget/${gone?.id}`]);
    const board = ["--dashboard", LEGACY, "--json"];
    await here.iot(["widget", "create", "--label", "Theirs", "--type", "note", ...board]);
    const { code, stderr } = await here.iot(["dashboard", "rollback", "last", "--yes"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 created again")]);
    expect(stderr).toContain('left on the dashboard: 1 widget ("Theirs")');
    const after = await widgetsOf(LEGACY);
    expect(after.at(-1)?.label).toBe("Theirs");
    expect(said(after.slice(1, -1))).toEqual(said(others));
    const [anew] = after;
    expect(said([{ ...anew, id: "", created_at: "" } as unknown as Widget])).toEqual(
      said([{ ...gone, id: "", created_at: "" } as unknown as Widget]),
    );
  });

  it("are listed, shown and deleted, and only their owner can read them", { tags: ["posix"] }, async () => {
    await here.iot(["dashboard", "snapshot", "create", LEGACY]);
    const [kept] = await here.json<{ id: string; dashboard: { label: string }; widgets: number }[]>([
      "dashboard",
      "snapshot",
      "list",
    ]);
    expect(kept).toMatchObject({ dashboard: { label: "Plant, old widgets" } });
    const file = join(stateFolder(), "snapshots", `${kept?.id}.json`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const whole = await here.json<{ widgets: unknown[] }>(["dashboard", "snapshot", "show", kept?.id ?? ""]);
    expect(whole.widgets.length).toBe(kept?.widgets);
    expect(await here.iot(["dashboard", "snapshot", "delete", "last", "--yes"])).toMatchObject({ code: 0 });
    expect(await here.iot(["dashboard", "snapshot", "show", "last"])).toMatchObject({ code: 6 });
    expect(await here.iot(["dashboard", "snapshot", "show", "../../etc/passwd"])).toMatchObject({ code: 2 });
  });

  it("of another platform are refused", async () => {
    await here.iot(["dashboard", "snapshot", "create", LEGACY]);
    const other = await sandboxUnderTest();
    const env = { IOT_CONFIG_DIR: here.env["IOT_CONFIG_DIR"] ?? "" };
    expect(await other.iot(["dashboard", "rollback", "last", "--yes"], { env })).toMatchObject({ code: 7 });
    await other.close();
  });
});

describe("a migration that is killed", () => {
  /** Kills the program once it has written so many widgets. */
  async function killAfter(writes: number, args: readonly string[]): Promise<void> {
    const count = (): number => here.requests().filter((line) => line.startsWith("PUT /dashboard")).length;
    const before = count();
    const child = await startCli(["dashboard", "migrate", ...args], { env: here.env });
    const ended = new Promise((resolve) => child.once("close", resolve));
    await waitFor(() => count() >= before + writes || child.exitCode !== null, `${writes} widgets`);
    child.kill("SIGKILL");
    await ended;
  }

  const TITLE = "after %i widgets is finished by the next run, each widget converted once";

  async function killedAfter(writes: number): Promise<void> {
    const before = await widgetsOf(LEGACY);
    await killAfter(writes, [LEGACY, "--in-place", "--yes"]);
    expect(runs().filter((name) => name.endsWith(".jsonl")).length).toBe(1);
    expect(await here.iot(["dashboard", "migrate", LEGACY, "--in-place"])).toMatchObject({ code: 2 });
    const report = await migrate("--resume");
    const after = await widgetsOf(LEGACY);
    expect(after.filter(isOld)).toEqual([]);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(report.counts["converted"]).toBe(before.filter(isOld).length);
    expect(runs()).toEqual([]);
  }

  it.each([25])(TITLE, killedAfter);
  it.each([1])(TITLE, { tags: ["slow"] }, killedAfter);

  it("is taken back with --undo", { tags: ["slow"] }, async () => {
    const before = await widgetsOf(LEGACY);
    await killAfter(9, [LEGACY, "--in-place", "--yes"]);
    expect((await widgetsOf(LEGACY)).filter(isOld).length).toBeLessThan(before.filter(isOld).length);
    expect(await here.iot(["dashboard", "migrate", "--undo"])).toMatchObject({ code: 0 });
    expect(said(await widgetsOf(LEGACY))).toEqual(said(before));
  });

  it("leaves one finished copy and nothing else", { tags: ["slow"] }, async () => {
    await killAfter(5, [LEGACY, "--yes"]);
    const [told] = (await migrate(LEGACY, "--yes")).dashboards;
    const labels = (await here.json<{ label: string }[]>(["dashboard", "list", "--all"])).map(({ label }) => label);
    expect(labels.filter((label) => label.includes("migrat"))).toEqual(["Plant, old widgets (migrated)"]);
    expect((await widgetsOf(told?.copy ?? "")).filter(isOld)).toEqual([]);
  });

  const COPIES = "side by side after %i widgets leaves one finished copy of each, however often";

  async function copiesKilledAfter(writes: number): Promise<void> {
    for (const label of ["Second", "Third"]) await here.json(["dashboard", "duplicate", LEGACY, "--label", label]);
    await killAfter(writes, ["--all", "--yes", "--concurrency", "3"]);
    await killAfter(1, ["--resume"]);
    const report = await migrate("--resume");
    const labels = (await here.json<{ label: string }[]>(["dashboard", "list", "--all"])).map(({ label }) => label);
    const wanted = ["Plant, old widgets (migrated)", "Second (migrated)", "Third (migrated)"];
    expect(labels.filter((label) => label.includes("migrat")).sort()).toEqual(wanted);
    for (const { copy } of report.dashboards)
      if (copy !== undefined) expect((await widgetsOf(copy)).filter(isOld)).toEqual([]);
    expect(runs()).toEqual([]);
  }

  it.each([1, 100])(COPIES, { tags: ["slow"] }, copiesKilledAfter);

  it("does not touch a widget that somebody changed meanwhile", { tags: ["slow"] }, async () => {
    await killAfter(3, [LEGACY, "--in-place", "--yes"]);
    const changed = (await widgetsOf(LEGACY)).findLast(isOld);
    await here.json(["api", "PUT", `/dashboard/${LEGACY}/widget/${changed?.id}`, "--field", "label=Mine"]);
    const { code, stdout } = await here.iot(["dashboard", "migrate", "--resume", "--report-format", "json"]);
    expect(code).toBe(8);
    const [told] = (JSON.parse(stdout) as Report).dashboards;
    expect(told?.widgets.find(({ id }) => id === changed?.id)?.outcome).toBe("failed");
    expect((await widgetsOf(LEGACY)).find(({ id }) => id === changed?.id)).toMatchObject({ label: "Mine" });
  });
});

describe("a migration that an earlier version left", () => {
  const plan = (api: string): string => {
    const folder = join(stateFolder(), "migrations", "20260101000000-abcdef");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "plan.json"), JSON.stringify({ target: { label: "sandbox", api } }));
    return folder;
  };

  it("is refused with 7 and what to do about it, and nothing is written", async () => {
    const folder = plan(here.sandbox.url);
    for (const args of [[LEGACY, "--in-place", "--yes"], ["--resume"], ["--undo"]]) {
      const { code, stderr } = await here.iot(["dashboard", "migrate", ...args]);
      expect([code, stderr]).toEqual([7, expect.stringContaining(`delete ${folder}`)]);
    }
    expect(here.requests().filter((line) => /^(PUT|POST|DELETE)/.test(line))).toEqual([]);
  });

  it("on another platform is no matter", async () => {
    plan("https://api.elsewhere.example");
    expect(await here.iot(["dashboard", "migrate", "--resume"])).toMatchObject({
      code: 7,
      stderr: expect.stringContaining("There is no interrupted migration."),
    });
  });
});

describe("the undo of a migration", () => {
  /** A migration of two dashboards whose second one the platform stops answering for. */
  async function interrupted(): Promise<string> {
    const copied = await here.json<{ id: string }>(["dashboard", "duplicate", LEGACY, "--label", "Second"]);
    here.sandbox.faults.set([{ route: `PUT /dashboard/${copied.id}/widget/*`, kind: "drop" }]);
    const line = ["dashboard", "migrate", LEGACY, copied.id, "--in-place", "--yes"];
    expect(await here.iot(line, { env: { TAGOIO_REQUEST_ATTEMPTS: "1" } })).toMatchObject({ code: 10 });
    return copied.id;
  }

  it("names the dashboard that it leaves, restores the others, and can be repeated", { tags: ["slow"] }, async () => {
    const before = await widgetsOf(LEGACY);
    const second = await interrupted();
    const [place] = await widgetsOf(LEGACY);
    here.sandbox.faults.set([{ route: `PUT /dashboard/${LEGACY}/widget/${place?.id}`, kind: "status", status: 400 }]);
    const left = await here.iot(["dashboard", "migrate", "--undo"]);
    expect(left.code).toBe(8);
    expect(left.stderr).toMatch(/1 of 2 dashboards left: "Plant, old widgets" \(/);
    expect(left.stderr).toContain('Undone: "Second".');
    expect((await widgetsOf(second)).filter(isOld).length).toBe(before.filter(isOld).length);

    here.sandbox.faults.set([]);
    expect(await here.iot(["dashboard", "migrate", "--undo"])).toMatchObject({ code: 0 });
    expect(said(await widgetsOf(LEGACY))).toEqual(said(before));
    expect(runs()).toEqual([]);
  });

  it("says which dashboard no longer exists", { tags: ["slow"] }, async () => {
    const second = await interrupted();
    here.sandbox.faults.set([]);
    await here.json(["dashboard", "delete", second, "--yes"]);
    const { code, stderr } = await here.iot(["dashboard", "migrate", "--undo"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('"Second" no longer exists') });
    expect(stderr).toContain("restored 1 dashboard");
    expect(runs()).toEqual([]);
  });
});
