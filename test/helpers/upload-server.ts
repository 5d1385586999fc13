/** A loopback server for uploads: it puts the parts together, and can go wrong at any step. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A request of an upload, read. */
interface UploadRequest {
  readonly step: string;
  /** Form fields, or members of the JSON body. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly filename?: string | undefined;
  readonly content?: Buffer | undefined;
  readonly path: string;
  readonly contentLength: string | undefined;
}

/** What the server does instead of the usual answer. */
type Fault = { readonly status: number; readonly message: string } | { readonly result: unknown } | "reset" | "hang";

export interface UploadServer {
  readonly url: string;
  readonly requests: readonly UploadRequest[];
  /** Requests that were given up by the client before they were answered. */
  readonly aborted: number;
  /** Numbers of the parts, in the order they came, with repetitions. */
  partNumbers(): number[];
  count(step: string): number;
  /** The file, put together in the order of the last end request. */
  file(): Buffer;
  /** Decides about every request from now on; undefined gives the usual answer. */
  fault(decide: (request: UploadRequest, sameBefore: number) => Fault | undefined): void;
  reset(): void;
  close(): Promise<void>;
}

const etag = (content: Buffer): string => `"${createHash("md5").update(content).digest("hex")}"`;

function readForm(body: Buffer, boundary: string): Pick<UploadRequest, "fields" | "filename" | "content"> {
  const mark = Buffer.from(`--${boundary}`);
  const fields: Record<string, string> = {};
  let filename: string | undefined;
  let content: Buffer | undefined;
  for (let at = body.indexOf(mark); at >= 0; ) {
    const next = body.indexOf(mark, at + mark.length);
    if (next < 0) break;
    const piece = body.subarray(at + mark.length + 2, next - 2);
    const split = piece.indexOf("\r\n\r\n");
    const head = piece.subarray(0, split).toString("utf8");
    const value = piece.subarray(split + 4);
    filename = /filename="([^"]*)"/.exec(head)?.[1];
    if (filename === undefined) fields[/name="([^"]*)"/.exec(head)?.[1] ?? ""] = value.toString("utf8");
    else content = value;
    at = next;
  }
  return { fields, filename, content };
}

function parse(request: IncomingMessage, body: Buffer): UploadRequest {
  const type = request.headers["content-type"] ?? "";
  const boundary = /boundary=(.+)$/.exec(type)?.[1];
  const read = boundary === undefined ? { fields: JSON.parse(body.toString("utf8")) } : readForm(body, boundary);
  return {
    ...read,
    step: String(read.fields["multipart_action"]),
    path: request.url ?? "",
    contentLength: request.headers["content-length"],
  };
}

export async function startUploadServer(): Promise<UploadServer> {
  const requests: UploadRequest[] = [];
  const stored = new Map<number, Buffer>();
  let order: number[] = [];
  let aborted = 0;
  let decide: (request: UploadRequest, sameBefore: number) => Fault | undefined = () => undefined;

  const usual = (seen: UploadRequest): unknown => {
    if (seen.step === "start") return "upload-1";
    if (seen.step === "upload") {
      const content = seen.content ?? Buffer.alloc(0);
      stored.set(Number(seen.fields["part"]), content);
      return { ETag: etag(content) };
    }
    order = (seen.fields["parts"] as { PartNumber: number }[]).map((part) => part.PartNumber);
    return { file: `https://files.example/${String(seen.fields["filename"])}` };
  };
  const answer = (response: ServerResponse, seen: UploadRequest): void => {
    const key = (one: UploadRequest) => `${one.step} ${String(one.fields["part"])}`;
    const fault = decide(seen, requests.filter((one) => key(one) === key(seen)).length - 1);
    if (fault === "hang") return;
    if (fault === "reset") {
      response.socket?.resetAndDestroy();
      return;
    }
    const isRefusal = fault !== undefined && "status" in fault;
    response.statusCode = isRefusal ? fault.status : 200;
    response.setHeader("content-type", "application/json");
    const result = fault !== undefined && "result" in fault ? fault.result : undefined;
    response.end(
      JSON.stringify(
        isRefusal ? { status: false, message: fault.message } : { status: true, result: result ?? usual(seen) },
      ),
    );
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on("close", () => {
      if (!response.writableEnded) aborted += 1;
    });
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const seen = parse(request, Buffer.concat(chunks));
      requests.push(seen);
      answer(response, seen);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    requests,
    get aborted() {
      return aborted;
    },
    partNumbers: () => requests.filter((one) => one.step === "upload").map((one) => Number(one.fields["part"])),
    count: (step) => requests.filter((one) => one.step === step).length,
    file: () => Buffer.concat(order.map((number) => stored.get(number) ?? Buffer.from("missing"))),
    fault(next) {
      decide = next;
    },
    reset() {
      requests.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
