import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const legacy = "name:Plant, old widgets";

describe("dashboard", () => {
  it("lists the dashboards in the order of their labels", async () => {
    const { stdout } = await here.iot(["dashboard", "list", "--fields", "label", "--no-header"]);
    expect(stdout).toBe("Plant overview\nPlant, old widgets\nSilo, any of them\n");
  });

  it("shows the tabs and how many widgets each holds", async () => {
    const { stdout } = await here.iot(["dashboard", "get", legacy, "--fields", "tabs,widgets", "-o", "csv"]);
    expect(stdout).toContain("Gauges (");
    const shown = Number(stdout.trim().split(",").at(-1));
    const counts = [...stdout.matchAll(/\((\d+)[,)]/g)].map(([, count]) => Number(count));
    expect(shown).toBeGreaterThan(20);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(shown);
  });

  it("prints the whole dashboard as JSON", async () => {
    const dashboard = await here.json<{ label: string; tabs: unknown[]; arrangement: unknown[] }>([
      "dashboard",
      "get",
      legacy,
    ]);
    expect(dashboard.label).toBe("Plant, old widgets");
    expect(dashboard.tabs.length).toBeGreaterThan(1);
    expect(dashboard.arrangement.length).toBeGreaterThan(20);
  });

  it("ends with 6 for a dashboard that is not there", async () => {
    const { code, stderr } = await here.iot(["dashboard", "get", "65a1000000000000000bffff"]);
    expect(code).toBe(6);
    expect(stderr).toContain("error: Dashboard 65a1000000000000000bffff not found in");
  });
});
