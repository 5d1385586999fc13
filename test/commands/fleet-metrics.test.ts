import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { servedMetrics } from "../helpers/served-metrics.ts";
import { waitFor } from "../helpers/wait-for.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());
beforeEach(() => here.sandbox.faults.set([]));

/** The value of a series. */
const sampleOf = (text: string, series: string): number =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1) ?? Number.NaN,
  );

describe("iot fleet --metrics", () => {
  it("serves the counts of iot fleet --summary, the plan and how old they are", async () => {
    const summary = await here.json<{
      readonly states: Record<string, number>;
      readonly plan: readonly { readonly service: string; readonly used: number; readonly limit: number | null }[];
      readonly analyses: readonly unknown[];
    }>(["fleet", "--summary"]);
    const metrics = await servedMetrics(here);
    const text = await metrics.text();
    for (const [state, count] of Object.entries(summary.states))
      expect(sampleOf(text, `iot_fleet_devices{state="${state}"}`)).toBe(count);
    for (const { service, limit } of summary.plan.filter((row) => row.limit !== null))
      expect(sampleOf(text, `iot_plan_limit{service="${service}"}`)).toBe(limit);
    expect(sampleOf(text, 'iot_plan_used{service="input"}')).toBeGreaterThan(0);
    expect(sampleOf(text, "iot_analyses_failing")).toBe(summary.analyses.length);
    expect(sampleOf(text, "iot_fleet_up")).toBe(1);
    expect(sampleOf(text, "iot_fleet_read_timestamp_seconds")).toBeGreaterThan(Date.now() / 1_000 - 3_600);
    expect(sampleOf(text, "iot_fleet_age_seconds")).toBeGreaterThanOrEqual(0);
    expect(text).not.toContain("Freezer");
    expect(text).not.toContain(here.env["IOT_TOKEN"]?.slice(2, 10));
    await metrics.stop();
  });

  it("sends no request to the platform for a scrape", async () => {
    const metrics = await servedMetrics(here);
    const before = here.requests().length;
    for (let n = 0; n < 5; n += 1) await metrics.text();
    expect(here.requests()).toHaveLength(before);
    expect((await metrics.stop()).code).toBe(130);
  });

  it("names devices with --per-device alone, with every character of a name escaped", async () => {
    const name = 'A "quoted" \\ name';
    const id = (await here.iot(["device", "create", "--name", name, "-o", "id"])).stdout.trim();
    const metrics = await servedMetrics(here, ["--per-device"]);
    const text = await metrics.text();
    expect(text).toContain(`iot_device_state{device="${id}",name="A \\"quoted\\" \\\\ name",state="never"} 1`);
    expect(text).toMatch(/iot_device_last_input_timestamp_seconds\{device="[0-9a-f]{24}",name="Freezer 1"\} \d/);
    await metrics.stop();
  });

  it("serves the last values while the platform cannot be read, and says so", { tags: ["slow"] }, async () => {
    const metrics = await servedMetrics(here, ["--refresh", "1s", "--retries", "0"]);
    const devices = sampleOf(await metrics.text(), 'iot_fleet_devices{state="ok"}');
    here.sandbox.faults.set([{ route: "GET /device", kind: "status", status: 503 }]);
    await waitFor(async () => sampleOf(await metrics.text(), "iot_fleet_up") === 0, "the failure");
    const text = await metrics.text();
    expect(sampleOf(text, 'iot_fleet_devices{state="ok"}')).toBe(devices);
    expect(sampleOf(text, "iot_fleet_read_failures_total")).toBeGreaterThan(0);
    here.sandbox.faults.set([]);
    await waitFor(async () => sampleOf(await metrics.text(), "iot_fleet_up") === 1, "the recovery");
    const { stderr } = await metrics.stop();
    expect(stderr.match(/Not read/g)).toHaveLength(1);
    expect(stderr).toContain("The fleet can be read again.");
  });

  it("answers nothing but a GET of /metrics", async () => {
    const metrics = await servedMetrics(here);
    expect((await fetch(metrics.url.replace("/metrics", "/"))).status).toBe(404);
    expect((await fetch(metrics.url, { method: "POST" })).status).toBe(405);
    const head = await fetch(metrics.url, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    await metrics.stop();
  });

  it("is for this machine alone, unless the address names another interface", async () => {
    const alone = await here.iot(["fleet", "--metrics", "0", "--for", "0s"]);
    expect(alone.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics\n$/);
    expect(alone.stderr).not.toContain("Whoever reaches");
    const open = await here.iot(["fleet", "--metrics", "0.0.0.0:0", "--for", "0s"]);
    expect(open.stderr).toContain("Whoever reaches this address can read the metrics");
  });

  it("says when the address is taken, or is none", async () => {
    const metrics = await servedMetrics(here);
    const taken = await here.iot(["fleet", "--metrics", new URL(metrics.url).host]);
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining("Metrics cannot be served at 127.0.0.1:")]);
    await metrics.stop();
    for (const text of ["somewhere", "127.0.0.1", "127.0.0.1:70000"])
      expect((await here.iot(["fleet", "--metrics", text])).code).toBe(2);
  });
});
