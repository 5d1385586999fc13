import { existsSync, statSync } from "node:fs";
import type { PDFParams, Services } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import { ApiError, PdfError, RequestError } from "../../lib/core/errors.ts";
import { countOf } from "../../text/count.ts";
import { analysisOption, analysisToken } from "../kit/analyses/service-client.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import { parseDuration, quote } from "../kit/command/values.ts";
import type { CommandContext, Connection } from "../kit/context.ts";
import { CommandError, inputError, usageError } from "../kit/failures/command-error.ts";
import { isObject, writeWhole } from "../kit/files/files.ts";
import { confirmOutFile } from "../kit/files/out-file.ts";
import { inputObject, inputOption } from "../kit/resource/body.ts";
import { isStoredSource } from "../kit/settings/credentials.ts";

const formats = ["Letter", "Legal", "Tabloid", "Ledger", "A0", "A1", "A2", "A3", "A4", "A5", "A6"] as const;
/** The service takes pages up to this size. */
const LARGEST_PAGE_BYTES = 256 * 1024;

interface Rendered {
  readonly file: string | null;
  readonly bytes: number;
  /** Base64, where no file was named. */
  readonly content?: string;
}

const columns: readonly Column<Rendered>[] = [
  { key: "file" },
  { key: "bytes", kind: "number" },
  { key: "content", hidden: true },
];

/** Where a rendered page goes. */
type Place = { readonly kind: "file"; readonly path: string; readonly shown: string } | { readonly kind: "stdout" };

const options = [
  { name: "url", value: "url", summary: "URL of the page" },
  { name: "html", file: "in", value: "file", summary: "HTML file; - is stdin" },
  { name: "out", file: "out", value: "file", summary: "file to write; - is stdout" },
  { name: "format", value: "paper", summary: `paper format: ${formats.join(", ")} (A4)` },
  { name: "landscape", summary: "landscape orientation" },
  { name: "background", summary: "print backgrounds" },
  { name: "pages", value: "ranges", summary: "pages to print: 1-5,8" },
  { name: "wait-for", value: "what", summary: "time to wait, or CSS selector to wait for, before printing" },
  inputOption,
  analysisOption,
] as const satisfies Options;

type Given = Input<[], typeof options>;

function placeOf(ctx: CommandContext, input: Given): Place {
  const out = input.options.out;
  if (out === undefined || out === "-") {
    const isText = ctx.out.format !== "table";
    if (isText || !ctx.io.stdoutIsTerminal) return { kind: "stdout" };
    throw usageError("A PDF document is not written to a terminal.", {
      code: "usage.missing_value",
      next: "Use --out report.pdf, or pipe the output.",
    });
  }
  const path = ctx.path(out);
  if (existsSync(path) && statSync(path).isDirectory()) {
    throw inputError(`${quote(out)} is a folder.`, { next: "Give a file in it: --out reports/day.pdf." });
  }
  return { kind: "file", path, shown: out };
}

/** The page: exactly one of its text and its address. */
async function pageOf(ctx: CommandContext, input: Given): Promise<PDFParams> {
  const url = input.options.url;
  const file = input.options.html;
  const { options: more, ...given } = await inputObject(ctx, input);
  const page: PDFParams = {
    ...given,
    ...defined({ url }),
    ...(file === undefined ? {} : { html: await ctx.readInput(file, "--html") }),
  };
  const sources = [page.url, page.html, page.base64].filter((source) => source !== undefined);
  if (sources.length !== 1) {
    throw usageError(sources.length === 0 ? "No page given." : "Only one page can be rendered at a time.", {
      next: "Use either --url https://… or --html page.html; - is stdin.",
    });
  }
  if (page.url !== undefined && !(URL.canParse(page.url) && /^https?:$/.test(new URL(page.url).protocol))) {
    throw usageError(`--url needs an http or https URL, not ${quote(page.url)}.`);
  }
  const size = Buffer.byteLength(page.html ?? "");
  if (size > LARGEST_PAGE_BYTES)
    ctx.say.warning(`The page has ${countOf(size, "byte")}; the service may reject more than 262,144.`);
  const options = { ...(isObject(more) ? more : {}), ...printOptions(input) };
  return Object.keys(options).length === 0 ? page : { ...page, options };
}

