import { beforeEach } from "vitest";
import { setRuntimeRegion } from "../../src/lib/core/regions.ts";

// Files share a process: what an analysis of one of them sets must not lead the calls of the next.
beforeEach(() => {
  setRuntimeRegion(undefined);
  delete process.env["T_ANALYSIS_TOKEN"];
});
