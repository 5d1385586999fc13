import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { type RequestOptions, request } from "node:https";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Resources } from "../../src/index.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { until } from "./analyses/helpers.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", tls: true });
});
afterAll(() => sandbox.close());

const pem = (): string => sandbox.certificate?.pem ?? "";

function client(): Resources {
  return new Resources({
    token: sandbox.tokens.profile,
    region: { api: sandbox.url, sse: sandbox.eventsUrl },
    ca: pem(),
  });
}

function statusOf(url: string, headers: RequestOptions["headers"] = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { ca: pem(), agent: false, headers }, (reply) => {
      json(reply).then(() => resolve(reply.statusCode), reject);
    })
      .on("error", reject)
      .end();
  });
}

describe("a sandbox over https", () => {
  it("is trusted through the option ca, under every name of this machine", async () => {
    expect(sandbox.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect((await client().devices.create({ name: "Over https", type: "mutable" })).device_id).toMatch(
      /^[0-9a-f]{24}$/,
    );
    expect(await statusOf(`https://localhost:${sandbox.port}/status`)).toBe(200);
    expect(await statusOf(`https://127.0.0.1:${sandbox.port}/status`)).toBe(200);
  });

  it("is not trusted without it, and does not answer plain HTTP", async () => {
    await expect(fetch(`${sandbox.url}/status`)).rejects.toThrow();
    await expect(fetch(`http://127.0.0.1:${sandbox.port}/status`)).rejects.toThrow();
  });

  it("makes links and lets pages in by its own scheme", async () => {
    const files = client().files;
    await files.uploadBase64([{ filename: "a.txt", file: Buffer.from("a").toString("base64"), public: true }]);
    const link = await files.getFileURLSigned(`${sandbox.url}/file/${sandbox.profileId}/a.txt`);
    expect(link).toMatch(/^https:/);
    expect(await statusOf(`${sandbox.url}/status`, { origin: sandbox.url })).toBe(200);
    expect(await statusOf(`${sandbox.url}/status`, { origin: sandbox.url.replace("https", "http") })).toBe(403);
  });

  it("leads the scripts of analyses to its certificate", { tags: ["slow"] }, async () => {
    const { analysis } = client();
    const { id } = await analysis.create({ name: "Reach", runtime: "node-rt2025" });
    const content = "fetch(process.env.TAGOIO_API + '/status').then((reply) => console.log('status', reply.status));";
    await analysis.uploadScript(id, {
      name: "reach.js",
      content: Buffer.from(content).toString("base64"),
      language: "node-rt2025",
    });
    await analysis.run(id);
    const lines = await until(
      async () => String((await analysis.info(id)).console),
      (text) => /Analysis (ended|failed)/.test(text),
      "the end of the run",
    );
    expect(lines).toContain("status 200");
  });

  it("keeps its certificate in a file only the user can read, and removes one of its own folder at the end", {
    tags: ["posix"],
  }, async () => {
    const { file, variables } = sandbox.certificate ?? { file: "", variables: {} };
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8").startsWith(pem())).toBe(true);
    expect(readFileSync(file, "utf8")).not.toContain("PRIVATE");
    expect(variables).toMatchObject({ NODE_EXTRA_CA_CERTS: file, SSL_CERT_FILE: file, REQUESTS_CA_BUNDLE: file });
    expect(new Set(Object.values(variables))).toEqual(new Set([file]));

    const dataDir = join(temporaryFolder(), "plant");
    mkdirSync(dataDir);
    const kept = await createSandbox({ seed: "empty", tls: true, dataDir });
    expect(kept.certificate?.file).toBe(join(dataDir, "certificate.pem"));
    await kept.close();

    const short = await createSandbox({ seed: "empty", tls: true });
    await short.close();
    expect(existsSync(short.certificate?.file ?? "")).toBe(false);
  });
});
