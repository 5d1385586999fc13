import { extname } from "node:path";
import { escapeJson } from "../../text/clean.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { writeWhole } from "../kit/files/files.ts";
import { checkNewFile } from "../kit/files/out-file.ts";
import { textDigest } from "../kit/state/digest.ts";
import { inRepository } from "./annotations.ts";
import type { CheckName, Finding } from "./finding.ts";

type Place = Pick<CommandContext, "cwd" | "env">;
type Format = (ctx: Place, findings: readonly Finding[], checks: readonly CheckName[], fallback: string) => string;

/** A report of code quality for GitLab. Fingerprints stay the same when lines move. */
const codeQuality: Format = (ctx, findings, _, fallback) => {
  const seen = new Map<string, number>();
  const issues = findings.map(({ check, rule, severity, file, line, message }) => {
    const path = file === null ? fallback : inRepository(ctx, file);
    const key = JSON.stringify([check, rule, path, message]);
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return {
      description: message,
      check_name: `${check}.${rule}`,
      fingerprint: textDigest(count === 0 ? key : `${count} ${key}`),
      severity: severity === "error" ? "major" : "minor",
      location: { path, lines: { begin: line ?? 1 } },
    };
  });
  return `${escapeJson(JSON.stringify(issues, null, 2))}\n`;
};

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text in XML; what XML 1.0 cannot hold at all becomes U+FFFD. */
const xml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"]/g, (char) => entities[char] ?? char);

function testCase(ctx: Place, { check, rule, file, line, message, next }: Finding): string {
  const path = file === null ? "" : inRepository(ctx, file);
  const place = path === "" ? "" : `${path}${line === null ? "" : `:${line}`}: `;
  const at = path === "" ? "" : ` file="${xml(path)}"${line === null ? "" : ` line="${line}"`}`;
  return [
    `    <testcase classname="iot check ${check}" name="${xml(place + message)}"${at}>`,
    `      <failure type="${rule}" message="${xml(message)}">${xml(next ?? message)}</failure>`,
    "    </testcase>",
  ].join("\n");
}

/** A suite per check, and a test per finding; a check without any is one test that passed. */
const junit: Format = (ctx, findings, checks) => {
  const suites = checks.map((check) => {
    const own = findings.filter((found) => found.check === check);
    const cases =
      own.length === 0
        ? [`    <testcase classname="iot check ${check}" name="${check}"/>`]
        : own.map((found) => testCase(ctx, found));
    const counts = `tests="${cases.length}" failures="${own.length}"`;
    return [`  <testsuite name="${check}" ${counts}>`, ...cases, "  </testsuite>"].join("\n");
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="iot check">',
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
};

const formats: Readonly<Record<string, Format>> = { ".json": codeQuality, ".xml": junit };

/** A report to write once the findings are known. */
export interface Report {
  readonly isCodeQuality: boolean;
  write(findings: readonly Finding[], checks: readonly CheckName[]): void;
}

/** Checks the files of `--report` before anything is done for them. */
export function openReports(ctx: CommandContext, files: readonly string[]): readonly Report[] {
  return files.map((file) => {
    const ending = extname(file).toLowerCase();
    const format = formats[ending];
    if (format === undefined) {
      throw usageError(`Unknown report format of ${quote(file)}.`, {
        code: "usage.invalid_value",
        next: "Use a name that ends with .json (GitLab code quality) or .xml (JUnit).",
      });
    }
    const path = ctx.path(file);
    checkNewFile(ctx, path);
    return {
      isCodeQuality: ending === ".json",
      write(findings, checks) {
        // GitLab shows no finding without a file.
        const fallback = inRepository(ctx, ctx.user.project?.path ?? "iot.config.json");
        writeWhole(path, format(ctx, findings, checks, fallback), { file: 0o644, folder: 0o755 });
        ctx.say.info(`Wrote the report ${file}.`, file);
      },
    };
  });
}
