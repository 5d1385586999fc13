import { basename } from "node:path";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { value } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { readTextIfThere, writeWhole } from "../kit/files/files.ts";
import { checkNewFile, refuseFolder } from "../kit/files/out-file.ts";
import { modelOptions, readModel } from "../kit/generate/chosen-model.ts";
import { modelText, stateOf } from "../kit/generate/current.ts";
import { schemaMark } from "../kit/generate/json-schema.ts";
import { typescriptMark } from "../kit/generate/typescript.ts";

const isOurs = (text: string): boolean => text.startsWith(typescriptMark) || text.includes(JSON.stringify(schemaMark));

async function compare(ctx: CommandContext, path: string, text: string): Promise<number> {
  const state = stateOf(path, text);
  await ctx.out.item({ file: path, state }, { columns: [{ key: "file" }, { key: "state" }], idKey: "file" });
  if (state === "fresh") return 0;
  ctx.say.warning(`${path} ${state === "missing" ? "does not exist" : "is out of date"}.`);
  ctx.say.hint("Run the same command without --check to update it.");
  return 11;
}

const options = [
  { name: "out", file: "out", value: "file", summary: "file to write (stdout)" },
  { name: "check", summary: "write nothing; exit 11 if the --out file is out of date", needs: ["out"] },
  ...modelOptions,
] as const satisfies Options;

type Given = Input<[], typeof options>;

async function generate(ctx: CommandContext, input: Given): Promise<number> {
  const out = input.options.out;
  const isCheck = input.options.check;
  const isPrinted = out === undefined || out === "-";
  if (isCheck && isPrinted) throw usageError("--check needs --out.", { next: "Add --out <file>." });
  const path = isPrinted ? "" : ctx.path(out);
  if (isCheck) refuseFolder(ctx, path);
  else if (!isPrinted) checkNewFile(ctx, path);

  const model = await readModel(ctx, input.options);
  const text = modelText(input.options, model);
  if (isPrinted) {
    await ctx.out.raw(text);
    return 0;
  }
  if (isCheck) return compare(ctx, path, text);
  const known = readTextIfThere(path);
  if (known !== undefined && known.trim() !== "" && !isOurs(known))
    await ctx.confirm({ level: 1, action: `Overwrite ${path}`, where: "on this machine", name: basename(path) });
  if (known !== text) writeWhole(path, text, { file: 0o644, folder: 0o755 });
  const { entities, devices, dictionaries } = model;
  const counts = { entities: entities.length, devices: devices.length, dictionaries: dictionaries.length };
  await ctx.out.item(
    { file: path, state: known === text ? "fresh" : "written", ...counts },
    {
      columns: [
        { key: "file" },
        { key: "state" },
        { key: "entities", kind: "number" },
        { key: "devices", kind: "number" },
        { key: "dictionaries", kind: "number" },
      ],
      idKey: "file",
    },
  );
  ctx.say.info(known === text ? `${path} is up to date.` : `Wrote ${path}.`, path);
  return 0;
}

export const commands: readonly Command[] = [
  defineCommand({
    path: ["types"],
    summary: "Generate types for entities, devices and dictionaries",
    details:
      "Prints TypeScript, or one JSON Schema document, with the rows of every entity, the keys of every dictionary and the " +
      "variables of the given devices. Variables are found in the newest and the oldest record of each, which count as data " +
      "read. The same data always produces the same output.\n\n" +
      "--check compares a file with the generated output, and exits with 11 if it differs.",
    options,
    groups: ["confirm"],
    effect: "local",
    result: value({
      anyOf: [
        { type: "string", description: "The generated text, without --out." },
        {
          type: "object",
          required: ["file", "state"],
          properties: {
            file: { type: "string" },
            state: { enum: ["written", "fresh", "stale", "missing"] },
            entities: { type: "integer" },
            devices: { type: "integer" },
            dictionaries: { type: "integer" },
          },
        },
      ],
    }),
    examples: [
      'iot generate types --device "name:Freezer 1"',
      "iot generate types --out platform-types.ts",
      "iot generate types --out platform-types.ts --check",
      "iot generate types --format json-schema --no-dictionaries --out platform-types.json",
    ],
    exitCodes: { only: [3, 4, 5, 6, 10, 11] },
    related: ["iot entity schema", "iot dictionary list", "iot device data list"],
    run: generate,
  }),
];
