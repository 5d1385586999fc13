import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Device } from "../../src/index.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { startTerminal, type TerminalOptions, type TerminalRun } from "../helpers/terminal.ts";

const enterScreen = "\u001b[?1049h";
const leaveScreen = "\u001b[?1049l";
let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const start = (args: readonly string[] = [], options: TerminalOptions = {}): Promise<TerminalRun> =>
  startTerminal(["fleet", ...args], { ...options, env: { ...here.env, ...options.env } });
const send = (value: number): Promise<string> =>
  new Device({
    token: here.sandbox.tokens.device,
    region: { api: here.sandbox.url, sse: here.sandbox.eventsUrl },
  }).sendData({ variable: "temperature", value });

describe("the fleet screen in a terminal", { tags: ["posix"] }, () => {
  it("lists devices, filters, sorts, and opens one: Esc comes back, q leaves the terminal as it was", {
    tags: ["slow"],
  }, async () => {
    const run = await start(["--silent-for", "1ms"]);
    await run.waitFor(/12 devices|1 inactive/);
    await run.waitFor(/plan used {3}input [\d.]+ %/);
    await run.waitFor(/Failing analyses: none/);
    run.type("/freezer");
    await run.waitFor(/Filter: freezer/);
    await run.waitFor(/› Freezer 1 +offline/);
    run.type("\r");
    await run.waitFor(/\[filter "freezer"\]/);
    run.type("\r");
    await run.waitFor(/^Freezer 1 .*LIVE/m);
    await send(-18.25);
    await run.waitFor(/temperature +-18\.25/);
    run.type("/door\r");
    await run.waitFor(/No record matches "door"/);
    run.type("\u001b");
    await run.waitFor(/temperature +-18\.25/);
    run.type("\u001b");
    await run.waitFor(/› Freezer 1 /);
    run.type("\u001b");
    await run.waitFor(/Truck 7/);
    run.type("s");
    await run.waitFor(/\[name\]/);
    await run.waitFor(/› Freezer 1/);
    run.type("\t");
    await run.waitFor(/^Actions in 24 hours/m);
    run.type("q");
    expect(await run.ended).toBe(0);
    expect((await run.lines()).join("\n")).toMatch(/info: 12 devices: /);
    const raw = run.raw();
    expect(raw.lastIndexOf(leaveScreen)).toBeGreaterThan(raw.lastIndexOf(enterScreen));
  });

  it("fits every window it is given while it runs, and never writes the last row", { tags: ["slow"] }, async () => {
    const run = await start();
    await run.waitFor(/plan used/);
    for (const [columns, rows] of [
      [50, 15],
      [200, 60],
      [40, 10],
      [120, 40],
    ] as const) {
      run.resize(columns, rows);
      await expect
        .poll(async () => {
          const lines = await run.lines();
          const fits = lines.every((line) => line.length <= columns);
          return fits && lines.length === rows - 1 && (lines.at(-1) ?? "").includes("q quit");
        })
        .toBe(true);
    }
    run.type("\u0003");
    expect(await run.ended).toBe(130);
  });

  async function expectPlainSigns(columns: number, rows: number): Promise<void> {
    const run = await start(["--ascii"], { columns, rows, env: { NO_COLOR: "1" } });
    await run.waitFor(/q quit/);
    run.type("q");
    expect(await run.ended).toBe(0);
    expect([...run.raw()].filter((char) => char > "\u007f")).toEqual([]);
  }

  const PLAIN_SIGNS = "has only signs any terminal has with --ascii, in %i columns";
  it.each([[50, 15]])(PLAIN_SIGNS, expectPlainSigns);
  it.each([
    [80, 24],
    [160, 40],
  ])(PLAIN_SIGNS, { tags: ["slow"] }, expectPlainSigns);

  it("reads again by itself and on r, and keeps what it shows when that fails", { tags: ["slow"] }, async () => {
    const run = await start(["--refresh", "1s"]);
    await run.waitFor(/plan used/);
    const { id } = await here.json<{ readonly id: string }>(["device", "create", "--name", "Brand new"]);
    await run.waitFor(/Brand new +never/);
    here.sandbox.faults.set([{ route: "GET /device", kind: "status", status: 403 }]);
    run.type("r");
    await run.waitFor(/Not read: /);
    await run.waitFor(/Brand new +never/);
    here.sandbox.faults.set([]);
    expect((await here.iot(["device", "delete", id, "--yes"])).code).toBe(0);
    await expect.poll(async () => (await run.lines()).join("\n").includes("Brand new")).toBe(false);
    expect((await run.lines()).join("\n")).not.toContain("Not read");
    run.type("q");
    expect(await run.ended).toBe(0);
  });

  it("ends after --for, and is rows with --accessible", { tags: ["slow"] }, async () => {
    const screen = await start(["--for", "300ms"]);
    expect(await screen.ended).toBe(0);
    expect(screen.raw()).toContain(leaveScreen);
    const lines = await start(["--accessible", "--all"]);
    expect(await lines.ended).toBe(0);
    expect(lines.raw()).not.toContain(enterScreen);
    expect((await lines.lines()).join("\n")).toMatch(/name: Freezer 1\nstate: ok/);
    const changes = await start(["--accessible", "--all", "--refresh", "1s", "--for", "100ms"]);
    expect(await changes.ended).toBe(0);
    expect((await changes.lines()).join("\n")).toMatch(/^\d\d:\d\d:\d\d {2}Freezer 1 {2}ok {2}last input .+ ago$/m);
  });
});
