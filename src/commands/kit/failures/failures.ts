import { defined } from "../../../lib/core/defined.ts";
import { ApiError, CancelledError, InputError, RequestError, SdkError, UploadError } from "../../../lib/core/errors.ts";
import { cleanLine, escapeJson } from "../../../text/clean.ts";
import { withLinks } from "../../../text/link.ts";
import { objectOf } from "../files/files.ts";
import { ClosedPipeError, type Io } from "../io.ts";
import { isNotFound } from "../resource/not-found.ts";
import { labelled } from "../say/labelled.ts";
import { redact } from "../say/redact.ts";
import { CommandError } from "./command-error.ts";
import { fileFailure } from "./file-failure.ts";
import { mayHaveArrived } from "./lost-write.ts";
import { isTlsCode, networkCode } from "./network-reason.ts";

/** A failure as it is shown. A part that would say nothing is left out. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly why?: string;
  readonly next?: string;
  readonly exit: number;
  readonly http?: { readonly method: string; readonly path: string; readonly status?: number };
  readonly row?: number;
  readonly column?: string;
  /** What --confirm has to be, where it is asked for. */
  readonly confirm?: string;
}

/** What a token turned out to be after an error response. */
export type TokenKind = "unknown" | "device" | "other";

/** What is known about the context of a failure. */
export interface FailurePlace {
  /** The target as people know it: `environment "prod" (us-e1)`. */
  readonly target?: string;
  /** Address of its API. */
  readonly api?: string;
  /** The command line that shows whether a change was made. */
  readonly check?: string;
  /** Whether the command only reads: what its requests are named, nothing was changed. */
  readonly onlyReads?: boolean;
  /** What the token is; the platform uses the same words for an unknown one and a weak one. */
  readonly token?: TokenKind;
}

/** Converts any error. This alone decides the exit code of a failure. */
export function toFailure(error: unknown, place: FailurePlace = {}): Failure {
  const { code, message, why, next, confirm, exit, ...rest } = draftOf(error, place);
  return {
    code,
    message: redact(message),
    ...(why === undefined ? {} : { why: redact(why) }),
    ...(next === undefined ? {} : { next: redact(next) }),
    ...(confirm === undefined ? {} : { confirm: redact(confirm) }),
    exit,
    ...rest,
    ...(rest.http === undefined ? {} : { http: { ...rest.http, path: redact(rest.http.path) } }),
  };
}

