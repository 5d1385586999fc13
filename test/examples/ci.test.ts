import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { breakTest, ciProject, logsOf, readCi, root } from "../helpers/ci-project.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { jobProblems, testJob } from "../helpers/gitlab.ts";
import { runHere } from "../helpers/in-process.ts";
import { workflowErrors } from "../helpers/workflow-parser.ts";

const github = readCi("github-actions.yml");
const gitlab = readCi("gitlab-ci.yml");
const checks = ["check-github.yml", "check-gitlab.yml"].map(readCi);
const pages = ["ci", "check", "containers"].map((name) => readFileSync(join(root, `docs/${name}.md`), "utf8"));
const [page = "", checkPage = ""] = pages;

const blocks = (language: string, text = page): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, text = ""]) => text);

/** The Node versions that the package is checked on. */
const versions = /check-package\.js ([\d ]+)"/.exec(readFileSync(join(root, "package.json"), "utf8"))?.[1]?.split(" ");

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: {
    readonly test: {
      readonly "timeout-minutes": number;
      readonly strategy: { readonly matrix: { readonly node: readonly number[] } };
      readonly steps: readonly Step[];
    };
  };
}

const workflow = (): Workflow => parse(github) as Workflow;
const runLines = (): string[] => workflow().jobs.test.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

describe("the GitHub workflow", () => {
  it("is accepted by GitHub's own parser", async () => {
    expect(await workflowErrors(github)).toEqual([]);
  });

  it.each([
    ["runs-on: ubuntu-24.04", "runs-in: ubuntu-24.04"],
    ["matrix.node }}\n          cache", "matrx.node }}\n          cache"],
    ["if: failure()", "iff: failure()"],
    ["contents: read", "contents: reed"],
  ])("would be rejected with %s changed", async (right, wrong) => {
    expect(github).toContain(right);
    expect(await workflowErrors(github.replace(right, wrong))).not.toEqual([]);
  });

  it("has the least permissions, no secrets, a time limit and actions of fixed major versions", () => {
    const { permissions, jobs } = workflow();
    expect(permissions).toEqual({ contents: "read" });
    expect(jobs.test["timeout-minutes"]).toBeLessThanOrEqual(15);
    const uses = jobs.test.steps.flatMap(({ uses: action }) => (action === undefined ? [] : [action]));
    expect(uses).toHaveLength(3);
    for (const action of uses) expect(action).toMatch(/^actions\/[a-z-]+@v\d+$/);
    expect(github).not.toMatch(/secrets\.|pull_request_target|token/i);
  });

  it("covers the Node versions that the package supports", () => {
    expect(workflow().jobs.test.strategy.matrix.node.map(String)).toEqual(versions);
  });

  it("passes with passing tests, those of examples/vitest as well", async () => {
    const project = ciProject("vitest");
    const { code, stdout } = await project.run(runLines());
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/Tests\s+4 passed/) });
  });

  it("fails with a failing test, and keeps its logs", async () => {
    const project = ciProject();
    breakTest(project);
    const { code, stdout } = await project.run(runLines());
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/Tests\s+1 failed/) });
    const upload = workflow().jobs.test.steps.find(({ uses = "" }) => uses.startsWith("actions/upload-artifact@"));
    expect(upload).toMatchObject({ if: "failure()", with: { path: "logs/" } });
    expect(logsOf(project)).toEqual(["junit.xml", "requests.json"]);
    const log = readFileSync(join(project.folder, "logs/requests.json"), "utf8");
    expect(log).toContain('"method":"POST","url":"/data","status":200');
    expect(log).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });
});

describe("the GitLab pipeline", () => {
  it("has a job of known keywords with lines to run", () => {
    const { versions: own, artifacts } = testJob(gitlab);
    expect(own).toEqual(versions);
    expect(artifacts).toEqual({ when: "on_failure", paths: ["logs/"], junit: "logs/junit.xml" });
    expect(gitlab).not.toMatch(/token|secret|password/i);
  });

  it.each([
    ["script:", "scripts:"],
    ["on_failure", "on_success"],
    ["    paths:\n      - logs/", "    path:\n      - logs/"],
    ["-slim", ""],
    ["    key:\n      files:", "    key:\n      file:"],
  ])("would be rejected with %s changed", (right, wrong) => {
    expect(gitlab).toContain(right);
    const changed = parse(gitlab.replace(right, wrong)) as { readonly test: unknown };
    expect(jobProblems(changed.test)).not.toEqual([]);
  });

  it("passes with a passing test", async () => {
    const { code, stdout } = await ciProject().run(testJob(gitlab).script);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/Tests\s+1 passed/) });
  });

  it("fails with a failing test, and keeps its logs", async () => {
    const project = ciProject();
    breakTest(project);
    const { script, artifacts } = testJob(gitlab);
    expect((await project.run(script)).code).toBe(1);
    expect(logsOf(project).map((name) => `logs/${name}`)).toContain(artifacts.junit);
  });
});

describe("the jobs that check a project", () => {
  const [workflowText = "", pipeline = ""] = checks;

  it("are accepted, and have nothing but a secret more than the others", async () => {
    expect(await workflowErrors(workflowText)).toEqual([]);
    expect(workflowText).not.toContain("pull_request_target");
    expect(parse(workflowText)).toMatchObject({ permissions: { contents: "read" } });
    expect(jobProblems((parse(pipeline) as { readonly check: unknown }).check)).toEqual([]);
  });

  it("run lines that the program takes, with a project file as on the page", async () => {
    const [settings = "{}"] = blocks("json", checkPage);
    const lines = checks.flatMap((text) =>
      [...text.matchAll(/npx --no iot (check.*)$/gm)].map(([, line = ""]) => line),
    );
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const cwd = temporaryFolder();
      writeFileSync(join(cwd, "iot.config.json"), settings);
      const { code, stderr } = await runHere([...line.split(" "), "--offline"], { cwd });
      // The folders it names are not there.
      expect({ code, stderr }).toMatchObject({
        code: 3,
        stderr: expect.stringContaining("Checked profile, widgets:"),
      });
    }
  });
});

describe("docs/ci.md, check.md and containers.md", () => {
  it("show the files of examples/ci as they are", () => {
    // test/examples/action.test.ts runs the steps that use the action.
    const files = blocks("yaml", pages.join("\n")).filter((text) => !text.includes("OWNER/iotdeck@"));
    const shown = [...files, ...blocks("dockerfile", pages.join("\n"))];
    expect(shown).toEqual([github, gitlab, ...checks, readCi("Dockerfile")]);
  });

  it("show the command that the workflow runs", () => {
    expect(blocks("sh")[0]).toBe(`${runLines().at(-1)}\n`);
  });

  const others = blocks("sh").slice(1);
  it.each(others.map((text) => [text.split("\n")[0], text]))("show a command that passes: %s", async (_, line) => {
    const project = ciProject();
    const { code, stderr } = await project.run([line]);
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    expect(readFileSync(join(project.folder, "logs/requests.json"), "utf8")).toContain('"url":"/data"');
  });

  it("show a line that keeps the exit code of the tests and their requests", async () => {
    const project = ciProject();
    breakTest(project);
    const [line = ""] = blocks("sh").filter((text) => text.includes("curl"));
    expect((await project.run([line])).code).toBe(1);
    expect(logsOf(project)).toContain("requests.json");
  });
});
