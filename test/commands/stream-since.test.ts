import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

interface Event {
  readonly channel: string;
  readonly payload: readonly { readonly id: string; readonly value: number; readonly time: string }[];
}

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());
beforeEach(() => here.sandbox.faults.set([]));

const iot = (...args: string[]) => runHere(args, { env: here.env });
const device = async (name: string): Promise<string> =>
  (await iot("device", "create", "--name", name, "-o", "id")).stdout.trim();
const ago = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();
const send = (id: string, value: number, time: string) =>
  iot("device", "data", "send", id, `level=${value}`, "--time", time);
const isReading = (id: string): boolean =>
  here.requests().some((line) => line.startsWith(`GET /device/${id}/data?`) && line.includes("ascending"));
const valuesOf = (stdout: string): number[] =>
  stdout
    .trimEnd()
    .split("\n")
    .flatMap((line) => (JSON.parse(line) as Event).payload.map(({ value }) => value));

describe("stream --since", () => {
  it("gives what is stored since then, oldest first, then what arrives, each record once", {
    tags: ["slow"],
  }, async () => {
    const id = await device("Since");
    await send(id, 0, ago(7_200));
    for (const [value, seconds] of [
      [2, 1_200],
      [1, 1_800],
      [3, 600],
    ] as const)
      await send(id, value, ago(seconds));
    // The records are read slowly, so that one arrives while they are.
    here.sandbox.faults.set([{ route: `GET /device/${id}/data`, kind: "latency", delayMs: 100, count: 2 }]);
    const running = iot(
      "stream",
      `device_data:${id}`,
      "--since",
      "-1h",
      "--count",
      "5",
      "--for",
      "10m",
      "-o",
      "ndjson",
    );
    await waitFor(() => isReading(id), "the reading of the records");
    await send(id, 4, ago(0));
    await waitFor(
      () => here.sandbox.requestLog().filter(({ url }) => url.includes("ascending")).length > 0,
      "the answer",
    );
    await send(id, 5, ago(0));
    const { code, stdout } = await running;
    expect(code).toBe(0);
    expect(valuesOf(stdout)).toEqual([1, 2, 3, 4, 5]);
  });

  it("merges several devices by time, and keeps to --variable", async () => {
    const [one, two] = [await device("Merge 1"), await device("Merge 2")];
    for (const [id, value, seconds] of [
      [one, 1, 400],
      [two, 2, 300],
      [one, 3, 200],
      [two, 4, 100],
    ] as const) {
      await iot("device", "data", "send", id, `level=${value}`, `other=${value}`, "--time", ago(seconds));
    }
    const args = [
      "device",
      "watch",
      one,
      two,
      "--since",
      "-10m",
      "--variable",
      "level",
      "--count",
      "4",
      "--for",
      "10m",
    ];
    const { stdout } = await iot(...args, "-o", "json");
    expect((JSON.parse(stdout) as { value: number }[]).map(({ value }) => value)).toEqual([1, 2, 3, 4]);
  });

  it("refuses channels that store nothing, and --replay", async () => {
    const other = await iot("stream", "notification", "--since", "-1h", "--for", "1s");
    expect({ code: other.code, says: other.stderr.includes("device_data") }).toEqual({ code: 2, says: true });
    expect((await iot("stream", "--replay", "x", "--since", "-1h")).code).toBe(2);
  });
});
