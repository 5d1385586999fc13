import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CommandContext } from "../kit/context.ts";
import { writeWhole } from "../kit/files/files.ts";

const steps = ["npm ci", "npx --no iot sandbox exec -- npm test"];

const github = `# Runs the tests of the project against a temporary sandbox. It needs iotdeck in the devDependencies and package-lock.json.
name: test

on:
  push:
  pull_request:

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v6
        with:
          persist-credentials: false
      - uses: actions/setup-node@v6
        with:
          node-version: 22
          cache: npm
${steps.map((step) => `      - run: ${step}\n`).join("")}`;

const gitlab = `# Runs the tests of the project against a temporary sandbox. It needs iotdeck in the devDependencies and package-lock.json.
test:
  image: node:22-slim
  timeout: 10 minutes
  script:
${steps.map((step) => `    - ${step}\n`).join("")}`;

export const ciServices = ["github", "gitlab"] as const;
export type CiService = (typeof ciServices)[number];

const files: Readonly<Record<CiService, { readonly path: string; readonly text: string }>> = {
  github: { path: join(".github", "workflows", "iot.yml"), text: github },
  gitlab: { path: ".gitlab-ci.yml", text: gitlab },
};

/** Writes the file of a CI service. One that is there is the user's own. */
export function writeCiFile(ctx: CommandContext, service: CiService): void {
  const { path, text } = files[service];
  const whole = join(ctx.cwd, path);
  if (existsSync(whole)) {
    ctx.say.warning(`${path} already exists, and was not changed.`);
    return;
  }
  writeWhole(whole, text, { file: 0o644, folder: 0o755 });
  ctx.say.info(`Wrote ${path}.`);
}
