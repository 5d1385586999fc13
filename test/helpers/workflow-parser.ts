import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "./ci-project.ts";
import { temporaryFolder } from "./cli.ts";

type Parser = typeof import("@actions/workflow-parser") & typeof import("@actions/workflow-parser/actions/index");

let loaded: Promise<Parser> | undefined;

/** GitHub's own parser. It is bundled first, because it imports JSON in a way that Node rejects. */
function workflowParser(): Promise<Parser> {
  loaded ??= bundled();
  return loaded;
}

async function bundled(): Promise<Parser> {
  const outfile = join(temporaryFolder(), "parser.mjs");
  await build({
    stdin: {
      contents: 'export * from "@actions/workflow-parser"; export * from "@actions/workflow-parser/actions/index";',
      resolveDir: root,
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return (await import(pathToFileURL(outfile).href)) as Parser;
}

/** Errors that GitHub would show for a workflow. */
export async function workflowErrors(content: string): Promise<string[]> {
  const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } = await workflowParser();
  const { context, value } = parseWorkflow({ name: "test.yml", content }, new NoOperationTraceWriter());
  const syntax = context.errors.getErrors().map(({ message }) => message);
  if (value === undefined || syntax.length > 0) return syntax;
  const { errors = [] } = await convertWorkflowTemplate(context, value);
  return errors.map(({ Message }) => Message);
}

/** Errors that GitHub would show for an action. */
export async function actionErrors(content: string): Promise<string[]> {
  const { parseAction, convertActionTemplate, NoOperationTraceWriter } = await workflowParser();
  const { context, value } = parseAction({ name: "action.yml", content }, new NoOperationTraceWriter());
  if (value !== undefined) convertActionTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}
