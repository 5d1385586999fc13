import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selfSignedCertificate } from "../../src/sandbox/http/certificate.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { type ClusterPlace, clusterPlace, exportTo, filesOf } from "./place.ts";
import { testRedis } from "./redis.ts";

const DEVICES = 4;
let place: ClusterPlace;
/** What is to be trusted, and a certificate of somebody else. */
let own: string;
let other: string;
beforeAll(async () => {
  const certificate = selfSignedCertificate();
  const folder = temporaryFolder();
  own = join(folder, "own.pem");
  other = join(folder, "other.pem");
  writeFileSync(own, certificate.cert);
  writeFileSync(other, selfSignedCertificate().cert);
  place = await clusterPlace(DEVICES, await testRedis({ certificate }));
});
afterAll(() => place?.close());

describe("a queue over TLS", () => {
  it("is used with the authority of --ca-file", async () => {
    expect(place.redis.url).toMatch(/^rediss:/);
    const worker = await place.worker(["--ca-file", own]);
    const out = join(place.folder, "out");
    const { code, stderr } = await place.iot(exportTo(out, "--ca-file", own));
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(Object.keys(filesOf(out))).toHaveLength(DEVICES + 1);
    await worker.end("SIGTERM");
    expect(worker.said()).toContain(`Did ${DEVICES} items`);
  });

  it("is refused with another authority, and without one", async () => {
    const trust = [["--ca-file", other], []];
    for (const flags of trust) {
      const { code, stderr } = await place.iot(["job", "list", ...flags]);
      expect({ code, stderr }).toMatchObject({ code: 10, stderr: expect.stringMatching(/self[- ]signed certificate/) });
      expect(stderr).toContain("--ca-file");
    }
  });

  it("is refused without encryption", async () => {
    const { code, stderr } = await place.iot(["job", "list", "--queue", place.redis.url.replace("rediss", "redis")]);
    expect({ code, stderr }).toMatchObject({ code: 10 });
  });
});
