import { defined } from "../../../lib/core/defined.ts";
import type { TransportError } from "../../../lib/http/transport.ts";
import type { CommandContext } from "../context.ts";
import { CommandError, notFoundError } from "../failures/command-error.ts";

const TIMEOUT_MS = 120_000;
/** As for every response. */
const MAX_SCRIPT_BYTES = 256 * 1024 * 1024;

/** The script the platform holds, as it was uploaded. The link it is read from needs no token, and gets none. */
export async function readScript(ctx: CommandContext, analysisId: string, version?: string): Promise<Buffer> {
  const client = await ctx.client();
  const { url } = await client.analysis.downloadScript(analysisId, defined({ version }));
  if (!/^https?:\/\//.test(url)) throw refused("the link is not a web URL");
  const { chooseTransport } = await import("../../../lib/http/choose-transport.ts");
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
    throw isTransportError(error) ? noAnswer(new URL(url).origin, error) : error;
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
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_SCRIPT_BYTES });
  } catch (error) {
    throw refused(`its gzip content cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isTransportError(error: unknown): error is TransportError {
  return error instanceof Error && error.name === "TransportError";
}

function refused(why: string): Error {
  return new CommandError("The script could not be downloaded.", {
    code: "platform.refused",
    exit: 1,
    why: `The platform returned a download link, but ${why}.`,
    next: "Try again; the link is valid only for a short time.",
  });
}

function noAnswer(origin: string, cause: TransportError): Error {
  if (cause.reply !== undefined) return refused(`the response of ${origin} cannot be used: ${cause.message}`);
  return new CommandError(`No response from ${origin}, where the script is stored.`, {
    code: "network.failed",
    exit: 10,
    why: cause.message,
    next: 'Check the network and the proxy; run "iot doctor" for details.',
    cause,
  });
}
