import { ApiError, RequestError } from "../index.ts";
import type { JsonObject } from "../lib/core/json.ts";
import { isRecord } from "../lib/widgets/draw/page.ts";

/** Characters that draw nothing, or that turn the text around them: replaced by others, so that a name cannot lie. */
const INVISIBLE = /(?![\t\n\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const MAX_CHARS = 2_000;

/** Any value as text for people. */
export function shown(value: unknown, maxChars: number = MAX_CHARS): string {
  const text =
    value === undefined || value === null
      ? ""
      : value instanceof Date
        ? moment(value)
        : typeof value === "object"
          ? (JSON.stringify(value) ?? "")
          : String(value);
  const cut = text.length > maxChars ? `${text.slice(0, maxChars)} ...` : text;
  return cut.replace(INVISIBLE, "\ufffd");
}

/** Where the person who looks is: times are shown in this zone. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `2026-01-31 12:00:00`, in the zone of the browser. */
export function moment(value: unknown): string {
  if (value === undefined || value === null || value === "never") return "never";
  const date = value instanceof Date ? value : new Date(String(value));
  // Swedes write dates like this.
  return Number.isNaN(date.getTime()) ? shown(value) : date.toLocaleString("sv-SE");
}

/** A date as a number to sort by; -1 for none. */
export const msOf = (value: unknown): number => {
  const ms = value instanceof Date ? value.getTime() : Date.parse(String(value));
  return Number.isNaN(ms) ? -1 : ms;
};

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;
const relative = new Intl.RelativeTimeFormat("en");

/** `2 days ago`. */
export function agoText(ms: number, nowMs: number): string {
  const seconds = (ms - nowMs) / 1_000;
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? [];
  return unit === undefined ? "just now" : relative.format(Math.trunc(seconds / size), unit);
}

/** What is wrong with the fields of a form, by the name of the field. */
export type FieldTexts = Readonly<Record<string, string>>;

/** A form that cannot be sent as it is. */
export class FormError extends Error {
  readonly fields: FieldTexts;
  constructor(fields: FieldTexts) {
    super("Check the fields");
    this.fields = fields;
  }
}

/** What the platform, or the form itself, says about single fields. */
export function fieldTexts(error: unknown): FieldTexts {
  if (error instanceof FormError) return error.fields;
  const data = error instanceof ApiError ? error.data : undefined;
  const texts = isRecord(data) && isRecord(data["field_errors"]) ? data["field_errors"] : {};
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, shown([text].flat().join(", "))]));
}

/** Whether a link may lead there. */
export const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text);

/** Whether this is the console of an account, not that of a sandbox. The page says so, before anybody is let in. */
export const isOfAccount = document.documentElement.dataset["console"] === "account";

/** Browsers do not say why nothing came back. */
export const UNANSWERED = isOfAccount ? "The console does not answer" : "The sandbox does not answer";

/** What went wrong, in the words of the platform. */
export function problem(error: unknown): string {
  if (error instanceof RequestError && error.code === "NETWORK_ERROR" && error.attempts.at(-1)?.status === -1)
    return UNANSWERED;
  const said = shown(error instanceof Error ? error.message : error) || "Unknown error";
  const fields = Object.entries(fieldTexts(error)).map(([name, text]) => `${name}: ${text}`);
  return [said, ...fields.map((text) => shown(text))].join(". ");
}

/** Why something could not be read, with the HTTP status where there is one. */
export function failureOf(error: unknown): string {
  const status = isRecord(error) ? error["status"] : undefined;
  return typeof status === "number" && status > 0 ? `${status} ${problem(error)}` : problem(error);
}

/** The JSON text of a field as a value. An empty one is `undefined`. */
export function parseJson(field: string, text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FormError({ [field]: `This is not JSON: ${problem(error)}` });
  }
}

export const recordsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isRecord) : []);
