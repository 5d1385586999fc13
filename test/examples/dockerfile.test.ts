import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { breakTest, type CiProject, ciProject, readCi, root } from "../helpers/ci-project.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { docker, dockerProject, hasDocker } from "../helpers/docker-project.ts";
import { dockerfileProblems, execForm, healthCommand, lastOf, stagesOf } from "../helpers/dockerfile.ts";
import { waitFor } from "../helpers/wait-for.ts";

const text = readCi("Dockerfile");
const PUBLISHED = "p-5eed0000-0000-4000-8000-0000000001";

/** The words of an instruction of a stage. */
function wordsOf(stageName: string, instruction: "CMD" | "HEALTHCHECK"): readonly string[] {
  const stage = stagesOf(text).find(({ name }) => name === stageName);
  const found = stage === undefined ? undefined : lastOf(stage, instruction);
  const words = found === undefined ? undefined : execForm(healthCommand(found));
  if (words === undefined) throw new Error(`Stage ${stageName} has no ${instruction} in exec form`);
  return words;
}

/** Variables of a project as its image sets them. */
const inImage = ({ env, folder }: CiProject): Record<string, string> => ({
  ...env,
  PATH: `${join(folder, "node_modules/.bin")}:${env["PATH"] ?? ""}`,
});

/** A program that runs in a project, as in its container. */
function start(project: CiProject, [program = "", ...args]: readonly string[]) {
  const child = spawn(program, args, { cwd: project.folder, env: inImage(project), stdio: ["ignore", "pipe", "pipe"] });
  const seen = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      seen[name] += chunk;
    });
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { seen, ended, stop: () => child.kill("SIGTERM") };
}

const variable = (lines: string, name: string): string =>
  new RegExp(`^export ${name}=(.*)$`, "m").exec(lines)?.[1] ?? "";

const statusWith = async (url: string, token: string): Promise<number> =>
  (await fetch(`${url}/info`, { headers: { token } })).status;

/** The sandbox that the image starts, with another port and folder. */
async function startSandbox(project: CiProject, dataDir: string) {
  const words = wordsOf("sandbox", "CMD").map((word) => ({ "5410": "0", "/data": dataDir })[word] ?? word);
  const running = start(project, words);
  await waitFor(() => running.seen.stdout.includes("IOT_SANDBOX_SECRET="), "the variables");
  const { stdout } = running.seen;
  return { ...running, url: variable(stdout, "TAGOIO_API"), token: variable(stdout, "IOT_TOKEN") };
}

describe("the Dockerfile", () => {
  it("has no problem that a linter or our rules find", () => {
    expect(dockerfileProblems(text)).toEqual([]);
    expect(stagesOf(text).map(({ name }) => name)).toEqual(["project", "sandbox", "test"]);
  });

  it.each([
    ["node:22-slim", "node", "node has no version"],
    ["node:22-slim", "node:latest", "node:latest has no version"],
    ["USER node", "USER root", "runs as root"],
    ["USER node\n", "", "runs as root"],
    ['["iot", "sandbox", "exec", "--", "npm", "test"]', "iot sandbox exec -- npm test", "in shell form"],
    ['CMD ["iot", "sandbox", "logs", "--limit", "1"]', "CMD iot sandbox logs", "in shell form"],
    ["COPY --chown=node:node package.json package-lock.json ./\n", "", "installs again"],
    ["ENV PATH", "ENV IOT_TOKEN=p-1 PATH", "contains a secret"],
    ["WORKDIR /project", "WORKDIR project", "WORKDIR"],
    ["--interval=30s", "--every=30s", "Unknown flag: every"],
    ["EXPOSE 5410", "EXPOSE sandbox", "Invalid containerPort"],
    ["VOLUME", "VOLUMES", "Unknown instruction"],
  ])("would be rejected with %s replaced by %s", (right, wrong, problem) => {
    expect(text).toContain(right);
    expect(dockerfileProblems(text.replace(right, wrong)).join("; ")).toContain(problem);
  });

  it("has the stages that docs/containers.md builds", () => {
    const page = readFileSync(join(root, "docs/containers.md"), "utf8");
    const targets = [...page.matchAll(/docker build --target (\w+)/g)].map(([, target]) => target);
    expect(new Set(targets)).toEqual(new Set(["sandbox", "test"]));
  });

  it("leaves dependencies, history and secrets of the folder out of the image", () => {
    const ignored = readCi(".dockerignore").trimEnd().split("\n");
    expect(ignored).toEqual(expect.arrayContaining(["node_modules", ".git", ".env*", "logs"]));
  });
});

describe("the commands of the image", () => {
  it("exit with the exit code of the tests", async () => {
    const project = ciProject();
    expect(await start(project, wordsOf("test", "CMD")).ended).toBe(0);
    breakTest(project);
    expect(await start(project, wordsOf("test", "CMD")).ended).toBe(1);
  });

  it("start a sandbox with random tokens and no scripts that is healthy until SIGTERM ends it", async () => {
    const project = ciProject();
    const dataDir = temporaryFolder();
    const health = () => start(project, wordsOf("sandbox", "HEALTHCHECK")).ended;
    const sandbox = await startSandbox(project, dataDir);
    expect(await statusWith(sandbox.url, sandbox.token)).toBe(200);
    expect(await statusWith(sandbox.url, PUBLISHED)).toBe(401);
    await waitFor(() => sandbox.seen.stderr.includes("Uploaded analyses do not run"), "the note on analyses");
    expect(await health()).toBe(0);
    sandbox.stop();
    expect(await sandbox.ended).toBe(143);
    expect(await health()).not.toBe(0);

    const again = await startSandbox(project, dataDir);
    expect(again.token).toBe(sandbox.token);
    again.stop();
    expect(await again.ended).toBe(143);
  });
});

/** Builds both images with Docker and runs them. */
async function runImages(): Promise<void> {
  const { folder } = dockerProject();
  const names = { test: "iotdeck-check-test", sandbox: "iotdeck-check-sandbox" };
  try {
    for (const [target, tag] of Object.entries(names)) docker("build", "--target", target, "--tag", tag, folder);
    docker("run", "--rm", "--init", "--network", "none", names.test);
    docker("run", "--detach", "--init", "--name", names.sandbox, "--publish", "127.0.0.1::5410", names.sandbox);
    const token = () => variable(docker("logs", names.sandbox), "IOT_TOKEN");
    await waitFor(() => token() !== "", "the token in the logs");
    const address = docker("port", names.sandbox, "5410/tcp").split("\n")[0] ?? "";
    expect(await statusWith(`http://${address}`, token())).toBe(200);
    docker("exec", names.sandbox, ...wordsOf("sandbox", "HEALTHCHECK"));
    docker("stop", names.sandbox);
    expect(docker("inspect", "--format", "{{.State.ExitCode}}", names.sandbox)).toBe("143");
  } finally {
    if (docker("ps", "--all", "--quiet", "--filter", `name=^${names.sandbox}$`) !== "")
      docker("rm", "--force", "--volumes", names.sandbox);
  }
}

if (hasDocker()) {
  describe("the images", { timeout: 900_000 }, () => {
    it("are built and run by Docker", runImages);
  });
}
