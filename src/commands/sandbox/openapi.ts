import { existsSync } from "node:fs";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { either, value } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { isObject, type JsonObject, writeWhole } from "../kit/files/files.ts";
import { checkNewFile } from "../kit/files/out-file.ts";
import { DEFAULT_PORT, explainStart } from "./options.ts";
import { anyRuns, chosen, portOption, resultOf, unreachable } from "./place.ts";
import { type Inspected, isSuccess, jsonOf, requestSandbox } from "./request.ts";

const ANSWER_MS = 30_000;

async function read(source: Inspected): Promise<JsonObject> {
  const reply = await requestSandbox(source, "openapi.json", { timeoutMs: ANSWER_MS }).catch((error: unknown) => {
    throw unreachable(source, error);
  });
  const found = isSuccess(reply) ? await jsonOf(reply) : await resultOf(source, reply);
  if (!isObject(found)) throw unreachable(source, "It returned no JSON.");
  return found;
}

/** The document of a sandbox that is started for it alone. Its server is where `iot sandbox start` listens. */
async function readNew(): Promise<JsonObject> {
  const { createSandbox } = await import("../../sandbox/index.ts");
  const sandbox = await createSandbox({ ephemeral: true, seed: "empty", scripts: false }).catch((error: unknown) => {
    throw explainStart(error, 0);
  });
  try {
    return { ...(await read(sandbox)), servers: [{ url: `http://127.0.0.1:${DEFAULT_PORT}` }] };
  } finally {
    await sandbox.close();
  }
}

const options = [
  portOption,
  { name: "out", file: "out", value: "file", summary: "file to write; - is stdout (-)" },
] as const satisfies Options;

type Given = Input<[], typeof options>;

async function openapi(ctx: CommandContext, input: Given): Promise<void> {
  const isNew = input.options.port === undefined && !anyRuns(ctx);
  const out = input.options.out ?? "-";
  if (out === "-") return ctx.out.value(isNew ? await readNew() : await read(await chosen(ctx, input)));
  const path = ctx.path(out);
  checkNewFile(ctx, path);
  const running = isNew ? undefined : await chosen(ctx, input);
  if (existsSync(path)) {
    await ctx.confirm({ level: 1, action: `Replace the file ${out}`, where: "on this machine", name: out });
  }
  const document = running === undefined ? await readNew() : await read(running);
  writeWhole(path, `${JSON.stringify(document, undefined, 2)}\n`, { file: 0o644, folder: 0o755 });
  await ctx.out.value(path);
}

export const openapiCommand: Command = defineCommand({
  path: ["openapi"],
  asks: "nothing",
  result: either(value({ type: "object" }), value({ type: "string", description: "Path of the file (--out)." })),
  effect: "local",
  summary: "Print the API of the sandbox as an OpenAPI 3.1 document",
  details:
    "Generators make clients in any language from it (docs/openapi.md). Comes from the running sandbox, or from a temporary " +
    `one; its server is then http://127.0.0.1:${DEFAULT_PORT}, the default of iot sandbox start.`,
  options,
  groups: ["confirm"],
  examples: ["iot sandbox openapi --out openapi.json", "iot sandbox openapi > openapi.json"],
  exitCodes: { only: [6] },
  related: ["iot sandbox start", "iot sandbox gaps"],
  run: openapi,
});
