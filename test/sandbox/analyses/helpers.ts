import type { Sandbox } from "../../../src/sandbox/index.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { ok } from "../client.ts";

export interface NewAnalysis {
  readonly id: string;
  readonly token: string;
}

export interface AnalysisRecord {
  readonly id: string;
  readonly token: string;
  readonly console: string[];
  readonly run_on: string;
  readonly version?: number;
  readonly last_run: string | null;
  readonly [member: string]: unknown;
}

/** Creates an analysis over HTTP; with a source, as one that the sandbox runs. */
export async function newAnalysis(
  sandbox: Sandbox,
  members: Readonly<Record<string, unknown>> = {},
  source?: string,
): Promise<NewAnalysis> {
  const token = sandbox.tokens.profile;
  const made = await ok<NewAnalysis>(sandbox, "POST", "/analysis", { token, body: { name: "Test", ...members } });
  if (source !== undefined) await upload(sandbox, made.id, source);
  return made;
}

export function upload(
  sandbox: Sandbox,
  id: string,
  source: string,
  name = "script.js",
  language = "node-rt2025",
): Promise<unknown> {
  const body = { file: Buffer.from(source).toString("base64"), file_name: name, language };
  return ok(sandbox, "POST", `/analysis/${id}/upload`, { token: sandbox.tokens.profile, body });
}

export function analysisOf(sandbox: Sandbox, id: string): Promise<AnalysisRecord> {
  return ok(sandbox, "GET", `/analysis/${id}`, { token: sandbox.tokens.profile });
}

export function run(sandbox: Sandbox, id: string, scope?: unknown): Promise<{ analysis_token: string }> {
  return ok(sandbox, "POST", `/analysis/${id}/run`, { token: sandbox.tokens.profile, body: { scope } });
}

/** The console, once it fits. */
export async function consoleOf(
  sandbox: Sandbox,
  id: string,
  fits: (lines: readonly string[]) => boolean,
  what: string,
): Promise<string[]> {
  return until(async () => (await analysisOf(sandbox, id)).console, fits, what);
}

/** Asks again and again until the answer fits. */
export async function until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean, what: string): Promise<T> {
  let answer = await ask();
  await waitFor(async () => {
    if (fits(answer)) return true;
    answer = await ask();
    return fits(answer);
  }, what);
  return answer;
}

/** Lines of a run that came to its end. */
export const ranToEnd = (lines: readonly string[]): boolean =>
  lines.some((line) => /^(Analysis ended|Analysis failed|The analysis was)/.test(line));
