import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ciProject, readCi, root } from "../helpers/ci-project.ts";
import { sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_TOKENS } from "../helpers/seed.ts";
import { workflowErrors } from "../helpers/workflow-parser.ts";

const workflow = readCi("promotion.github.yml");
const page = readFileSync(join(root, "docs/promotion.md"), "utf8");

const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, text = ""]) => text);

interface Job {
  readonly needs?: string;
  readonly environment: string;
  readonly env: Readonly<Record<string, string>>;
  readonly "timeout-minutes": number;
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: { readonly path?: string };
  }[];
}

const { jobs, permissions } = parse(workflow) as {
  readonly jobs: Readonly<Record<string, Job>>;
  readonly permissions: object;
};

describe("the workflow of a promotion", () => {
  it("is accepted by GitHub's own parser, and shown on the page as it is", async () => {
    expect(await workflowErrors(workflow)).toEqual([]);
    expect(await workflowErrors(workflow.replace("needs: staging", "needs: stagin"))).not.toEqual([]);
    expect(blocks("yaml")).toEqual([workflow]);
  });

  it("has the least permissions, a time limit, and a token of its own in each job", () => {
    expect(permissions).toEqual({ contents: "read" });
    for (const job of Object.values(jobs)) {
      expect(job["timeout-minutes"]).toBeLessThanOrEqual(30);
      expect(job.env["IOT_TOKEN"]).toMatch(/^\$\{\{ secrets\.IOT_TOKEN \}\}$/);
      for (const { uses = "actions/x@v1" } of job.steps) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
    }
    expect(Object.entries(jobs).map(([name, { needs, environment }]) => [name, needs, environment])).toEqual([
      ["staging", undefined, "staging"],
      ["plan", "staging", "prod-plan"],
      ["prod", "plan", "prod"],
    ]);
  });

  it("brings staging and prod to what dev has, and keeps a snapshot", async () => {
    const [dev, prod] = await Promise.all([sandboxUnderTest(), sandboxUnderTest()]);
    const project = ciProject();
    const run = (lines: readonly string[], url: string, token: string, extra: readonly string[] = []) =>
      project.run([`export IOT_API_URL=${url} IOT_TOKEN=${token} GITHUB_STEP_SUMMARY=summary.md`, ...extra, ...lines]);
    const exported = await run(["npx --no iot profile export --out plant --yes"], dev.sandbox.url, SEED_TOKENS.full);
    expect(exported).toMatchObject({ code: 0 });
    const targets: Readonly<Record<string, string>> = {
      staging: dev.sandbox.url,
      plan: prod.sandbox.url,
      prod: prod.sandbox.url,
    };
    for (const [name, { steps, env }] of Object.entries(jobs)) {
      const state = env["IOT_CONFIG_DIR"]?.replace(/^\$\{\{ github\.workspace \}\}/, project.folder);
      const lines = steps.flatMap(({ run: line }) => (line === undefined ? [] : [line]));
      const extra = state === undefined ? [] : [`export IOT_CONFIG_DIR=${state}`];
      const { code, stderr } = await run(lines, targets[name] ?? "", SEED_TOKENS.empty, extra);
      expect({ name, code, stderr: code === 0 ? "" : stderr }).toEqual({ name, code: 0, stderr: "" });
    }
    expect(readFileSync(join(project.folder, "summary.md"), "utf8")).toContain("Freezer 1");
    const kept = jobs["prod"]?.steps.at(-1)?.with?.path ?? "";
    const undo = [`ls ${kept}*.json`, `IOT_CONFIG_DIR=$PWD/iot-state npx --no iot profile snapshot show last --json`];
    const { code, stdout } = await run(undo, prod.sandbox.url, SEED_TOKENS.empty);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('"reason": "profile apply"') });
    await Promise.all([dev.close(), prod.close()]);
  });
});

describe("docs/promotion.md", () => {
  it("shows commands that do what it says", async () => {
    const [dev, prod] = await Promise.all([sandboxUnderTest(), sandboxUnderTest()]);
    const project = ciProject();
    const environment = (name: string, url: string, token: string): string =>
      `iot env add ${name} --api-url ${url} && echo ${token} | iot auth login --with-token --env ${name}`;
    const made = await project.run([
      'export PATH="$PWD/node_modules/.bin:$PATH"',
      environment("dev", dev.sandbox.url, SEED_TOKENS.full),
      environment("staging", dev.sandbox.url, SEED_TOKENS.empty),
      environment("prod", prod.sandbox.url, SEED_TOKENS.empty),
    ]);
    expect(made).toMatchObject({ code: 0 });
    const lines = blocks("sh").join("").trim().split("\n");
    const codes: number[] = [];
    for (const line of lines)
      codes.push((await project.run(['export PATH="$PWD/node_modules/.bin:$PATH"', line])).code);
    // The first check finds differences; the rollback leaves what is protected from being deleted.
    expect(codes).toEqual([0, 0, 11, 0, 0, 0, 0, 8]);
    await Promise.all([dev.close(), prod.close()]);
  });
});
