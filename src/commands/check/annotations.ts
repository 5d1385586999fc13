import { relative, resolve, sep } from "node:path";
import type { CommandContext } from "../kit/context.ts";
import type { Finding } from "./finding.ts";

export const annotationNames = ["auto", "github", "gitlab", "azure", "none"] as const;
type Named = (typeof annotationNames)[number];
/** A CI system that shows findings where they are. GitLab reads a report file, the others lines of the log. */
export type Annotations = Exclude<Named, "auto">;

type Environment = CommandContext["env"];

const isOn = (value: string | undefined): boolean => value?.toLowerCase() === "true";

/** The CI system that was named, else the one this runs in. */
export function annotationsOf(named: string | undefined, env: Environment): Annotations {
  if (named === "github" || named === "gitlab" || named === "azure" || named === "none") return named;
  if (isOn(env["GITHUB_ACTIONS"])) return "github";
  if (isOn(env["GITLAB_CI"])) return "gitlab";
  return isOn(env["TF_BUILD"]) ? "azure" : "none";
}

const rootVariables = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY"];

/** A file as CI systems name it: from the root of the repository, where the job says which that is. */
export function inRepository({ cwd, env }: Pick<CommandContext, "cwd" | "env">, file: string): string {
  const root = rootVariables.map((name) => env[name]).find((value) => value !== undefined && value !== "") ?? cwd;
  const path = relative(root, resolve(cwd, file));
  return (path.startsWith("..") ? file : path).split(sep).join("/");
}

/** A text in which each of some characters is written another way. */
const escaped = (codes: Readonly<Record<string, string>>) => (text: string) =>
  [...text].map((char) => codes[char] ?? char).join("");

const githubData = escaped({ "%": "%25", "\r": "%0D", "\n": "%0A" });
const githubProperty = escaped({ "%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C" });
const azureData = escaped({ "%": "%AZP25", "\r": "%0D", "\n": "%0A" });
const azureProperty = escaped({ "%": "%AZP25", "\r": "%0D", "\n": "%0A", "]": "%5D", ";": "%3B" });

const textOf = ({ message, next }: Finding): string => (next === null ? message : `${message} ${next}`);

/** Properties that have a value. */
function given(properties: Readonly<Record<string, string | number | null>>): [string, string][] {
  return Object.entries(properties).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
}

function github(found: Finding, file: string | null): string {
  const properties = given({ file, line: file === null ? null : found.line, title: `iot check ${found.check}` });
  const list = properties.map(([name, value]) => `${name}=${githubProperty(value)}`).join(",");
  return `::${found.severity} ${list}::${githubData(textOf(found))}`;
}

function azure(found: Finding, file: string | null): string {
  const code = `${found.check}.${found.rule}`;
  const properties = given({ type: found.severity, sourcepath: file, linenumber: found.line, code });
  const list = properties.map(([name, value]) => `${name}=${azureProperty(value)};`).join("");
  return `##vso[task.logissue ${list}]${azureData(textOf(found))}`;
}

/** Lines that report findings to a CI system. */
export function annotationLines(
  ctx: Pick<CommandContext, "cwd" | "env">,
  system: Annotations,
  findings: readonly Finding[],
): readonly string[] {
  if (system !== "github" && system !== "azure") return [];
  const line = system === "github" ? github : azure;
  return findings.map((found) => line(found, found.file === null ? null : inRepository(ctx, found.file)));
}
