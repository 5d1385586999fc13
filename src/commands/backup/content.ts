import type { AccountCredentials } from "../kit/ask/account-credentials.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import type { chosenProfile } from "../kit/finders/profile.ts";
import { request } from "./platform.ts";

/** The link to the content of a backup. It needs no token. */
async function linkOf(
  ctx: CommandContext,
  profile: Awaited<ReturnType<typeof chosenProfile>>,
  id: string,
  body: AccountCredentials,
): Promise<string> {
  const found = await request(ctx, profile, "POST", { path: `/${id}/download`, body });
  const url = isObject(found) ? found["url"] : found;
  if (typeof url === "string" && /^https?:\/\//.test(url)) return url;
  throw new CommandError(`The platform returned no download URL for backup ${id}.`, {
    code: "platform.invalid_reply",
    exit: 1,
    why: `The response to POST /profile/${profile.id}/backup/${id}/download contains none.`,
    next: "Try again later.",
  });
}

/** The content of a backup, in memory. */
export async function backupContent(
  ctx: CommandContext,
  profile: Awaited<ReturnType<typeof chosenProfile>>,
  id: string,
  credentials: AccountCredentials,
): Promise<Buffer> {
  const { fetchBytes } = await import("../kit/files/fetch-bytes.ts");
  let parts: Buffer[] = [];
  let size = 0;
  await fetchBytes(ctx, {
    address: () => linkOf(ctx, profile, id, credentials),
    sink: {
      get size() {
        return size;
      },
      async write(bytes) {
        parts.push(Buffer.from(bytes));
        size += bytes.length;
      },
      async restart() {
        parts = [];
        size = 0;
      },
    },
  });
  return Buffer.concat(parts);
}
