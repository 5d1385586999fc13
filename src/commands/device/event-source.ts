import type { CommandContext } from "../kit/context.ts";
import type { DataRow } from "./data-read.ts";

interface Wanted {
  /** Devices to watch: id and name. */
  readonly names: ReadonlyMap<string, string>;
  /** Empty: all. */
  readonly variables: readonly string[];
  readonly count: number;
  readonly forMs: number | undefined;
}

export interface EventSourceRows {
  readonly rows: AsyncIterable<DataRow>;
  /** Times the connection was lost and found again. */
  gaps(): number;
}

/** Records of the devices as the event stream brings them; what happens to the connection is said on stderr. */
export async function eventSource(ctx: CommandContext, wanted: Wanted): Promise<EventSourceRows> {
  const connection = await ctx.connection();
  const { openEventStream } = await ctx.library();
  let gapCount = 0;

  async function* rows(): AsyncGenerator<DataRow> {
    const stream = openEventStream({
      ...ctx.clientOptions(),
      channels: [...wanted.names.keys()].map((id) => ({ channel: "device_data" as const, resource_id: id })),
      token: connection.token,
      region: { api: connection.api, sse: connection.events },
    });
    const timer = wanted.forMs === undefined ? undefined : setTimeout(() => stream.close(), wanted.forMs);
    const names = [...wanted.names.values()].map((name) => `"${name}"`).join(", ");
    let isFirst = true;
    let left = wanted.count;
    try {
      for await (const item of stream) {
        if (item.type === "open" && isFirst) {
          ctx.say.info(`Watching ${names} in ${connection.label}. Ctrl-C stops.`);
          isFirst = false;
        }
        if (item.type === "retry")
          ctx.say.warning(`No connection (${item.error.message}); next try in ${(item.delayMs / 1000).toFixed(0)} s.`);
        if (item.type === "gap") {
          gapCount += 1;
          ctx.say.info("Connected again; records in between may be missing.");
        }
        if (item.type !== "message") continue;
        for (const row of recordsOf(item.payload)) {
          if (!isWanted(row, wanted)) continue;
          yield row;
          left -= 1;
          if (left === 0) return;
        }
      }
    } finally {
      clearTimeout(timer);
      stream.close();
    }
  }

  return { rows: rows(), gaps: () => gapCount };
}

/** The platform sends a list of records; anything else is skipped, it is not for us. */
function recordsOf(payload: unknown): DataRow[] {
  const list: readonly unknown[] = Array.isArray(payload) ? payload : [payload];
  return list.filter((row): row is DataRow => typeof row === "object" && row !== null && "variable" in row);
}

function isWanted(row: DataRow, { variables, names }: Wanted): boolean {
  const isDevice = row.device === undefined || names.has(row.device);
  return (
    isDevice && (variables.length === 0 || variables.some((name) => name.toLowerCase() === row.variable?.toLowerCase()))
  );
}
