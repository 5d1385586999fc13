import { type Command, defineCommand } from "../kit/command/define.ts";
import { value } from "../kit/command/result.ts";
import { fileOnly } from "./paths.ts";
import { noSuchFile, remoteFiles } from "./remote.ts";

export const fileUrl: Command = defineCommand({
  path: ["url"],
  effect: "reads",
  summary: "Print the URL of a file",
  details:
    "A public file has a permanent URL. For a private file a signed URL is printed: anyone who has it can read the file for " +
    "a short time, which the platform sets.",
  args: [{ name: "path", summary: "path in the profile", required: true }],
  options: [
    { name: "signed", summary: "print a signed URL for a public file, too" },
    { name: "plain", summary: "print the permanent URL even if it needs a token", conflicts: ["signed"] },
  ],
  result: value({ type: "string", format: "uri" }),
  examples: ["iot file url logos/plant.svg", "iot file url reports/2024/january.csv"],
  exitCodes: [6],
  related: ["iot file permission", "iot file download"],
  async run(ctx, { args, options: { signed, plain } }) {
    const path = fileOnly(args.path);
    const remote = await remoteFiles(ctx);
    const isPublic = await remote.isPublic(path);
    if (isPublic === undefined) throw await noSuchFile(ctx, path);
    if (plain || (isPublic && !signed)) return ctx.out.value(remote.address(path));
    await ctx.out.value(await remote.signedAddress(path));
    ctx.say.hint("Anyone with this URL can read the file until it expires.");
  },
});
