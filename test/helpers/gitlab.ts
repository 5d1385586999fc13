import { parse } from "yaml";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string" && one !== "");

export interface GitlabJob {
  readonly image: string;
  readonly script: readonly string[];
  readonly versions: readonly string[];
  readonly artifacts: { readonly when: unknown; readonly paths: readonly string[]; readonly junit: unknown };
}

/** Keywords of a job that the example may use, from GitLab's reference of `.gitlab-ci.yml`. */
const keywords: Readonly<Record<string, readonly string[]>> = {
  job: ["artifacts", "before_script", "cache", "image", "needs", "parallel", "rules", "script", "stage", "timeout"],
  cache: ["key", "paths", "policy", "when"],
  key: ["files", "prefix"],
  artifacts: ["expire_in", "name", "paths", "reports", "when"],
  parallel: ["matrix"],
};

function unknownKeys(name: string, value: unknown): string[] {
  if (!isFields(value)) return [`${name} is not an object`];
  const known = keywords[name] ?? [];
  return Object.keys(value).flatMap((key) => (known.includes(key) ? [] : [`${name} has no ${key}`]));
}

/** What is wrong with the structure of a job. */
export function jobProblems(job: unknown): string[] {
  if (!isFields(job)) return ["the job is not an object"];
  const { artifacts, cache, parallel, script, image, timeout } = job;
  return [
    ...unknownKeys("job", job),
    ...unknownKeys("artifacts", artifacts),
    ...unknownKeys("cache", cache),
    ...(isFields(cache) ? unknownKeys("key", cache["key"]) : []),
    ...(isFields(cache) && isTexts(cache["paths"]) ? [] : ["cache has no paths"]),
    ...(parallel === undefined ? [] : unknownKeys("parallel", parallel)),
    ...(isTexts(script) ? [] : ["script is not a list of lines"]),
    ...(typeof image === "string" && /^node:(\d+|\$\{NODE_VERSION\})-slim$/.test(image)
      ? []
      : ["image has no version"]),
    ...(typeof timeout === "string" && /^\d+ minutes$/.test(timeout) ? [] : ["timeout is missing"]),
    ...(isFields(artifacts) && isTexts(artifacts["paths"]) ? [] : ["artifacts has no paths"]),
    ...(isFields(artifacts) && /^(on_failure|always)$/.test(String(artifacts["when"]))
      ? []
      : ["artifacts are lost when the job fails"]),
  ];
}

/** The job `test` of a pipeline. Throws when its structure is wrong. */
export function testJob(text: string): GitlabJob {
  const pipeline: unknown = parse(text);
  if (!isFields(pipeline)) throw new Error("The pipeline is not an object");
  const [name, ...others] = Object.keys(pipeline);
  const job = pipeline["test"];
  const problems = [...jobProblems(job), ...(name === "test" && others.length === 0 ? [] : ["other jobs than test"])];
  if (problems.length > 0 || !isFields(job)) throw new Error(problems.join("; "));
  const { image, script, artifacts, parallel } = job;
  const matrix = isFields(parallel) && Array.isArray(parallel["matrix"]) ? parallel["matrix"].filter(isFields) : [];
  const kept = isFields(artifacts) ? artifacts : {};
  return {
    image: String(image),
    script: isTexts(script) ? script : [],
    versions: matrix.flatMap(({ NODE_VERSION: versions }) => (isTexts(versions) ? versions : [])),
    artifacts: {
      when: kept["when"],
      paths: isTexts(kept["paths"]) ? kept["paths"] : [],
      junit: isFields(kept["reports"]) ? kept["reports"]["junit"] : undefined,
    },
  };
}
