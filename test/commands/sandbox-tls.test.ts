import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliResult, runCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";

let config: string;
beforeEach(() => {
  config = temporaryFolder();
});
afterEach(async () => {
  await here(["sandbox", "stop", "--all"]);
});

const here = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliResult> =>
  runHere(args, { env: { IOT_CONFIG_DIR: config, ...env } });
const program = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliResult> =>
  runCli(args, { env: { IOT_CONFIG_DIR: config, ...env } });

describe("--tls", () => {
  it("starts a sandbox that this program finds, exports and stops without a variable", { tags: ["slow"] }, async () => {
    const dataDir = join(config, "data of the plant");
    const flags = ["--detach", "--port", "0", "--data-dir", dataDir, "--seed", "empty", "--tls"];
    const started = await program(["sandbox", "start", ...flags]);
    expect({ code: started.code, stderr: started.code === 0 ? "" : started.stderr }).toEqual({ code: 0, stderr: "" });
    expect(started.stdout).toMatch(/^export IOT_API_URL=https:\/\/127\.0\.0\.1:\d+$/m);
    expect(started.stdout).toContain(`export NODE_EXTRA_CA_CERTS='${join(dataDir, "certificate.pem")}'`);
    expect((await here(["sandbox", "status", "--json"])).stdout).toContain('"state": "running"');
    const copy = join(config, "copy.tar.gz");
    expect((await here(["sandbox", "export", copy])).code).toBe(0);
    expect((await here(["sandbox", "import", copy, "--yes"])).code).toBe(0);
    const [, url = ""] = /IOT_API_URL=(\S+)/.exec(started.stdout) ?? [];
    const [, token = ""] = /IOT_TOKEN=(\S+)/.exec(started.stdout) ?? [];
    const env = { IOT_API_URL: url, IOT_TOKEN: token };
    expect((await here(["device", "list", "--ca-file", join(dataDir, "certificate.pem")], env)).code).toBe(0);
    expect(await here(["device", "list"], env)).toMatchObject({
      code: 10,
      stderr: expect.stringContaining("--ca-file"),
    });
    expect((await here(["sandbox", "stop"])).code).toBe(0);
  });

  it("makes programs under exec trust the sandbox", async () => {
    const script =
      "fetch(process.env.TAGOIO_API + '/status').then((reply) => console.log(reply.url.slice(0, 6), reply.status, process.env.SSL_CERT_FILE === process.env.REQUESTS_CA_BUNDLE));";
    const { code, stdout, stderr } = await program([
      "sandbox",
      "exec",
      "--tls",
      "--seed",
      "empty",
      "--",
      process.execPath,
      "-e",
      script,
    ]);
    expect({ code, stdout, stderr: code === 0 ? "" : stderr }).toEqual({
      code: 0,
      stdout: "https: 200 true\n",
      stderr: "",
    });
  });
});
