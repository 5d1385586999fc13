import { HttpClient } from "../api/client.ts";
import type { GenericModuleParams } from "../api/module.ts";
import { isError } from "../core/errors.ts";
import { serviceRoutes } from "./services/routes.ts";

/** Lines that wait to be sent; further ones are dropped. */
export const MAX_WAITING_LINES = 1_000;
/** Characters of the lines that wait. */
const MAX_WAITING_CHARS = 4 * 1024 * 1024;

/** Formats a line: values separated by spaces, errors with their stack. Never throws. */
export function lineText(values: readonly unknown[]): string {
  return values.map(valueText).join(" ");
}

function valueText(value: unknown): string {
  try {
    if (isError(value)) return errorText(value);
    if (typeof value !== "object" || value === null) return String(value);
    return jsonText(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

function errorText(error: Error): string {
  return typeof error.stack === "string" && error.stack !== "" ? error.stack : String(error);
}

/** JSON that also represents cycles, bigints and errors. */
function jsonText(value: object): string {
  const above: unknown[] = [];
  return JSON.stringify(value, function (this: unknown, _key, member: unknown) {
    if (typeof member === "bigint") return String(member);
    if (isError(member)) return errorText(member);
    if (typeof member !== "object" || member === null) return member;
    // `this` holds the property, so anything deeper in the stack is a finished branch.
    while (above.length > 0 && above.at(-1) !== this) above.pop();
    if (above.includes(member)) return "[Circular]";
    above.push(member);
    return member;
  });
}

/**
 * Sends lines to the console of an analysis one by one, so that they arrive in order. A line that cannot be sent is
 * dropped; the first failure is reported on the local console. The queue is bounded, so that an unresponsive platform
 * cannot fill the memory: further lines are dropped, and a line reports how many.
 */
export function createLineSender(params: GenericModuleParams): (message: string) => void {
  const client = new HttpClient(params);
  const waiting: { readonly message: string; readonly timestamp: number }[] = [];
  let chars = 0;
  let leftOut = 0;
  let isSending = false;
  let isReported = false;

  const send = async (message: string, timestamp: number): Promise<void> => {
    try {
      await client.call(serviceRoutes.console, { body: { message, timestamp } });
    } catch (error) {
      if (isReported) return;
      isReported = true;
      console.error(`A line did not reach the console of the analysis: ${valueText((error as Error).message)}`);
    }
  };

  const sendAll = async (): Promise<void> => {
    isSending = true;
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      chars -= line.message.length;
      await send(line.message, line.timestamp);
      if (waiting.length > 0 || leftOut === 0) continue;
      waiting.push({ message: `${leftOut} lines were left out: too many were waiting`, timestamp: Date.now() });
      chars += waiting[0]?.message.length ?? 0;
      leftOut = 0;
    }
    isSending = false;
  };

  return (message) => {
    if (waiting.length >= MAX_WAITING_LINES || (waiting.length > 0 && chars + message.length > MAX_WAITING_CHARS)) {
      leftOut += 1;
      return;
    }
    waiting.push({ message, timestamp: Date.now() });
    chars += message.length;
    if (!isSending) void sendAll();
  };
}
