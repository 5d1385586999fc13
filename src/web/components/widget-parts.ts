import type { Resources, StoredWidget, WidgetDataCreate, WidgetDataResult } from "../../index.ts";
import type { Records } from "../../lib/widgets/draw/page.ts";
import type { Doing } from "../hooks.ts";

/** What a widget shows and writes with. */
export interface WidgetParts {
  readonly widget: StoredWidget;
  readonly result: WidgetDataResult;
  /** Type and display of the new structure, also of a legacy widget. */
  readonly type: string;
  readonly display: Readonly<Record<string, unknown>>;
  readonly records: Records;
  readonly resources: Resources;
  /** Devices for the placeholders of a blueprint. */
  readonly blueprint: readonly { readonly origin: string; readonly id: string; readonly bucket: string }[];
  /** Where a widget of one variable writes. */
  readonly target: { readonly origin: string; readonly variable: string };
  readonly doing: Doing;
  readonly reload: () => void;
  readonly write: (record: WidgetDataCreate) => void;
  /** Reads more rows of each variable; absent where there are no more. */
  readonly readOlder: (() => void) | undefined;
}
