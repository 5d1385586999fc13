import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { workflowErrors } from "../helpers/workflow-parser.ts";
import { root } from "./imports.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly uses?: string;
  readonly if?: string;
  readonly needs?: readonly string[];
  readonly environment?: string;
  readonly permissions?: unknown;
  readonly "timeout-minutes"?: number;
  readonly strategy?: { readonly matrix: { readonly os: readonly string[]; readonly node: readonly number[] } };
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = join(root, ".github", "workflows");
const files = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
const textOf = (name: string): string => files.find((file) => file.name === name)?.text ?? "";
const jobsOf = (name: string): Workflow["jobs"] => (parse(textOf(name)) as Workflow).jobs;
const jobsWithPermissions = (name: string): Job[] =>
  Object.values(jobsOf(name)).filter(({ permissions }) => permissions !== undefined);
const linesOf = ({ steps = [] }: Job = {}): string[] => steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

describe.each(files)("the workflow $name", ({ text }) => {
  const { permissions, jobs } = parse(text) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

  it("is accepted by GitHub's own parser", { tags: ["slow"] }, async () => {
    expect(await workflowErrors(text)).toEqual([]);
  });

  it.each([
    ["runs-on:", "runs-in:"],
    ["contents: read", "contents: reed"],
    ["if: ", "iff: "],
  ])("would be rejected with %s changed", async (right, wrong) => {
    expect(text).toContain(right);
    expect(await workflowErrors(text.replace(right, wrong))).not.toEqual([]);
  });

  it("has the least permissions, no secrets, time limits and actions of fixed major versions", () => {
    expect(permissions).toEqual({ contents: "read" });
    expect(text).not.toMatch(/secrets\.|pull_request_target/);
    for (const job of Object.values(jobs))
      if (job.uses === undefined) expect(job["timeout-minutes"]).toBeLessThanOrEqual(40);
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
    const checkouts = steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@"));
    for (const step of checkouts) expect(step.with).toMatchObject({ "persist-credentials": false });
  });

  it("does not put a title or a branch name, which anyone chooses, into a line of the shell", () => {
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });

  it("runs scripts that package.json has", () => {
    const named = Object.values(jobs)
      .flatMap(linesOf)
      .flatMap((line) => [...line.matchAll(/npm (?:run ([\w:]+)|(test))/g)].map(([, script, test]) => script ?? test));
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(named));
  });
});

it("no job has permissions but those that publish the package and the site", () => {
  expect(
    files
      .filter(({ name }) => jobsWithPermissions(name).length > 0)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["release.yml", "site.yml"]);
});

describe("the tests on GitHub", () => {
  const { test, apart, package: packed } = jobsOf("ci.yml");

  it("run on Linux, macOS and Windows, with the Node versions that the package is checked on", () => {
    const { os = [], node = [] } = test?.strategy?.matrix ?? {};
    expect(os.map((name) => name.replace(/-.*/, ""))).toEqual(["ubuntu", "macos", "windows"]);
    const [, versions] = /check-package\.js ([\d ]+)/.exec(manifest.scripts["check:package"] ?? "") ?? [];
    expect(node.join(" ")).toBe(versions);
  });

  it("run every script that checks the whole", () => {
    expect(linesOf(test)).toContain("npm run test:all");
    const named = readdirSync(root).flatMap((name) => /^vitest\.(\w+)\.config\.ts$/.exec(name)?.[1] ?? []);
    const scripts = ["docs:site", ...named.map((name) => `test:${name}`)];
    expect(linesOf(apart).slice(1).sort()).toEqual(scripts.map((name) => `npm run ${name}`).sort());
    expect(linesOf(packed)).toEqual(["npm run check:package", "npm run check:platforms"]);
  });
});

