import type { Readable, Writable } from "node:stream";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";

/** A tool as the protocol describes it. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [member: string]: unknown };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export interface ServeOptions {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly ToolDescription[];
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the server. */
  readonly signal: AbortSignal;
  /** Undefined for a tool there is not. */
  call(
    name: string,
    input: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly isError: boolean; readonly texts: readonly string[] } | undefined>;
  /** Told of messages that are none. */
  failed(error: Error): void;
}

/** Calls that are worked on at a time; others wait. */
const LANES = 4;

function lanes(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}

/** Serves tools over a pair of streams, until the input ends or the signal comes. Calls that run then are answered. */
export async function serve(options: ServeOptions): Promise<void> {
  const { name, version, instructions, tools, input, output, signal } = options;
  const server = new Server({ name, version }, { capabilities: { tools: {} }, instructions });
  const inLane = lanes(LANES);
  const running = new Set<Promise<unknown>>();

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map((tool) => ({ ...tool })) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const work = inLane(() => options.call(params.name, params.arguments, extra.signal));
    running.add(work);
    try {
      const answer = await work;
      if (answer === undefined)
        throw new McpError(ErrorCode.InvalidParams, `Unknown tool ${JSON.stringify(params.name)}`);
      const { isError, texts } = answer;
      return { isError, content: texts.map((text) => ({ type: "text" as const, text })) };
    } finally {
      running.delete(work);
    }
  });
  server.onerror = options.failed;

  const ended = new Promise<void>((resolve) => {
    input.once("end", resolve);
    input.once("close", resolve);
    // Whoever asked is gone.
    output.once("error", () => resolve());
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport(input, output));
  await ended;
  while (running.size > 0) await Promise.allSettled(running);
  // The answer of the last call is written a few steps after the call ended.
  await new Promise((resolve) => setImmediate(resolve));
  await server.close();
  if (!output.destroyed) await new Promise<void>((resolve) => output.end(resolve));
}
