import { TipError } from "../errors.ts";
import type { TipAck, TipMethod } from "../types.ts";

/** A request in each form that a transport may need. */
export interface TipRequest {
  /** What is asked for. */
  readonly method: TipMethod;
  /** Counter of a plain request, which its response repeats. */
  readonly seq?: number;
  /** Body of a PUSH, or the names of a PULL with commas between them. */
  readonly body: string;
  /** The frame without a line feed, or the envelope. */
  readonly bytes: Uint8Array;
}

/** What all transports know of their server and device. */
export interface TipPeer {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** Certificates to trust besides those of Node, PEM. */
  readonly ca: string | readonly string[] | undefined;
  /** Time to connect, and time to wait for a response. */
  readonly timeoutMs: number;
  /** Requests are envelopes. */
  readonly isSealed: boolean;
  /** Hash of the authorization. */
  readonly auth: string;
  readonly serial: string;
  /** Reads a plain response or an envelope; undefined for what proves nothing and is ignored. */
  read(message: Uint8Array): TipAck | undefined;
}

/** Gets requests to a server. */
export interface TipTransport {
  /**
   * Sends a request and waits for its response, an ERR included.
   *
   * @throws TipError `no_response` or `connection_failed`, with `mayHaveArrived`
   */
  request(request: TipRequest): Promise<TipAck>;
  /** Is called with commands that were not asked for. */
  onCommand: (command: string) => void;
  /** Is called when a connection ended. */
  onClose: () => void;
  /** Closes connections; requests that wait fail. */
  close(): Promise<void>;
}

/** A reader to which what cannot be read is no response. */
export function lenient(read: TipPeer["read"]): TipPeer["read"] {
  return (message) => {
    try {
      return read(message);
    } catch (error) {
      if (error instanceof TipError) return undefined;
      throw error;
    }
  };
}
