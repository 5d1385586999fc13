import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { cipherOption } from "../kit/tip/connect.ts";
import { tipFailure } from "../kit/tip/failures.ts";

interface Hashes {
  readonly hash: string;
  readonly device_hash?: string;
  readonly key?: string;
}

const columns: readonly Column<Hashes>[] = [{ key: "hash" }, { key: "device_hash" }, { key: "key", kind: "secret" }];

const options = [
  { name: "authorization-stdin", summary: "read the authorization from stdin (default: IOT_TIP_AUTHORIZATION)" },
  { name: "key", summary: "derive the key of the device as well; --reveal shows it" },
  { ...cipherOption, summary: "cipher that the key is for (aes-128-ccm)", needs: ["key"] },
] as const satisfies Options;

export const hash = defineCommand({
  path: ["hash"],
  asks: "nothing",
  result: one(columns),
  effect: "local",
  summary: "Compute hashes and keys of TagoTiP",
  details: "The authorization never stands in the arguments, where other users of the machine could see it.",
  args: [{ name: "serial", summary: "serial number of a device, for its hash" }],
  options,
  examples: [
    "iot tip hash sensor-01",
    "echo ate2bd319014b24e0a8aca9f00aea4c0d0 | iot tip hash sensor-01 --authorization-stdin --key --reveal",
  ],
  related: ["iot tip send", "iot service-auth list"],
  async run(ctx, input) {
    const { authorizationStdin: isPiped, key: withKey, cipher } = input.options;
    const { serial } = input.args;
    const text = isPiped ? await ctx.readInput("-", "--authorization-stdin") : ctx.env["IOT_TIP_AUTHORIZATION"];
    const token = (text ?? "").trim();
    rememberSecret(token);
    if (token === "")
      throw usageError("No authorization given.", {
        next: "Set IOT_TIP_AUTHORIZATION, or pipe it in with --authorization-stdin.",
      });
    if (withKey && serial === undefined)
      throw usageError("--key needs the serial number of the device.", {
        next: "Add it: iot tip hash sensor-01 --key.",
      });
    const { authHash, deriveKey, deviceHash } = await import("../../lib/tip/index.ts");
    try {
      const key =
        withKey && serial !== undefined ? Buffer.from(deriveKey(token, serial, cipher)).toString("hex") : undefined;
      const row = {
        hash: authHash(token),
        ...(serial !== undefined && { device_hash: deviceHash(serial) }),
        ...(key !== undefined && { key }),
      };
      await ctx.out.item(row, { columns, idKey: "hash" });
    } catch (error) {
      throw tipFailure(error);
    }
  },
});
