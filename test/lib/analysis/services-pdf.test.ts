import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CancelledError, InputError, PdfError, Services } from "../../../src/index.ts";
import { failureOf, modes, token } from "../../helpers/fault-client.ts";
import {
  answer,
  type FaultServer,
  html,
  resetBeforeHeaders,
  silence,
  startFaultServer,
} from "../../helpers/fault-server.ts";
import { frozen } from "../../helpers/operations.ts";
import { scripted, reply as scriptedReply } from "../../helpers/scripted-transport.ts";
import { waitFor } from "../../helpers/wait-for.ts";

let server: FaultServer;

beforeEach(async () => {
  server = await startFaultServer(silence);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

describe.each(modes)("a PDF over $name", ({ options }) => {
  const pdf = (more: { timeoutMs?: number } = {}) =>
    new Services({ token, pdfAddress: `${server.url}/print`, ...options, ...more }).pdf;

  it("is asked for once with the token, and the answer given as it is", async () => {
    server.react(answer({ body: '{"status":true,"result":"JVBERi0=","pages":1}' }));
    const page = frozen({ html: "<h1/>", fileName: "f.pdf", options: { format: "A4", margin: { top: 1 } } });
    await expect(pdf().generate(page)).resolves.toEqual({ status: true, result: "JVBERi0=", pages: 1 });
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    expect([request?.method, request?.path]).toEqual(["POST", "/print"]);
    expect(request?.headers["token"]).toBe(token);
    expect(request?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(request?.body ?? "")).toEqual(page);
  });

  it.each([
    ["a refusal", answer({ status: 400, body: '{"status":false,"result":"bad html"}' }), 400, "bad html", "bad html"],
    ["a refusal with 200", answer({ body: '{"status":false,"result":"bad html"}' }), 200, "bad html", "bad html"],
    ["a message", answer({ status: 413, body: '{"status":false,"message":"Too large"}' }), 413, false, "Too large"],
    ["nothing", answer({ status: 500, statusText: "Oops" }), 500, false, expect.stringContaining("status 500 Oops")],
    ["a page", html(502), 502, false, "<html><body><h1>Proxy error</h1></body></html>"],
    ["bytes", answer({ body: `GIF89a${"x".repeat(400)}` }), 200, false, expect.stringContaining("no PDF")],
    ["a number", answer({ body: "5" }), 200, false, expect.stringContaining("no PDF")],
  ])("that ends with %s fails with its result, else false", async (_what, reaction, httpStatus, result, message) => {
    server.react(reaction);
    const error = await failureOf(pdf().generate({ html: "x" }));
    expect(error).toBeInstanceOf(PdfError);
    expect(error).toMatchObject({ status: false, result, httpStatus, message });
    expect(server.requests).toHaveLength(1);
  });

  it("that comes as the file itself is given as base64", async () => {
    const file = Buffer.concat([
      Buffer.from("%PDF-1.7\n"),
      Buffer.from(Uint8Array.from({ length: 20_000 }, (_, i) => i)),
    ]);
    server.react(answer({ headers: { "Content-Type": "application/pdf" }, body: file }));
    const { status, result } = await pdf().generate({ html: "x" });
    expect(status).toBe(true);
    expect(Buffer.from(result, "base64").equals(file)).toBe(true);
  });

  it("of a service that answers in another script keeps it", async () => {
    server.react(answer({ body: '{"status":true,"result":"JVBERi0=","name":"Zähler 計"}' }));
    await expect(pdf().generate({ html: "x" })).resolves.toMatchObject({ name: "Zähler 計" });
  });

  it("without an answer fails with the result false, after one attempt", async () => {
    server.react(resetBeforeHeaders);
    const error = await failureOf(pdf().generate({ html: "x" }));
    expect(error).toBeInstanceOf(PdfError);
    expect(error).toMatchObject({ result: false, httpStatus: -1, cause: { name: "RequestError", status: -1 } });
    expect(String(error)).not.toContain(token);
    expect(server.requests).toHaveLength(1);
  });

  it("takes no longer than the client's timeout", async () => {
    const error = await failureOf(pdf({ timeoutMs: 50 }).generate({ html: "x" }));
    expect(error).toMatchObject({ result: false, cause: { code: "TIMEOUT" } });
  });

  it("ends with the caller's signal", async () => {
    const controller = new AbortController();
    const outcome = failureOf(pdf().generate({ html: "x" }, { signal: controller.signal }));
    await waitFor(() => server.requests.length === 1, "the request");
    controller.abort();
    expect(await outcome).toBeInstanceOf(CancelledError);
  });
});

describe("the address of the PDF service", () => {
  const generate = async (params: { pdfAddress?: string } = {}) => {
    const transport = scripted(scriptedReply({ text: '{"status":true,"result":"x"}' }));
    await new Services({ token, transport, ...params }).pdf.generate({ html: "x" });
    return transport.requests[0]?.url;
  };

  it("is the platform's, unless the environment or the params name another", async () => {
    vi.stubEnv("TAGOIO_PDF", undefined);
    expect(await generate()).toBe("https://pdf.middleware.tago.io/");
    vi.stubEnv("TAGOIO_PDF", "http://127.0.0.1:9/pdf");
    expect(await generate()).toBe("http://127.0.0.1:9/pdf");
    expect(await generate({ pdfAddress: "https://pdf.example.org" })).toBe("https://pdf.example.org/");
  });

  it.each(["", "pdf.example.org", "ftp://pdf.example.org", "https://jo:secret@pdf.example.org"])(
    "is refused when it is %j",
    async (pdfAddress) => {
      const error = await failureOf(generate({ pdfAddress }));
      expect(error).toBeInstanceOf(InputError);
      expect(error["field"]).toBe("pdfAddress");
      expect(error.message).not.toContain("secret");
    },
  );
});
