import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { VERSION } from "../../src/index.ts";
import { root } from "../helpers/ci-project.ts";
import { type CliResult, cliEnvironment, temporaryFolder } from "../helpers/cli.ts";
import { localRegistry, npmFrom, packFolder } from "../helpers/registry.ts";
import { shell } from "../helpers/shell.ts";
import type { SmallServer } from "../helpers/small-server.ts";
import { actionErrors } from "../helpers/workflow-parser.ts";

interface Step {
  readonly id?: string;
  readonly shell: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const text = readFileSync(join(root, "action.yml"), "utf8");
const { inputs, runs } = parse(text) as Action;
const page = readFileSync(join(root, "docs/ci.md"), "utf8");

let registry: SmallServer;
beforeAll(async () => {
  registry = await localRegistry();
});
afterAll(() => registry.close());

/** A job on a runner: its steps share a folder, and what the steps before them exported. */
class Job {
  readonly workspace = temporaryFolder();
  readonly #temp = temporaryFolder();
  readonly #env: Readonly<Record<string, string>>;

  constructor() {
    const own = { NO_COLOR: "1", IOT_CONFIG_DIR: temporaryFolder(), RUNNER_TEMP: this.#temp };
    this.#env = {
      ...cliEnvironment({ ...npmFrom(registry), ...own }),
      GITHUB_ACTION_PATH: root,
      ...Object.fromEntries(["ENV", "OUTPUT", "PATH"].map((name) => [`GITHUB_${name}`, join(this.#temp, name)])),
    };
  }

  #lines(name: "ENV" | "OUTPUT" | "PATH"): readonly string[] {
    const file = join(this.#temp, name);
    return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  }

  exported(name: "ENV" | "OUTPUT"): Record<string, string> {
    return Object.fromEntries(this.#lines(name).map((line) => line.split(/=(.*)/s).slice(0, 2)));
  }

  /** Runs lines as `shell: bash` does. */
  step(run: string, env: Readonly<Record<string, string>> = {}): Promise<CliResult> {
    const file = join(temporaryFolder(), "step.sh");
    writeFileSync(file, run);
    const path = [...this.#lines("PATH"), dirname(process.execPath), process.env["PATH"]].join(":");
    const all = { ...this.#env, ...this.exported("ENV"), ...env, PATH: path };
    return shell(`bash --noprofile --norc -eo pipefail ${file}`, { cwd: this.workspace, env: all });
  }

  /** Runs the steps of the action up to the first that fails. */
  async use(given: Readonly<Record<string, string>>): Promise<CliResult> {
    let last: CliResult = { code: 0, stdout: "", stderr: "" };
    for (const { run, env } of runs.steps) {
      const values = Object.entries(env).map(([name, expression]) => {
        const [, input = ""] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression) ?? [];
        return [name, given[input] ?? inputs[input]?.default ?? `no input ${input}`];
      });
      last = await this.step(run, Object.fromEntries(values) as Record<string, string>);
      if (last.code !== 0) return last;
    }
    return last;
  }
}

describe("the action", () => {
  it("is accepted by GitHub's own parser", async () => {
    expect(await actionErrors(text)).toEqual([]);
  });

  it.each([
    ["shell: bash", "shel: bash"],
    ["using: composite", "using: compost"],
    ["inputs.scenario", "inputs.scenario ||| 1"],
    ["description: Starts", "descriptions: Starts"],
  ])("would be rejected with %s changed", async (right, wrong) => {
    expect(text).toContain(right);
    expect(await actionErrors(text.replace(right, wrong))).not.toEqual([]);
  });

  it("puts no input into a line of the shell, and uses no other action", () => {
    expect(runs.using).toBe("composite");
    for (const step of runs.steps) {
      expect(step).toMatchObject({ shell: "bash", run: expect.not.stringContaining("${{") });
      expect(step).not.toHaveProperty("uses");
    }
  });

  it("installs a tarball, starts a sandbox, masks every secret, and lets later steps use and stop it", async () => {
    const job = new Job();
    const tarball = packFolder(root, job.workspace);
    const flags = "--strict --clock x60";
    const { code, stdout } = await job.use({ version: tarball, scenario: "tip", tip: "true", rate: "1/h", flags });
    expect(code).toBe(0);
    const variables = job.exported("ENV");
    const { url, port = "" } = job.exported("OUTPUT");
    expect(variables).toMatchObject({ TAGOIO_API: url, IOT_API_URL: url });
    const lines = stdout.trimEnd().split("\n");
    const masked = lines.flatMap((line) => (line.startsWith("::add-mask::") ? [line.slice(12)] : []));
    const secrets = Object.entries(variables).filter(([name]) => /TOKEN|SECRET|IOT_TIP_AUTHORIZATION/.test(name));
    expect(secrets.length).toBeGreaterThan(4);
    expect(masked).toEqual(expect.arrayContaining(secrets.map(([, value]) => value)));
    // Nothing else is printed, so nothing is printed before it is masked.
    expect(masked).toHaveLength(lines.length);

    const status = JSON.parse((await job.step("iot sandbox status --output json")).stdout) as unknown;
    expect(status).toEqual([expect.objectContaining({ port: Number(port), strict: true, tip: expect.any(Object) })]);
    expect(await job.step("iot device list --output json")).toMatchObject({ code: 0 });
    expect(await job.step('iot sandbox stop --port "$PORT"', { PORT: port })).toMatchObject({ code: 0 });
    expect((await job.step("iot device list")).code).not.toBe(0);
  });

  it.each([
    ["the version of the action", undefined],
    ["a version", VERSION],
  ])("installs %s from the registry", async (_, version) => {
    const job = new Job();
    expect(await job.use(version === undefined ? {} : { version })).toMatchObject({ code: 0 });
    expect((await job.step("iot --version")).stdout.trim()).toBe(VERSION);
    expect(await job.step("iot device list && iot sandbox stop")).toMatchObject({ code: 0 });
  });

  it.each([
    [{ version: "0.0.1-none" }, "0.0.1-none"],
    [{ scenario: "none" }, "none"],
    [{ flags: "--no-such-flag" }, "--no-such-flag"],
  ])("fails with %j, and exports nothing", async (given, named) => {
    const job = new Job();
    const { code, stderr } = await job.use(given);
    expect(code).not.toBe(0);
    expect(stderr).toContain(named);
    expect(job.exported("ENV")).toEqual({});
  });
});

describe("the example in docs/ci.md", () => {
  const [, example = ""] = /```yaml\n(\s*steps:\n[\s\S]*?)```/.exec(page.slice(page.indexOf("## As an action"))) ?? [];

  it("names inputs and outputs that the action has", () => {
    const { steps } = parse(example) as {
      readonly steps: readonly { readonly with?: Readonly<Record<string, string>> }[];
    };
    const used = steps.flatMap((step) => Object.keys(step.with ?? {}));
    expect(used.length).toBeGreaterThan(0);
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(used));
    const { outputs } = parse(text) as { readonly outputs: Readonly<Record<string, unknown>> };
    const named = [...example.matchAll(/steps\.\w+\.outputs\.(\w+)/g)].map(([, name]) => name);
    expect(Object.keys(outputs)).toEqual(expect.arrayContaining(named));
  });
});
