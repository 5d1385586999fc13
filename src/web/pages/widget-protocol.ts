import type { StoredWidget, WidgetDataResult } from "../../index.ts";
import { isRecord } from "../../lib/widgets/draw/page.ts";
import type { PageMessage, Protocol } from "./frame.ts";

type Row = Readonly<Record<string, unknown>>;

/** What a custom widget may do, as the viewer. */
export interface WidgetApi {
  read(): Promise<WidgetDataResult>;
  /** `send`, `edit`, `delete` or `edit-resource`, with the records of the page. */
  write(method: string, rows: readonly Row[]): Promise<unknown>;
}

const METHODS: readonly unknown[] = ["send", "edit", "delete", "edit-resource"];

/** The sources of a widget, in the form that pages complete their records from. */
function variablesOf({ data }: StoredWidget): readonly object[] {
  return (data ?? []).flatMap(({ origin, variables }) =>
    [variables ?? []].flat().map((variable) => ({ variable, origin: { id: origin, bucket: origin } })),
  );
}

/** The widget as pages expect it. */
const widgetOf = (widget: StoredWidget): object => ({
  ...widget,
  display: { ...widget.display, variables: widget.display["variables"] ?? variablesOf(widget) },
});

/** The records of each source, as they come when a widget starts and whenever they change. */
export const realtimeMessage = ({ content }: WidgetDataResult): object => ({
  realtime: content.map(({ data, resource, result }) => ({
    data: { ...(data ?? resource), variable: [data?.variables ?? []].flat(), bucket: data?.origin },
    result,
  })),
});

async function start(api: WidgetApi, respond: (message: object) => void): Promise<void> {
  const found = await api.read();
  respond({ widget: widgetOf(found.widget) });
  // No token, unlike the platform: the page does with messages what it may do.
  respond({ userInformation: { token: null, language: navigator.language, runURL: null } });
  respond(realtimeMessage(found));
}

async function write(api: WidgetApi, { method = "send", variables, key }: PageMessage): Promise<object> {
  const rows = [variables].flat();
  try {
    if (!METHODS.includes(method)) throw new Error(`Unknown method: ${String(method)}`);
    if (rows.length === 0 || !rows.every(isRecord)) throw new Error("variables must be a record or a list of them");
    return { key, status: true, result: await api.write(String(method), rows) };
  } catch (error) {
    return { key, status: false, message: error instanceof Error ? error.message : String(error), result: [] };
  }
}

/**
 * The platform's side of the conversation with a custom widget. Links are not followed: the log of messages has them.
 *
 * @param onWritten is called after a change, to read the data again
 */
export function widgetProtocol(api: WidgetApi, onWritten: () => void): Protocol {
  return (message, respond) => {
    if (message["loaded"] === true) {
      void start(api, respond).catch((error: unknown) => {
        respond({ status: false, message: error instanceof Error ? error.message : String(error) });
      });
    } else if (message["variables"] !== undefined) {
      void write(api, message).then((outcome) => {
        respond(outcome);
        if ("status" in outcome && outcome.status === true) onWritten();
      });
    }
  };
}
