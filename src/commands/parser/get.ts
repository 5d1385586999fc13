import { cleanText } from "../../text/clean.ts";
import { countOf } from "../../text/count.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { writeWhole } from "../kit/files/files.ts";
import { confirmOutFile } from "../kit/files/out-file.ts";
import { needOwner, ownerOptions, parserOf } from "./stored.ts";

export const getParser: Command = defineCommand({
  path: ["get"],
  effect: "local",
  summary: "Print or save the payload parser of a device or connector",
  details: "A device without a parser of its own has that of its connector.",
  options: [...ownerOptions, { name: "out", file: "out", value: "file", summary: "file to write to; - is stdout" }],
  groups: ["confirm"],
  result: { shape: "text" },
  examples: [
    'iot parser get --connector "name:Plant meter"',
    'iot parser get --connector "name:Plant meter" --out meter.js --yes',
  ],
  exitCodes: [6],
  related: ["iot parser set", "iot parser run"],
  async run(ctx, input) {
    const { title, source } = await parserOf(ctx, await needOwner(ctx, input));
    const place = input.options.out ?? "-";
    if (place === "-")
      return ctx.out.raw(ctx.io.stdoutIsTerminal ? cleanText(source, Number.MAX_SAFE_INTEGER) : source);
    const path = ctx.path(place);
    await confirmOutFile(ctx, path);
    writeWhole(path, source, { file: 0o644, folder: 0o755 });
    ctx.say.info(`Wrote the parser of ${title} to ${place} (${countOf(Buffer.byteLength(source), "byte")}).`, place);
  },
});
