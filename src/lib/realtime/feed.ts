import { createParser } from "eventsource-parser";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = 0xfeff;

/** One event of a stream, as the parser gives it. Named here so that the declarations need no other package. */
export interface EventSourceMessage {
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly data: string;
}

export interface FeedHandlers {
  readonly onEvent: (event: EventSourceMessage) => void;
  /** The server's `retry:` field, in milliseconds. */
  readonly onRetry: (delayMs: number) => void;
  /** An event outgrew `maxEventChars`; nothing more can be read from this connection. */
  readonly onOverflow: () => void;
}

/**
 * Gives a function that takes the text of one connection, cut anywhere, and reports its events.
 *
 * The parser keeps a final CR back until it has seen whether an LF follows. On a quiet stream that would hold an
 * event until the next one, so a CR at the end of a chunk is completed here and an LF that follows is dropped.
 */
export function createFeed(handlers: FeedHandlers, maxEventChars: number): (chunk: string) => void {
  let isFirst = true;
  let endedWithCr = false;
  let isBroken = false;
  const parser = createParser({
    onEvent: handlers.onEvent,
    onRetry: handlers.onRetry,
    onError(error) {
      // Unknown fields and unreadable retry values are ignored, as the standard says.
      if (error.type !== "max-buffer-size-exceeded") return;
      isBroken = true;
      handlers.onOverflow();
    },
    maxBufferSize: maxEventChars,
  });

  return (chunk) => {
    if (chunk === "" || isBroken) return;
    let text = chunk;
    if (isFirst) {
      isFirst = false;
      if (text.charCodeAt(0) === BYTE_ORDER_MARK) text = text.slice(1);
    }
    if (endedWithCr && text.charCodeAt(0) === LINE_FEED) text = text.slice(1);
    endedWithCr = text.charCodeAt(text.length - 1) === CARRIAGE_RETURN;
    if (endedWithCr) text += "\n";
    if (text !== "") parser.feed(text);
  };
}
