import { isRecord } from "../../lib/widgets/draw/page.ts";

export type Theme = "dark" | "light";

/** A message as a page sends it: nothing in it is sure. */
export type PageMessage = Readonly<Record<string, unknown>>;

/** One side of a conversation with a page: it gets every message of the page, and may respond at any time. */
export type Protocol = (message: PageMessage, respond: (message: object) => void) => void;

/** One line of the log. The texts come from the page: they are shown as text. */
export interface FrameEntry {
  /** `frame`: what the browser did to the page. */
  readonly from: "page" | "host" | "frame";
  readonly message: PageMessage;
}

interface FrameParts {
  readonly frame: HTMLIFrameElement;
  /** Of the page that is shown now. */
  readonly protocol: Protocol;
  readonly log?: (entry: FrameEntry) => void;
}

export interface FrameHost {
  send(message: object): void;
  /** Ends the conversation. */
  close(): void;
}

/** What the sandboxed page has as its origin, in messages. */
const OPAQUE = "null";

/**
 * Speaks with the page in a frame. Messages of other windows are ignored, and so are responses to a page that has been left.
 */
export function hostFrame({ frame, protocol, log = () => undefined }: FrameParts): FrameHost {
  let generation = 0;
  const send = (message: object): void => {
    log({ from: "host", message: { ...message } });
    // An opaque origin cannot be named. The window is the frame's, whose pages are all sandboxed.
    frame.contentWindow?.postMessage(message, "*");
  };
  const receive = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source === null || source !== frame.contentWindow || origin !== OPAQUE || !isRecord(data)) return;
    const type = String(data["type"]);
    if (type.startsWith("iot:")) {
      if (type === "iot:start") generation += 1;
      log({ from: "frame", message: data });
      return;
    }
    log({ from: "page", message: data });
    const asked = generation;
    protocol(data, (message) => {
      if (asked === generation) send(message);
    });
  };
  addEventListener("message", receive);
  return {
    send,
    close: () => {
      generation += 1;
      removeEventListener("message", receive);
    },
  };
}

/** The address of a page with the parameters that the platform adds. */
export const pageAddress = (path: string, theme: Theme): string => `${path}?theme=${theme}&v=1`;
