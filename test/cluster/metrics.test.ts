import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { servedMetrics } from "../helpers/served-metrics.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

it.each([[[]], [["--per-device", "--battery", "temperature<0"]]])(
  "serves metrics with %j that promtool finds nothing wrong with",
  async (args) => {
    const metrics = await servedMetrics(here, args);
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], {
      input: await metrics.text(),
      encoding: "utf8",
    });
    await metrics.stop();
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  },
);
