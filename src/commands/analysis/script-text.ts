import { defined } from "../../lib/core/defined.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, notFoundError } from "../kit/failures/command-error.ts";

const TIMEOUT_MS = 120_000;

/** The script the platform holds, as it was uploaded. The link it is read from needs no token, and gets none. */
export async function readScript(ctx: CommandContext, analysisId: string, version?: string): Promise<Buffer> {
  const client = await ctx.client();
  const { url } = await client.analysis.downloadScript(analysisId, defined({ version }));
  if (!/^https?:\/\//.test(url)) throw refused("the link is not a web URL");
  const { chooseTransport } = await import("../../lib/http/choose-transport.ts");
  const options = ctx.clientOptions();
  const transport = chooseTransport(options);
  const request = {
    method: "GET",
    url,
    headers: { "accept-encoding": "gzip, deflate, br" },
    timeoutMs: ctx.flags.timeoutMs ?? TIMEOUT_MS,
    signal: ctx.signal,
    bytesAsText: true,
  } as const;
  const reply = await transport.send(request).catch((error: unknown) => {
    throw error instanceof Error && error.name === "TransportError" ? noAnswer(new URL(url).origin, error) : error;
  });
  if (reply.status === 404) {
    throw notFoundError("Script not found.", {
      code: "analysis.script_not_found",
      why: `The file store returned ${reply.status}.`,
      next: 'Upload one with "iot analysis deploy".',
    });
  }
  if (reply.status !== 200) throw refused(`the file store returned ${reply.status}`);
  const bytes = Buffer.from(reply.text, "latin1");
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const { gunzipSync } = await import("node:zlib");
  return gunzipSync(bytes);
}

function refused(why: string): Error {
  return new CommandError("The script could not be downloaded.", {
    code: "platform.refused",
    exit: 1,
    why: `The platform returned a download link, but ${why}.`,
    next: "Try again; the link is valid only for a short time.",
  });
}

function noAnswer(origin: string, cause: Error): Error {
  return new CommandError(`No response from ${origin}, where the script is stored.`, {
    code: "network.failed",
    exit: 10,
    why: cause.message,
    next: 'Check the network and the proxy; run "iot doctor" for details.',
    cause,
  });
}
