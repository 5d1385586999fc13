import { join } from "node:path";
import type { NewFile } from "../kit/settings/project-package.ts";

const steps = ["npm ci", "npx --no iot sandbox exec -- npm test"];

const github = `# Runs the tests of the project against a temporary sandbox. It needs iotdeck in package.json, and package-lock.json.
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

const gitlab = `# Runs the tests of the project against a temporary sandbox. It needs iotdeck in package.json, and package-lock.json.
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

/** The file of a CI service, below the folder of the project. */
export const ciFile = (folder: string, service: CiService): NewFile => {
  const { path, text } = files[service];
  return { path: join(folder, path), text };
};
