import { beforeEach } from "vitest";
import { setRuntimeRegion } from "../../src/lib/core/regions.ts";

// Files share a process: a region that an analysis of one of them sets must not lead the calls of the next.
beforeEach(() => setRuntimeRegion(undefined));
