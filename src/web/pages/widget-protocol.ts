import type {
  StoredWidget,
  WidgetDataCreate,
  WidgetDataEdit,
  WidgetDataResult,
  WidgetResourceEdit,
} from "../../index.ts";
import { isRecord } from "../../lib/widgets/draw/page.ts";
import type { PageMessage, Protocol } from "./frame.ts";

/** A record of a page: which properties it has, the platform checks. */
type Row = WidgetDataCreate & WidgetDataEdit & WidgetResourceEdit;

const areRows = (rows: readonly unknown[]): rows is readonly Row[] => rows.every(isRecord);

/** What a custom widget may do, as the viewer. */
export interface WidgetApi {
  read(): Promise<WidgetDataResult>;
  send(records: readonly Row[]): Promise<unknown>;
  edit(records: readonly Row[]): Promise<unknown>;
  editResource(resources: readonly Row[]): Promise<unknown>;
  /** @param ids `{record}:{device}` each */
  remove(ids: readonly string[]): Promise<unknown>;
}

/** Pages name the device of a record in one of two ways. */
const deviceOf = ({ origin, device }: Row): string | undefined => origin ?? device;

function change(api: WidgetApi, method: unknown, rows: readonly Row[]): Promise<unknown> {
  const named = rows.map((row): Row => {
    const origin = deviceOf(row);
    return origin === undefined ? row : Object.assign({}, row, { origin });
  });
  switch (method) {
    case "send":
      return api.send(named);
    case "edit":
      return api.edit(named);
    case "edit-resource":
      return api.editResource(rows);
    case "delete":
      return api.remove(rows.map((row) => `${row.id}:${deviceOf(row)}`));
    default:
      throw new Error(`Unknown method: ${String(method)}`);
  }
}

/** The sources of a widget, in the form that pages complete their records from. */
function variablesOf({ data }: StoredWidget): readonly object[] {
  return (data ?? []).flatMap(({ origin, variables }) =>
    [variables ?? []].flat().map((variable) => ({ variable, origin: { id: origin, bucket: origin } })),
  );
}

/** The widget as pages expect it. */
function widgetOf(widget: StoredWidget): object {
  const { variables } = widget.display;
  const isSet = Array.isArray(variables) && variables.length > 0;
  return { ...widget, display: { ...widget.display, variables: isSet ? variables : variablesOf(widget) } };
}

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
    if (rows.length === 0 || !areRows(rows)) throw new Error("variables must be a record or a list of them");
    return { key, status: true, result: await change(api, method, rows) };
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
