import type { TipRecordInput } from "../../../lib/tip/index.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import type { DeviceWriter } from "../devices/writer.ts";
import { usageError } from "../failures/command-error.ts";
import { openAs, senderOf, TRANSPORTS } from "./connect.ts";
import { tipFailure } from "./failures.ts";

/** Variables of one frame. */
const MOST_AT_ONCE = 100;

/** The transport of `tip` or `tip:udp`. */
function transportOf(text: string): (typeof TRANSPORTS)[number] {
  const found = TRANSPORTS.find((over) => text === `tip:${over}` || (text === "tip" && over === "http"));
  if (found !== undefined) return found;
  throw usageError(`Invalid --over ${quote(text)}.`, { next: `Use tip, or tip:${TRANSPORTS.join(", tip:")}.` });
}

/** Writes as the device does, by TagoTiP. What the protocol cannot carry is left out. */
export async function tipWriter(ctx: CommandContext, id: string, text: string): Promise<DeviceWriter> {
  const sender = await senderOf(ctx, { args: { id }, options: { hash: undefined, authorization: undefined } });
  const { client } = await openAs(ctx, sender, { over: transportOf(text) });
  const { fromRecords } = await import("../../../lib/tip/index.ts");
  return {
    async send(records) {
      const variables = fromRecords(records as readonly TipRecordInput[]);
      try {
        for (let at = 0; at < variables.length; at += MOST_AT_ONCE)
          await client.push(variables.slice(at, at + MOST_AT_ONCE));
      } catch (error) {
        throw tipFailure(error);
      }
      return `${variables.length} Data Added`;
    },
    edit: async () => {
      throw usageError("TagoTiP edits no records.");
    },
    close: () => client.close(),
  };
}