function draftOf(error: unknown, place: FailurePlace): Failure {
  if (error instanceof CommandError) return ofCommand(error);
  if (error instanceof ClosedPipeError) return { code: "closed_pipe", message: error.message, exit: 0 };
  if (error instanceof ApiError) return ofApi(error, place);
  if (error instanceof RequestError) return ofRequest(error, place);
  if (error instanceof CancelledError || isAbort(error))
    return { code: "stopped", message: "Stopped.", why: "The command was interrupted.", exit: 130 };
  if (error instanceof InputError) return ofInput(error);
  if (error instanceof UploadError && error.cause !== undefined) return draftOf(error.cause, place);
  if (error instanceof SdkError) return { code: "failed", message: error.message, exit: 1 };
  const file = fileFailure(error);
  return file ?? ofFault(error);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

function ofCommand(error: CommandError): Failure {
  return {
    code: error.code,
    message: error.message,
    exit: error.exit,
    ...defined({ why: error.why, next: error.next, row: error.row, column: error.column, confirm: error.confirm }),
  };
}

function ofInput(error: InputError): Failure {
  return {
    code: "usage.invalid_value",
    message: error.message.endsWith(".") ? error.message : `${error.message}.`,
    why: "The platform does not accept this value; nothing was sent.",
    exit: 2,
  };
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);

interface StatusRule {
  readonly code: string;
  readonly exit: number;
  readonly says: string;
  readonly next: string;
}

const permission: StatusRule = {
  code: "auth.permission",
  exit: 5,
  says: "The token lacks the required permission",
  next: 'Use a token with that permission; "iot auth status" shows the current token.',
};
const deviceToken: StatusRule = {
  ...permission,
  says: "A device token can only access its own device",
  next: 'Use "iot device data list self" (also get; data count, send, update, delete; param list, set), or a profile token ("iot auth login").',
};
const refusedToken: StatusRule = {
  code: "auth.refused",
  exit: 4,
  says: "The token was rejected",
  next: 'Run "iot auth login", or check IOT_TOKEN.',
};
const missing: StatusRule = {
  code: "not_found",
  exit: 6,
  says: "The requested resource was not found",
  next: 'Check the id, and the target with "iot env current".',
};
const conflict: StatusRule = {
  code: "conflict",
  exit: 7,
  says: "The request conflicts with the current state",
  next: "Read the current state and try again.",
};
const limited: StatusRule = {
  code: "limit.reached",
  exit: 9,
  says: "The rate limit was exceeded",
  next: "Wait a minute and try again, or request less at a time.",
};
const refused: StatusRule = {
  code: "platform.refused",
  exit: 1,
  says: "The platform rejected the request",
  next: "Fix the reported problem, then try again.",
};
const broken: StatusRule = {
  code: "platform.failed",
  exit: 1,
  says: "The platform returned a server error",
  next: 'Try again later; "iot status" checks the platform.',
};
const notThePlatform: StatusRule = {
  code: "platform.invalid_reply",
  exit: 1,
  says: "The response is not from the platform",
  next: 'Check the address with "iot env current"; a proxy or another server may have responded.',
};

/** What the sandbox says of something that only the platform does. */
const sandboxOnly = /^The sandbox does not /;

const notInSandbox = (message: string): StatusRule => ({
  code: "sandbox.not_supported",
  exit: 1,
  says: cleanLine(message, 300),
  next: 'The platform does this; "iot sandbox gaps" lists what the sandbox does not.',
});

const unusable: StatusRule = {
  code: "platform.unusable_reply",
  exit: 1,
  says: "The response cannot be used",
  next: "Request less at a time: fewer rows, fewer fields or a shorter time range.",
};

/** Responses that another request, of less, may make usable. */
const unusableReplies = new Set(["REPLY_TOO_LARGE", "REPLY_TOO_DEEP"]);

const planLimit = /exceeded the maximum limit(?: of ([\w ]+) \((\d+[^)]*)\))?/i;

/** A limit of the plan: waiting does not help. */
function ofPlan(message: string): StatusRule {
  const [, thing, most] = planLimit.exec(message) ?? [];
  return {
    code: "limit.plan",
    exit: 9,
    says: thing === undefined ? "The limit of the plan is reached" : `The plan allows at most ${most} (${thing})`,
    next: 'Delete some, or upgrade the plan: see "iot profile limits" and "iot billing subscription".',
  };
}

/** The platform also responds 400 to unknown ids, and 400 or 402 to limits; only its messages distinguish them. */
function ruleFor(error: ApiError, token: TokenKind): StatusRule {
  const { status, message } = error;
  const reason = error.attempts.at(-1)?.code;
  if (unusableReplies.has(reason ?? "")) return unusable;
  if (reason === "BAD_REDIRECT") return notThePlatform;
  if (status === 501 && sandboxOnly.test(message)) return notInSandbox(message);
  if (status === 429 || /too many requests/i.test(message)) return limited;
  if (status === 402 || planLimit.test(message)) return ofPlan(message);
  if (status === 401) {
    if (token === "unknown" || !/denied|permission/i.test(message)) return refusedToken;
    return token === "device" ? deviceToken : permission;
  }
  if (status === 403) return permission;
  if (isNotFound(error)) return missing;
  if (status === 409 || status === 412) return conflict;
  if (error.code === "INVALID_REPLY" && status < 400) return notThePlatform;
  return status >= 500 ? broken : refused;
}

function quoted(text: string): string {
  return JSON.stringify(cleanLine(text, 300));
}

/** What the platform says about single fields of a body: ` name: Required; type: Invalid enum value.` */
function fieldTexts({ data }: ApiError): string {
  const texts = Object.entries(objectOf(objectOf(data)["field_errors"])).map(
    ([field, problems]) => `${field}: ${[problems].flat().map(String).join(", ")}`,
  );
  return texts.length === 0 ? "" : ` ${cleanLine(texts.join("; "), 600)}.`;
}

