import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inspectWidget } from "../../src/index.ts";
import { checkWidget } from "../../src/schema/widgets/check.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { startTerminal, type TerminalRun } from "../helpers/terminal.ts";

const LEGACY = "65a1000000000000000b0001";
const down = "\u001b[B";
const end = "\u001b[F";

interface Widget {
  readonly id: string;
  readonly label: string;
}

let here: SandboxUnderTest;
let run: TerminalRun | undefined;
beforeEach(async () => {
  here = await sandboxUnderTest();
});
afterEach(async () => {
  run?.kill();
  run = undefined;
  await here.close();
});

async function widgetsOf(dashboard: string): Promise<readonly Widget[]> {
  const { arrangement } = await here.json<{ arrangement: { widget_id: string }[] }>(["dashboard", "get", dashboard]);
  return Promise.all(
    arrangement.map(async ({ widget_id }) => {
      const { url, tokens } = here.sandbox;
      const answer = await fetch(`${url}/dashboard/${dashboard}/widget/${widget_id}`, {
        headers: { token: tokens.profile },
      });
      return ((await answer.json()) as { result: Widget }).result;
    }),
  );
}

const isOld = (widget: Widget): boolean => ["legacy", "mixed"].includes(inspectWidget(widget).verdict);
const writes = (): number => here.requests().filter((line) => /^(PUT|POST|DELETE) \/dashboard/.test(line)).length;

async function wizard(
  args: readonly string[] = [],
  options: Parameters<typeof startTerminal>[1] = {},
): Promise<TerminalRun> {
  run = await startTerminal(["dashboard", "migrate", ...args], { ...options, env: { ...here.env, ...options.env } });
  return run;
}

