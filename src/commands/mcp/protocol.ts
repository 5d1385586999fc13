import type { Readable, Writable } from "node:stream";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { toFailure } from "../kit/failures/failures.ts";

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

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

/** What is served as resources. Errors become errors of the protocol. */
export interface ResourceServer {
  readonly templates: readonly (Omit<ListedResource, "uri"> & { readonly uriTemplate: string })[];
  list(
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly resources: readonly ListedResource[]; readonly nextCursor?: string }>;
  read(
    uri: string,
    signal: AbortSignal,
  ): Promise<{ readonly uri: string; readonly mimeType: string; readonly text: string }>;
}

export interface ServeOptions {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly ToolDescription[];
  readonly resources?: ResourceServer;
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
  /** Called with protocol errors. */
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

/** The specification's code for a resource there is not. */
const RESOURCE_NOT_FOUND = -32002;

/** An error of a command as one of the protocol. */
function protocolError(error: unknown): McpError {
  const { message, code, exit } = toFailure(error);
  const number = exit === 6 ? RESOURCE_NOT_FOUND : exit === 2 ? ErrorCode.InvalidParams : ErrorCode.InternalError;
  return new McpError(number, message, { code });
}

function serveResources(server: Server, resources: ResourceServer, track: Track): void {
  const answer = <T>(work: () => Promise<T>): Promise<T> =>
    track(() =>
      work().catch((error: unknown) => {
        throw protocolError(error);
      }),
    );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: resources.templates.map((template) => ({ ...template })),
  }));
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, { signal }) =>
    answer(async () => {
      const { resources: found, ...more } = await resources.list(params?.cursor, signal);
      return { resources: found.map((one) => ({ ...one })), ...more };
    }),
  );
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
    answer(async () => ({ contents: [{ ...(await resources.read(params.uri, signal)) }] })),
  );
}

/** Does work in a lane; the server waits for it at its end. */
type Track = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Serves tools over a pair of streams, until the input ends or the signal comes. Running calls still get a response.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { name, version, instructions, tools, input, output, signal } = options;
  const server = new Server(
    { name, version },
    {
      capabilities: { tools: {}, ...(options.resources === undefined ? {} : { resources: {} }) },
      instructions,
    },
  );
  const inLane = lanes(LANES);
  const running = new Set<Promise<unknown>>();
  const track: Track = async (work) => {
    const one = inLane(work);
    running.add(one);
    try {
      return await one;
    } finally {
      running.delete(one);
    }
  };

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map((tool) => ({ ...tool })) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const answer = await track(() => options.call(params.name, params.arguments, extra.signal));
    if (answer === undefined)
      throw new McpError(ErrorCode.InvalidParams, `Unknown tool ${JSON.stringify(params.name)}`);
    const { isError, texts } = answer;
    return { isError, content: texts.map((text) => ({ type: "text" as const, text })) };
  });
  if (options.resources !== undefined) serveResources(server, options.resources, track);
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
  // The response to the last call is written a few steps after the call ended.
  await new Promise((resolve) => setImmediate(resolve));
  await server.close();
  if (!output.destroyed) await new Promise<void>((resolve) => output.end(resolve));
}
