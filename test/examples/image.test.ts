import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VERSION } from "../../src/index.ts";
import { root } from "../helpers/ci-project.ts";
import { cliEnvironment, temporaryFolder } from "../helpers/cli.ts";
import { docker, hasDocker } from "../helpers/docker-project.ts";
import { dockerfileProblems, execForm, lastOf, stagesOf } from "../helpers/dockerfile.ts";
import { localRegistry, npmFrom, packFolder } from "../helpers/registry.ts";
import { shell } from "../helpers/shell.ts";
import type { SmallServer } from "../helpers/small-server.ts";

const text = readFileSync(join(root, "Dockerfile"), "utf8");
const [stage = { name: "", image: "", instructions: [] }, ...otherStages] = stagesOf(text);
const [program = ""] = execForm(lastOf(stage, "ENTRYPOINT") ?? "") ?? [];

describe("the Dockerfile of the program", () => {
  it("has no problem that a linter or our rules find, and runs the program", () => {
    expect(dockerfileProblems(text)).toEqual([]);
    expect(otherStages).toEqual([]);
    expect([program, execForm(lastOf(stage, "CMD") ?? "")]).toEqual(["iot", ["--help"]]);
  });

  it.each([
    ["node:22-slim", "node", "node has no version"],
    ["USER node\n", "", "runs as root"],
    ['ENTRYPOINT ["iot"]', "ENTRYPOINT iot", "in shell form"],
    ["EXPOSE 5410", "EXPOSE sandbox", "Invalid containerPort"],
    ["VOLUME", "VOLUMES", "Unknown instruction"],
  ])("would be rejected with %s replaced by %s", (right, wrong, problem) => {
    expect(text).toContain(right);
    expect(dockerfileProblems(text.replace(right, wrong)).join("; ")).toContain(problem);
  });

  it("gets the packed package, and nothing else of the folder", () => {
    expect(readFileSync(join(root, ".dockerignore"), "utf8")).toBe("*\n!iotdeck-*.tgz\n");
    expect(stage.instructions.filter(({ name }) => name === "COPY").map(({ text: copied }) => copied)).toEqual([
      "iotdeck-*.tgz /tmp/package/",
    ]);
  });
});

describe("what the image holds", () => {
  let registry: SmallServer;
  beforeAll(async () => {
    registry = await localRegistry();
  });
  afterAll(() => registry.close());

  it("runs commands, and a sandbox whose data stays in a folder", async () => {
    const [folder, prefix, data] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    packFolder(root, folder);
    const own = { npm_config_prefix: prefix, IOT_CONFIG_DIR: temporaryFolder(), NO_COLOR: "1" };
    const path = [join(prefix, "bin"), dirname(process.execPath), process.env["PATH"]].join(":");
    const env = cliEnvironment({ ...npmFrom(registry), ...own, PATH: path });
    const run = (line: string) => shell(line, { cwd: data, env });
    const install = stage.instructions.find(({ text: line }) => line.startsWith("npm install"))?.text ?? "exit 1";
    expect(await run(install.replaceAll("/tmp/package", folder))).toMatchObject({ code: 0 });
    expect(await run(`${program} --version`)).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: "" });
    const start = `eval "$(${program} sandbox start --detach --host 0.0.0.0 --port 0 --data-dir ${data})"`;
    const edit = "iot device edit 65a1000000000000000d0001 --name Renamed";
    expect(await run(`${start}; ${edit} && iot sandbox stop`)).toMatchObject({ code: 0 });
    const again = await run(`${start}; iot device list --output json; iot sandbox stop > stopped.txt`);
    expect(JSON.parse(again.stdout)).toContainEqual(expect.objectContaining({ name: "Renamed" }));
  });
});

/** Builds the image with Docker and runs it. */
async function runImage(): Promise<void> {
  const folder = temporaryFolder();
  packFolder(root, folder);
  const name = "iotdeck-check-program";
  docker("build", "--file", join(root, "Dockerfile"), "--tag", name, folder);
  expect(docker("run", "--rm", "--network", "none", name, "--version")).toBe(VERSION);
  expect(docker("run", "--rm", "--entrypoint", "id", name, "-un")).toBe("node");
  const listed = docker(
    "run",
    "--rm",
    "--network",
    "none",
    name,
    ..."sandbox exec -- iot device list --output ids".split(" "),
  );
  expect(listed).not.toBe("");
}

if (hasDocker()) {
  describe("the image", { timeout: 900_000 }, () => {
    it("is built and run by Docker", runImage);
  });
}