describe("the migration wizard on a terminal", { tags: ["posix"] }, () => {
  it("leads from the choice to the report, and every widget is new and valid afterwards", {
    tags: ["slow"],
  }, async () => {
    const run = await wizard([], { columns: 120, rows: 40 });
    await run.waitFor(/step 1 of 6[\s\S]*Plant, old widgets +40 legacy/);
    run.type("/old\r ");
    await run.waitFor(/1 marked/);
    run.type("\r");
    await run.waitFor(/step 2 of 6[\s\S]*1 of 1[\s\S]*already new/);
    run.type("\r");
    await run.waitFor(/step 3 of 6[\s\S]*\[diff\]/);
    run.type("t");
    await run.waitFor(/\[tree\]/);
    run.type("t");
    await run.waitFor(/\[notes\][\s\S]*Verdict:/);
    run.type("\r");
    await run.waitFor(/step 4 of 6[\s\S]*Weather station: keep[\s\S]*\[A\] Apply: create the copy/);
    run.type(`${down}\r${end}\r`);
    await run.waitFor(/Overwrite 40 widgets/);
    expect(writes()).toBe(0);
    run.type("y");
    await run.waitFor(/step 6 of 6[\s\S]*40 converted/);
    await run.waitFor(/iot dashboard migrate 65a1000000000000000b0001 --in-place --yes/);
    run.type("q");
    expect(await run.ended).toBe(0);
    expect((await run.lines()).join("\n")).toMatch(/40 widgets converted in place/);

    const after = await widgetsOf(LEGACY);
    expect(after.filter(isOld)).toEqual([]);
    expect(after.filter((widget) => (checkWidget(widget) ?? []).length > 0)).toEqual([]);
  });

  it("changes nothing when it is left before step 5, and pasted text triggers nothing", async () => {
    const screen = await wizard([LEGACY]);
    await screen.waitFor(/step 2 of 6[\s\S]*1 of 1/);
    screen.type("\u001b[200~aq\r\u001b[201~");
    screen.type("\r");
    await screen.waitFor(/step 3 of 6/);
    screen.type("q");
    expect(await screen.ended).toBe(0);
    expect((await screen.lines()).join("\n")).toContain("Nothing changed.");
    expect(writes()).toBe(0);
  });

  it("opens the editor, refuses what is no widget, and writes what was edited", { tags: ["slow"] }, async () => {
    const file = join(temporaryFolder(), "edit.sh");
    writeFileSync(
      file,
      '#!/bin/sh\nif [ -e "$0.again" ]; then sed -i \'s/"label": ".*"/"label": "By hand"/\' "$1"; else echo oops > "$1"; touch "$0.again"; fi\n',
      { mode: 0o755 },
    );
    const screen = await wizard([LEGACY], { env: { EDITOR: file }, columns: 100, rows: 30 });
    await screen.waitFor(/step 2 of 6[\s\S]*1 of 1/);
    screen.type("\r");
    await screen.waitFor(/step 3 of 6/);
    screen.type("e");
    await screen.waitFor(/not valid JSON[\s\S]*Edit again/);
    screen.type("e");
    await screen.waitFor(/Using the edited widget/);
    screen.type("\r");
    await screen.waitFor(/Weather station: keep[\s\S]*create the copy/);
    screen.type(`${end}\r`);
    await screen.waitFor(/step 6 of 6[\s\S]*migrate --apply/);
    screen.type("q");
    expect(await screen.ended).toBe(0);
    const [copy] = await here.json<{ id: string }[]>([
      "dashboard",
      "list",
      "--filter",
      "label=Plant, old widgets (migrated)",
    ]);
    expect((await widgetsOf(copy?.id ?? "")).map(({ label }) => label)).toContain("By hand");
    expect((await widgetsOf(LEGACY)).filter(isOld).length).toBe(40);
  });

  it("opens a page with the old widget drawn next to the new one", { tags: ["slow"] }, async () => {
    const folder = temporaryFolder();
    const told = join(folder, "told");
    writeFileSync(join(folder, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > ${told}.new && mv ${told}.new ${told}\n`, {
      mode: 0o755,
    });
    const path = `${folder}:${process.env["PATH"] ?? ""}`;
    const screen = await wizard([LEGACY], { env: { PATH: path }, columns: 100, rows: 30 });
    await screen.waitFor(/step 2 of 6[\s\S]*1 of 1/);
    screen.type("\r");
    await screen.waitFor(/step 3 of 6/);
    screen.type("o");
    await screen.waitFor(/Opened in the browser/);
    await expect.poll(() => existsSync(told)).toBe(true);
    const page = readFileSync(readFileSync(told, "utf8"), "utf8");
    expect(page.match(/<figure /g)).toHaveLength(2);
    expect(page.match(/data-structure="legacy"/g)).toHaveLength(1);
    screen.type("q");
    expect(await screen.ended).toBe(0);
    expect(writes()).toBe(0);
  });

  it("stops in step 5 after the current request with Ctrl-C, and takes back what was written", {
    tags: ["slow"],
  }, async () => {
    const before = await widgetsOf(LEGACY);
    const screen = await wizard([LEGACY], { columns: 90 });
    await screen.waitFor(/step 2 of 6[\s\S]*1 of 1/);
    screen.type("\r");
    await screen.waitFor(/step 3 of 6/);
    screen.type("\r");
    await screen.waitFor(/Weather station: keep[\s\S]*create the copy/);
    screen.type(`${down}\r${end}\r`);
    await screen.waitFor(/Overwrite/);
    screen.type("y");
    await screen.waitFor(/step 5 of 6[\s\S]*converted/);
    screen.type("\u0003");
    await screen.waitFor(/stopped early/);
    screen.type("y");
    await screen.waitFor(/step 6 of 6[\s\S]*Undone/);
    screen.type("q");
    expect(await screen.ended).toBe(0);
    expect((await widgetsOf(LEGACY)).filter(isOld).length).toBe(before.filter(isOld).length);
  });
});

describe("the migration wizard line by line", { tags: ["posix"] }, () => {
  async function expectMigration(...how: Parameters<typeof wizard>): Promise<void> {
    const lines = await wizard(...how);
    await lines.waitFor(/list\s+all:\s*$/);
    lines.type("OLD\r");
    await lines.waitFor(/1\. Plant, old widgets \(40 widgets, 40 legacy\)\s+Numbers[\s\S]*1:/);
    lines.type("1\r");
    await lines.waitFor(/Step 3 of 6[\s\S]*to\s+5:\s*$/);
    lines.type("3\r");
    await lines.waitFor(/Numbers[\s\S]*to\s+40:\s*$/);
    lines.type("2-3\r");
    await lines.waitFor(/Humidity: excluded[\s\S]*to\s+5:\s*$/);
    lines.type("1\r");
    await lines.waitFor(/Where do the new widgets go\?[\s\S]*to\s+2:\s*$/);
    // A request that takes long is shown on the terminal, where the user has pressed Enter meanwhile.
    here.sandbox.faults.set([{ route: "GET /dashboard/*", kind: "latency", delayMs: 1_500 }]);
    lines.type("2\r");
    await lines.waitFor(/to\s+2: 2\n(.*\n)*The widgets use these/);
    here.sandbox.faults.set([]);
    await lines.waitFor(/Which\s+one\s+is\s+to\s+be\s+replaced[\s\S]*Number,[^:]*:\s*$/);
    lines.type("1\r");
    await lines.waitFor(/empty\s+to\s+skip:/);
    lines.type("\r");
    await lines.waitFor(/Overwrite[\s\S]*2\. Yes[\s\S]*to\s+2:\s*$/);
    expect(writes()).toBe(0);
    lines.type("2\r");
    expect(await lines.ended).toBe(0);
    expect((await lines.lines()).join("\n")).toMatch(/38 widgets converted in place/);
    expect(lines.raw()).not.toContain("\u001b[?1049h");
    expect((await widgetsOf(LEGACY)).filter(isOld).length).toBe(2);
  }

  it("asks with --accessible, draws nothing over, and migrates", { tags: ["slow"] }, () =>
    expectMigration(["--accessible"]),
  );

  it("asks in a small window, draws nothing over, and migrates", { tags: ["slow"] }, () =>
    expectMigration([], { columns: 50, rows: 15 }),
  );

  it("changes nothing when it is left", { tags: ["slow"] }, async () => {
    const lines = await wizard(["--accessible", LEGACY]);
    await lines.waitFor(/Step 3 of 6[\s\S]*5\. Leave[\s\S]*to\s+5:\s*$/);
    lines.type("5\r");
    expect(await lines.ended).toBe(0);
    expect((await lines.lines()).join("\n")).toContain("Nothing changed.");
    expect(writes()).toBe(0);
  });

  it("ends with 130 at Ctrl-C, and changes nothing", { tags: ["slow"] }, async () => {
    const lines = await wizard(["--accessible"]);
    await lines.waitFor(/list\s+all:\s*$/);
    lines.type("\u0003");
    expect(await lines.ended).toBe(130);
    expect(writes()).toBe(0);
  });
});
