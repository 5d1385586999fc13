import { createParser } from "eventsource-parser";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = 0xfeff;

/** An event of the parser. Declared here so that the declarations need no other package. */
export interface EventSourceMessage {
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly data: string;
}

export interface FeedHandlers {
  readonly onEvent: (event: EventSourceMessage) => void;
  /** The server's `retry:` field, in milliseconds. */
  readonly onRetry: (delayMs: number) => void;
  /** An event exceeded `maxEventChars`; this connection cannot be read any further. */
  readonly onOverflow: () => void;
}

/**
 * Returns a function that is called with the chunks of one connection, split anywhere, and reports its events.
 *
 * The parser buffers a trailing CR until it knows whether an LF follows. On a quiet stream that would delay an event
 * until the next one, so a CR at the end of a chunk is completed here and an LF that follows is dropped.
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
