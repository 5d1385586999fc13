import type { HttpClient } from "../api/client.ts";
import { authorizationRoutes } from "../clients/authorization.ts";
import { ApiError, CancelledError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { environment } from "../core/platform.ts";
import type { ConnectionTuning } from "../realtime/connection.ts";
import { eventsUrl, openEventStream, type StreamItem } from "../realtime/event-stream.ts";
import { createLineSender, lineText } from "./console-lines.ts";
import { type AnalysisFunction, readTrigger, type Trigger } from "./context.ts";

const channels = { channel: "analysis_trigger" } as const;

export interface ExternalOptions {
  readonly client: HttpClient;
  readonly token: string;
  readonly tuning: ConnectionTuning;
  readonly signal: AbortSignal;
}

/** Result of `GET /info` for the analysis of the token. */
interface Facts {
  readonly name: string;
  readonly isExternal: boolean;
}

/**
 * Listens for triggers on the event stream and runs the function for each, until the signal is aborted or the platform
 * rejects the stream. Later failures are printed; the promise never rejects.
 *
 * @throws InputError for a region without an event stream URL
 */
export function runExternally(analysis: AnalysisFunction<never>, options: ExternalOptions): Promise<void> {
  const { client, token } = options;
  eventsUrl({ channels, token, region: client.options.region });
  return listen(analysis, options);
}

async function listen(analysis: AnalysisFunction<never>, options: ExternalOptions): Promise<void> {
  const { client, token, tuning, signal } = options;
  try {
    const facts = await lookUp(client, signal);
    if (facts === undefined) return console.error("Analysis not found or not active.");
    if (!facts.isExternal) {
      console.warn(
        `Warning: analysis [${facts.name}] does not run on external, so it receives no triggers here. ` +
          "Set its run_on to external and use its new token.",
      );
    }
    const stream = openEventStream({
      ...tuning,
      channels,
      token,
      region: client.options.region,
      transport: client.transport,
      signal,
    });
    for await (const item of stream) react(item, facts, (trigger) => void runOnce(analysis, trigger, options));
  } catch (error) {
    if (error instanceof CancelledError) return;
    console.error(`The analysis stopped waiting for triggers: ${(error as Error).message}`);
  }
}

/** Undefined when there is no such active analysis. */
async function lookUp(client: HttpClient, signal: AbortSignal): Promise<Facts | undefined> {
  let info: unknown;
  try {
    info = await client.call(authorizationRoutes.info, { signal });
  } catch (error) {
    if (error instanceof ApiError && isRefusal(error)) return undefined;
    throw error;
  }
  if (!isRecord(info)) return undefined;
  const { name, active, run_on } = info;
  if (active === false) return undefined;
  return { name: plainText(name), isExternal: run_on === "external" };
}

/** False when the request itself failed: reporting "not found" would mislead. */
function isRefusal({ status, code }: ApiError): boolean {
  return code !== "INVALID_REPLY" && status < 500 && status !== 408 && status !== 429;
}

/** Strips control characters, so that a name cannot control the terminal. */
function plainText(name: unknown): string {
  return typeof name === "string" ? name.replace(/\p{Cc}/gu, "") : "without a name";
}

function react(item: StreamItem, facts: Facts, run: (trigger: Trigger) => void): void {
  if (item.type === "open") {
    console.info(`Analysis [${facts.name}] is connected.\nWaiting for triggers ...`);
  } else if (item.type === "retry") {
    // Report only the first of consecutive failures.
    if (item.failures === 1) {
      console.error(`Connection to the event stream lost, connecting again: ${item.error.message}`);
    }
  } else if (item.type === "message") {
    const { payload } = item;
    if (isRecord(payload)) run(readTrigger(payload));
    else console.warn("An event that is no trigger was left out.");
  }
}

/** Runs the function once. An error stops the run, not the listener. */
async function runOnce(analysis: AnalysisFunction<never>, trigger: Trigger, options: ExternalOptions): Promise<void> {
  const token = trigger.token ?? options.token;
  // Lines of a current run are still sent after the listener was stopped.
  const send = createLineSender({ ...options.client.options, token, signal: undefined });
  const isQuiet = environment("T_ANALYSIS_AUTO_RUN") !== undefined;
  const log = (...values: unknown[]): void => {
    if (!isQuiet) console.log(...values);
    send(lineText(values));
  };
  try {
    await analysis(
      { log, token, environment: trigger.environment, analysis_id: trigger.analysis_id },
      trigger.data as never,
    );
  } catch (error) {
    const text = lineText([error]);
    if (!isQuiet) console.error(text);
    send(text);
  }
}