function printOptions(input: Given): Record<string, unknown> {
  const format = input.options.format;
  const wait = input.options.waitFor;
  const pages = input.options.pages;
  const known = formats.find((name) => name.toLowerCase() === format?.toLowerCase());
  if (format !== undefined && known === undefined) {
    throw usageError(`Invalid --format ${quote(format)}.`, { why: `The formats are ${formats.join(", ")}.` });
  }
  return {
    ...defined({ format: known, pageRanges: pages }),
    ...(input.options.landscape ? { landscape: true } : {}),
    ...(input.options.background ? { printBackground: true } : {}),
    ...(wait === undefined
      ? {}
      : { waitFor: /^\d+(\.\d+)?(ms|[smh])$/.test(wait) ? parseDuration(wait, "--wait-for") : wait }),
  };
}

/**
 * The platform prints with a service of its own; every other server is asked itself. A stored token goes nowhere else,
 * so `TAGOIO_PDF` counts only beside a token that a variable brought.
 */
function serviceAddress(ctx: CommandContext, { api, tokenSource }: Connection): string {
  const own = ctx.env["TAGOIO_PDF"];
  if (own && !isStoredSource(tokenSource) && ctx.user.settings.get("env")?.origin !== "flag") return own;
  const { hostname } = new URL(api);
  return hostname.endsWith(".tago.io") ? "https://pdf.middleware.tago.io/" : `${api.replace(/\/+$/, "")}/pdf`;
}

async function render(ctx: CommandContext, input: Given, page: PDFParams, address: string): Promise<Buffer> {
  const { api, events } = await ctx.connection();
  const token = await analysisToken(ctx, input);
  const { Services: Client } = await import("../../lib/analysis/services.ts");
  const region = { api, sse: events };
  const services: Services = new Client({ ...ctx.clientOptions(), token, region, pdfAddress: address });
  try {
    const { result } = await services.pdf.generate(page);
    const bytes = Buffer.from(String(result), "base64");
    if (bytes.subarray(0, 5).toString("latin1") === "%PDF-") return bytes;
  } catch (error) {
    throw error instanceof PdfError ? explain(error, address) : error;
  }
  throw new CommandError("The service did not return a PDF document.", {
    code: "pdf.invalid_reply",
    exit: 1,
    why: `${new URL(address).origin} did not send a document.`,
    next: "Try again; a proxy or another server may have responded.",
  });
}

function explain(error: PdfError, address: string): unknown {
  if (error.cause instanceof RequestError || error.cause instanceof ApiError) return error.cause;
  const isToken = error.httpStatus === 401 || error.httpStatus === 403;
  return new CommandError(isToken ? "The PDF service rejected the token." : "The PDF service created no document.", {
    code: isToken ? "auth.refused" : "pdf.failed",
    exit: isToken ? 4 : 1,
    why: `${new URL(address).origin} returned ${error.httpStatus}: "${error.message}".`,
    next: isToken ? "Add --analysis name:…, or use another token." : "Fix the reported problem, then try again.",
    cause: error,
  });
}

export const renderPdf: Command = defineCommand({
  path: ["render"],
  result: one(columns),
  effect: "local",
  summary: "Render a page as a PDF document",
  details:
    "The page is an HTML file, or a URL that the service opens. The document is written to --out, or to stdout if it is " +
    "not a terminal; with -o json and no --out it is part of the result, as base64. --wait-for takes a duration (2s) or " +
    "the CSS selector of an element that must appear. Other service settings, such as margin, header and " +
    "footer, go into the options property of the JSON object of --input.",
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    "iot pdf render --html page.html --out report.pdf --format A4 --yes",
    `echo "<h1>Report</h1>" | iot pdf render --html - > report.pdf`,
    "iot pdf render --url https://example.test/report --wait-for 2s --landscape --out day.pdf --dry-run",
  ],
  exitCodes: [1, 3],
  related: ["iot service email", "iot file upload"],
  async run(ctx, input) {
    const place = placeOf(ctx, input);
    const page = await pageOf(ctx, input);
    const connection = await ctx.connection();
    const address = serviceAddress(ctx, connection);
    if (await ctx.dryRun({ method: "POST", path: address, body: page })) return;
    if (place.kind === "file") await confirmOutFile(ctx, place.path);
    const bytes = await render(ctx, input, page, address);
    if (place.kind === "stdout") {
      if (ctx.out.format === "table") return ctx.io.write(bytes);
      return ctx.out.item({ file: null, bytes: bytes.length, content: bytes.toString("base64") }, { columns });
    }
    writeWhole(place.path, bytes, { file: 0o644, folder: 0o755 });
    await ctx.out.item({ file: place.shown, bytes: bytes.length }, { columns, idKey: "file" });
    ctx.say.info(`Wrote ${countOf(bytes.length, "byte")} to ${quote(place.shown)}.`, place.shown);
  },
});