describe("the release", () => {
  const { pack, test, publish, files: attached, image } = jobsOf("release.yml");
  const isTag = "github.ref_type == 'tag'";

  it("lets only the publishing job prove its identity, after the tests and only for a tag", () => {
    expect(jobsWithPermissions("release.yml")).toEqual([publish, attached, image]);
    expect(publish).toMatchObject({
      if: isTag,
      needs: ["pack", "test"],
      environment: "npm",
      permissions: { "id-token": "write" },
    });
    expect(test).toEqual({ if: isTag, uses: "./.github/workflows/ci.yml" });
  });

  it("publishes what was packed, with provenance, and runs no code of others there", () => {
    expect(linesOf(publish)).toEqual(["npm publish --provenance --access public --ignore-scripts ./iotdeck-*.tgz"]);
    expect(publish?.steps?.map(({ uses = "" }) => uses.replace(/@.*/, ""))).toEqual([
      "actions/setup-node",
      "actions/download-artifact",
      "",
    ]);
  });

  it("then attaches files and pushes an image, each with one permission, of what was packed and run", () => {
    const after = { if: isTag, needs: ["publish"] };
    expect(attached).toMatchObject({ ...after, permissions: { contents: "write" } });
    expect(image).toMatchObject({ ...after, permissions: { packages: "write" } });
    for (const job of [attached, image]) {
      const used = job?.steps?.flatMap(({ uses = "" }) => (uses === "" ? [] : [uses.replace(/@.*/, "")]));
      expect(used).toEqual(["actions/download-artifact"]);
    }
    const ran = linesOf(pack).join("\n");
    expect(ran).toContain("packed/iot-linux-x64 sandbox exec -- iot device list");
    expect(ran).toContain("docker build --tag iotdeck packed");
    const [, named = ""] = /gh release create (.*)/.exec(linesOf(attached).join("\n")) ?? [];
    expect(named).toContain("iot-linux-x64 iotdeck-*.tgz SHA256SUMS");
  });

  it("audits the dependencies and rehearses, also for a pull request", () => {
    expect(pack?.if).toBeUndefined();
    const lines = linesOf(pack);
    expect(lines).toContain("npm audit --omit=dev");
    expect(lines.some((line) => line.startsWith("npm publish --dry-run "))).toBe(true);
  });

  it("takes nothing from a cache that other workflows fill", () => {
    const setups = [pack, publish]
      .flatMap((job) => job?.steps ?? [])
      .filter(({ uses = "" }) => /setup-node/.test(uses));
    expect(setups).toHaveLength(2);
    for (const step of setups) expect(step.with).toMatchObject({ "package-manager-cache": false });
  });
});

describe("the site", () => {
  const { build, deploy } = jobsOf("site.yml");

  it("is built for every pull request and published from main only", () => {
    const { on } = parse(textOf("site.yml")) as { readonly on: unknown };
    expect(on).toEqual({ push: { branches: ["main"] }, pull_request: null });
    expect(build?.if).toBeUndefined();
    expect(linesOf(build)).toEqual(["npm run docs:site"]);
    // Earlier releases are built from their tags.
    const builders = [...(build?.steps ?? []), ...(jobsOf("ci.yml")["apart"]?.steps ?? [])];
    const depths = builders.flatMap(({ with: given }) => given?.["fetch-depth"] ?? []);
    expect(depths).toEqual([0, 0]);
    expect(deploy).toMatchObject({ if: "github.event_name == 'push'", needs: ["build"], environment: "github-pages" });
  });

  it("lets only the deploying job write, and runs no code of others there", () => {
    expect(jobsWithPermissions("site.yml")).toEqual([deploy]);
    expect(deploy?.permissions).toEqual({ pages: "write", "id-token": "write" });
    expect(linesOf(deploy)).toEqual([]);
    expect(deploy?.steps?.map(({ uses = "" }) => uses.replace(/@.*/, ""))).toEqual(["actions/deploy-pages"]);
  });
});

describe("the updates of dependencies", () => {
  it("cover the packages, those of the site and the actions", () => {
    const { version, updates } = parse(readFileSync(join(root, ".github/dependabot.yml"), "utf8")) as {
      readonly version: number;
      readonly updates: readonly Readonly<Record<string, unknown>>[];
    };
    expect(version).toBe(2);
    const places = updates.map((one) => [one["package-ecosystem"], one["directory"]]);
    expect(places).toEqual([
      ["npm", "/"],
      ["npm", "/site"],
      ["github-actions", "/"],
    ]);
    for (const one of updates) expect(one).toMatchObject({ schedule: { interval: "monthly" } });
  });
});

describe("the issue forms", () => {
  const forms = join(root, ".github", "ISSUE_TEMPLATE");
  const texts = readdirSync(forms).map((name) => ({ name, text: readFileSync(join(forms, name), "utf8") }));

  it("are a form for bugs and one for features, and no other issues", () => {
    expect(texts.map(({ name }) => name).sort()).toEqual(["bug.yml", "config.yml", "feature.yml"]);
    expect(parse(texts.find(({ name }) => name === "config.yml")?.text ?? "")).toEqual({ blank_issues_enabled: false });
  });

  it.each(texts.filter(({ name }) => name !== "config.yml"))("of $name have fields that GitHub knows", ({ text }) => {
    const { body, ...head } = parse(text) as { readonly body: readonly Readonly<Record<string, unknown>>[] };
    expect(head).toEqual({
      name: expect.any(String),
      description: expect.any(String),
      labels: [expect.any(String)],
    });
    const fields = body.filter(({ type }) => type !== "markdown");
    for (const { type, attributes } of fields) {
      expect(["dropdown", "input", "textarea"]).toContain(type);
      expect(attributes).toMatchObject({ label: expect.any(String) });
    }
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  });

  it("ask for nothing in public that SECURITY.md wants in private", () => {
    expect(texts.find(({ name }) => name === "bug.yml")?.text).toContain("SECURITY.md");
    expect(readFileSync(join(root, "SECURITY.md"), "utf8")).toContain("](../../security/advisories/new)");
  });
});
