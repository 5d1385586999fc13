import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawChart } from "../../src/text/draw-chart.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

const freezer = "name:Freezer 1";
const startMs = Date.parse("2026-02-01T00:00:00Z");
let here: SandboxUnderTest;
let ramp: string;

beforeAll(async () => {
  here = await sandboxUnderTest();
  ramp = (await runHere(["device", "create", "--name", "Ramp", "-o", "id"], { env: here.env })).stdout.trim();
  const records = Array.from({ length: 100 }, (_, n) => ({
    variable: "level",
    value: n,
    unit: "m\u001b[31m",
    time: new Date(startMs + n * 36_000).toISOString(),
  }));
  const others = [
    { variable: "flag", value: true, time: new Date(startMs).toISOString() },
    { variable: "word", value: "on", time: new Date(startMs).toISOString() },
  ];
  const stdin = JSON.stringify([...records, ...others]);
  await runHere(["device", "data", "send", ramp, "--input", "-"], { env: here.env, stdin });
});
afterAll(() => here.close());

const range = ["--from", "2026-02-01T00:00:00Z", "--to", "2026-02-01T01:00:00Z", "--tz", "UTC"];
const chart = async (flags: readonly string[], terminal?: number) => {
  const { code, stdout, stderr } = await runHere(["device", "data", "chart", ...flags], {
    env: here.env,
    ...(terminal === undefined ? {} : { terminal }),
  });
  return { code, stderr, stdout, lines: stdout.trimEnd().split("\n") };
};

describe("device data chart", () => {
  it("draws a line with its scale, the times below, and a legend, in 80 columns without a terminal", async () => {
    const { code, lines } = await chart([ramp, "--variable", "level", ...range, "--ascii"]);
    expect(code).toBe(0);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines[0]).toBe("level (m?[31m)  min 0  mean 49.5  max 99  last 99");
    expect(lines[1]).toMatch(/^ {7}99 \|.*\*$/);
    expect(lines.at(-3)).toMatch(/^ {8}0 \|\*/);
    expect(lines.at(-2)).toMatch(/^ {10}\+\+-+\+/);
    expect(lines.at(-1)).toMatch(/^ +00:00 .* 01:00$/);
    // The ramp rises from left to right: every row starts further left than the one above it.
    const starts = lines.slice(1, -2).map((line) => line.indexOf("*"));
    expect(starts).toEqual([...starts].sort((a, b) => b - a));
  });

  it("fits the terminal, and draws with braille, blocks or plain characters", async () => {
    for (const width of [40, 132]) {
      const { lines } = await chart([ramp, "--variable", "level", ...range], width);
      expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(width);
      expect(lines.join("")).toMatch(/[\u2801-\u28ff]/);
    }
    const blocks = await chart([ramp, "--variable", "level", ...range, "--style", "blocks"]);
    expect(blocks.stdout).toMatch(/[▁▂▃▄▅▆▇]/);
    const small = await chart([ramp, "--variable", "level", ...range, "--height", "8", "--width", "50"]);
    expect(small.lines.length).toBeLessThanOrEqual(8);
  });

  it("draws each variable with numbers when none is named, and tells that there are none", async () => {
    const { stdout } = await chart([ramp, ...range]);
    expect(stdout).toContain("level (m");
    expect(stdout).toContain("flag  min 1");
    expect(stdout).not.toContain("word");
    const none = await chart([ramp, "--variable", "word", ...range]);
    expect(none).toMatchObject({ code: 0, stdout: "" });
    expect(none.stderr).toContain("No numbers match");
  });

  it("gives the points as JSON, each with mean, ends and number of records", async () => {
    const { stdout } = await chart([ramp, "--variable", "level", ...range, "--downsample", "4", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject([
      { time: "2026-02-01T00:00:00.000Z", variable: "level", value: 12, min: 0, max: 24, records: 25 },
      { time: "2026-02-01T00:15:00.000Z", value: 37 },
      { time: "2026-02-01T00:30:00.000Z", value: 62 },
      { time: "2026-02-01T00:45:00.000Z", value: 87, min: 75, max: 99 },
    ]);
  });

  it("refuses what it cannot draw", async () => {
    expect((await chart([freezer, "--last", "1h", "--from", "-2h"])).code).toBe(2);
    expect((await chart([freezer, "--style", "pie"])).code).toBe(2);
  });
});

describe("drawing", () => {
  it("draws spans upright and columns in eighths", () => {
    expect(drawChart([{ low: 0, high: 3 }, 1], { width: 2, height: 4, ascii: true })).toEqual(["* ", "* ", "**", "* "]);
    expect(drawChart([0, 8, undefined, 4], { width: 4, height: 1, ascii: false, blocks: true })).toEqual(["▁█ ▅"]);
  });
});
