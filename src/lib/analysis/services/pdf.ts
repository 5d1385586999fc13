import { assertObject } from "../../api/assert.ts";
import type { CallOptions, HttpClient } from "../../api/client.ts";
import { sendExternal } from "../../api/external-request.ts";
import { Module } from "../../api/module.ts";
import { ApiError, InputError, PdfError, RequestError } from "../../core/errors.ts";
import { isRecord, parseJson } from "../../core/json.ts";
import { environment } from "../../core/platform.ts";
import type { TransportReply } from "../../http/transport.ts";

const defaultAddress = "https://pdf.middleware.tago.io/";

/** How the page is printed; the service knows more options than these. */
export interface PDFOptions {
  /** Size of the paper, such as `A4` or `Letter`; wins over `width` and `height`. */
  format?: string;
  /** Wide instead of high. @default false */
  landscape?: boolean;
  /** Sizes with a unit (`"10px"`), or numbers of pixels: `top`, `right`, `bottom`, `left`. */
  margin?: {
    top?: string | number;
    right?: string | number;
    bottom?: string | number;
    left?: string | number;
  };
  /** Of the paper: a size with a unit, or pixels. */
  width?: string | number;
  /** Of the paper: a size with a unit, or pixels. */
  height?: string | number;
  /** 0.1 to 2. @default 1 */
  scale?: number;
  /** Prints colours and pictures behind the text too. */
  printBackground?: boolean;
  /** Prints `headerTemplate` and `footerTemplate`. */
  displayHeaderFooter?: boolean;
  /** HTML at the top of every page. */
  headerTemplate?: string;
  /** HTML at the bottom of every page. */
  footerTemplate?: string;
  /** Such as `1-5, 8`. */
  pageRanges?: string;
  /** The page's own `@page` size wins over all of these. */
  preferCSSPageSize?: boolean;
  [more: string]: unknown;
}

/** A page to print: its text, its text as base64, or its address. */
export interface PDFParams {
  /** The page as HTML. */
  html?: string;
  /** The page as HTML, base64. */
  base64?: string;
  /** Address of a page the service can reach. */
  url?: string;
  /** Makes the service respond with the file itself. */
  fileName?: string;
  /** How the page is printed. */
  options?: PDFOptions;
}

/** A printed page. */
export interface PDFResult {
  /** True; failures are thrown. */
  status: boolean;
  /** The file as base64, also when the service responds with the file itself. */
  result: string;
}

/** The address of the service. Names and passwords in it are rejected: they would end up in errors. */
function checkedAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === undefined || !isWeb || url.username || url.password) {
    throw new InputError("Invalid pdfAddress: it must be an http or https address without credentials", "pdfAddress");
  }
  return url.href;
}

/** The response of the service: JSON, a string, or the file itself, which becomes what the service says in JSON. */
function readAnswer(bytes: string): unknown {
  if (bytes.startsWith("%PDF-")) return { status: true, result: btoa(bytes) };
  const text = new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
  return parseJson(text);
}

function refusal({ status: httpStatus, statusText }: TransportReply, data: unknown): PdfError {
  const body = isRecord(data) ? data : {};
  const reason = body["message"] ?? body["result"];
  const known = typeof reason === "string" && reason !== "" ? reason : undefined;
  const short = typeof data === "string" && data.length <= 300 && data !== "" ? data : undefined;
  const fallback = `The PDF service answered with status ${httpStatus}${statusText === "" ? "" : ` ${statusText}`} and no PDF`;
  return new PdfError(known ?? short ?? fallback, { result: body["result"] ?? false, httpStatus, data });
}

/** Prints web pages. */
export class PDFService extends Module {
  readonly #address: string | undefined;

  /** @param address of the service. @default the environment's `TAGOIO_PDF`, else the platform's service */
  constructor(client: HttpClient, address?: string) {
    super(client);
    this.#address = address;
  }

  /**
   * Makes a PDF of a page. One attempt; the token goes along.
   *
   * @returns the response of the service, with the file as base64 in `result`
   * @throws PdfError with the `result` of the service's response, or `result: false` without one
   * @example
   * ```ts
   * const services = new Services({ token: context.token });
   * const { result } = await services.pdf.generate({ html: "<h1>Report</h1>", options: { format: "A4" } });
   * ```
   */
  async generate(params: PDFParams, options?: CallOptions): Promise<PDFResult> {
    assertObject(params, "params");
    const reply = await this.#send(JSON.stringify(params), options);
    const data = readAnswer(reply.text);
    const isFine = reply.status >= 200 && reply.status <= 299;
    if (!isFine || !isRecord(data) || data["status"] === false) throw refusal(reply, data);
    return data as unknown as PDFResult;
  }

  async #send(body: string, options: CallOptions | undefined): Promise<TransportReply> {
    const url = checkedAddress(this.#address ?? environment("TAGOIO_PDF") ?? defaultAddress);
    const headers = { "content-type": "application/json", token: this.params.token ?? "" };
    try {
      const request = {
        method: "POST",
        url,
        headers,
        body,
        timeoutMs: this.client.timeoutMs,
        bytesAsText: true,
      } as const;
      return await sendExternal(this.client, request, options);
    } catch (error) {
      if (!(error instanceof RequestError || error instanceof ApiError)) throw error;
      throw new PdfError(error.message, { result: false, httpStatus: error.status, data: undefined, cause: error });
    }
  }
}
