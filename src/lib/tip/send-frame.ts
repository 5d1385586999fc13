/** (node) A frame as somebody wrote it, without a client. */
import { parseAck } from "./ack.ts";
import { addressOf, type TipClientOptions } from "./client-options.ts";
import { invalidInput } from "./errors.ts";
import { toBytes } from "./text.ts";
import { TcpTransport } from "./transports/tcp.ts";
import { lenient } from "./transports/transport.ts";
import { UdpTransport } from "./transports/udp.ts";
import type { TipAck, TipMethod } from "./types.ts";

/** Where a frame goes: the options of a client that say so, over UDP or TCP. */
export interface SendFrameOptions
  extends Pick<TipClientOptions, "host" | "port" | "region" | "tls" | "ca" | "timeoutMs"> {
  /** How it is sent: HTTP and MQTT carry no frames. */
  readonly over: "udp" | "tcp";
}

const transports = { udp: UdpTransport, tcp: TcpTransport };

/**
 * Sends one frame as it is, once and unchecked, to see what the server makes of it.
 *
 * @param frame without a line feed
 * @returns the response, an ERR included
 * @throws TipError `invalid_input`, `no_response` or `connection_failed`
 * @example
 * ```ts
 * import { sendFrame } from "iotdeck/tip";
 * const { status, detail } = await sendFrame("PING|4deedd7bab8817ec|sensor-01", { over: "udp" });
 * ```
 */
export async function sendFrame(frame: string, options: SendFrameOptions): Promise<TipAck> {
  if (!Object.hasOwn(transports, options.over)) throw invalidInput("Frames go over udp or tcp");
  if (frame === "" || frame.includes("\n")) throw invalidInput("A frame is one line of text");
  const peer = { ...addressOf(options, false), isSealed: false, auth: "", serial: "", read: lenient(parseAck) };
  const transport = new transports[options.over](peer);
  // The kind of a response is known from the method. Any other word gets an ERR, which responds to everything.
  const method: TipMethod = frame.startsWith("PING|") ? "PING" : "PUSH";
  try {
    return await transport.request({ method, body: "", bytes: toBytes(frame) });
  } finally {
    await transport.close();
  }
}