function ofApi(error: ApiError, place: FailurePlace): Failure {
  const path = pathOf(error.url);
  // Every token that is known may read /info.
  const rule = ruleFor(error, path === "/info" ? "unknown" : (place.token ?? "other"));
  const tries = error.attempts.length > 1 ? ` after ${error.attempts.length} attempts` : "";
  return {
    code: rule.code,
    message: `${rule.says}${place.target === undefined ? "" : ` in ${place.target}`}.`,
    why: `${error.method} ${path} returned ${error.status}${tries}: ${quoted(error.message)}.${fieldTexts(error)}`,
    next: place.onlyReads !== true && mayHaveChanged(error, rule) ? `${checkFirst(place)} ${rule.next}` : rule.next,
    exit: rule.exit,
    http: { method: error.method, path, status: error.status },
  };
}

/** A server that does not know how to do something has done nothing. */
function mayHaveChanged({ method, status, mayHaveArrived: mayHave }: ApiError, rule: StatusRule): boolean {
  return method !== "GET" && status !== 501 && (rule === broken || mayHave);
}

/** A change that may have been made must not be made again blindly. */
function checkFirst({ check }: FailurePlace): string {
  return check === undefined
    ? "The change may have been made: check before you run the command again."
    : `The change may have been made: check with "${check.replaceAll('"', "'")}" before you run the command again.`;
}

const networkAdvice: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'No server is listening: start it, or check the address ("iot env current") and the proxy.',
  ENOTFOUND: 'Unknown host: check the address with "iot env current", and the network.',
  EAI_AGAIN: "DNS lookup failed: check the network.",
};

function ofRequest(error: RequestError, place: FailurePlace): Failure {
  const reason = networkCode(error);
  const isTls = isTlsCode(reason);
  const http = { method: error.method, path: pathOf(error.url) };
  const tries = error.attempts.length > 1 ? `, ${error.attempts.length} attempts` : "";
  const says = (error.attempts.at(-1)?.message ?? error.statusText).replace(/\.$/, "");
  const trouble = reason === undefined || says.includes(reason) ? says : `${says} (${reason})`;
  if (place.onlyReads !== true && mayHaveArrived(error)) {
    return {
      code: "network.maybe_sent",
      message: `${http.method} ${http.path} may have arrived at ${hostOf(error, place)}, but the response was lost.`,
      why: `${cleanLine(trouble, 300)}. Changes that may have been made are not retried.`,
      next: checkFirst(place),
      exit: 10,
      http,
    };
  }
  const next = isTls
    ? 'Check the certificate; --ca-file adds your own authority. "iot doctor" shows more.'
    : (networkAdvice[reason ?? ""] ?? 'Check the network and the proxy; "iot doctor" shows more.');
  const code = isTls ? "network.tls" : error.code === "TIMEOUT" ? "network.timeout" : "network.failed";
  return {
    code,
    message: `No response from ${hostOf(error, place)}.`,
    why: `${http.method} ${http.path}: ${cleanLine(trouble, 300)}${tries}.`,
    next,
    exit: 10,
    http,
  };
}

/** The environment where it was asked, else the address: files, for example, are stored elsewhere. */
function hostOf({ url }: RequestError, { target, api }: FailurePlace): string {
  const origin = URL.canParse(url) ? new URL(url).origin : url;
  const isTarget = target !== undefined && api !== undefined && new URL(api).origin === origin;
  return isTarget ? target : origin;
}

function ofFault(error: unknown): Failure {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    code: "internal",
    message: "Internal error in iot.",
    why: cleanLine(text, 300),
    next: "Please report it.",
    exit: 70,
  };
}

/** The failure as lines for people, or one JSON line for programs. */
export function renderFailure(
  failure: Failure,
  asJson: boolean,
  io: Pick<Io, "stderrIsTerminal" | "columns">,
  hasLinks = false,
): string {
  if (asJson) return `${escapeJson(JSON.stringify({ error: failure }))}\n`;
  const line = (label: string, text: string | undefined): string =>
    text === undefined ? "" : labelled(label, cleanLine(text, 1_000), io);
  const lines = line("error", failure.message) + line("  why", failure.why) + line("  next", failure.next);
  return hasLinks ? withLinks(lines) : lines;
}
